import { format, Validator } from '@cfworker/json-schema';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { copy, type Json, type Schema } from '../json.ts';
import { createReferenceJudge } from './reference.ts';
import { isUri, isUriReference } from './uri.ts';

/** Two validators that share no code with ours or with each other, on one schema. */
export interface Judges {
  /** The verdict of the faster one. */
  first(value: Json): boolean;
  /** The verdict of the other; undefined if it cannot read the schema. The first call compiles the schema. */
  second(value: Json): boolean | undefined;
  /** The verdict of both and of the reference judge; undefined if they disagree. */
  verdict(value: Json): boolean | undefined;
}

export function createJudges(schema: Schema): Judges {
  // The validator writes into the schemas that it gets.
  const validator = new Validator(copy(schema) as object, '2020-12', true);
  const byLetter = createReferenceJudge(schema);
  let compiled: ValidateFunction | null | undefined;

  const first = (value: Json) => validator.validate(value).valid;
  const second = (value: Json) => {
    if (compiled === undefined) compiled = compile(schema);
    try {
      return compiled?.(value);
    } catch {
      // Its comparison of values calls a member named `toString`.
      return undefined;
    }
  };
  return {
    first,
    second,
    verdict: (value) => {
      const opinion = second(value);
      return opinion === first(value) && opinion === byLetter(value) ? opinion : undefined;
    },
  };
}

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
addFormats.default(ajv);
for (const [name, test] of [
  ['uri', isUri],
  ['uri-reference', isUriReference],
] as const) {
  ajv.addFormat(name, test);
  format[name] = test;
}

function compile(schema: Schema): ValidateFunction | null {
  const own = copy(schema) as object;
  try {
    return ajv.compile(own);
  } catch {
    return null;
  } finally {
    ajv.removeSchema(own);
  }
}
