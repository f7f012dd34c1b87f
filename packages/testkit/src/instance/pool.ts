import { isObject, type Json, type JsonObject, toKey } from '../json.ts';
import { FORMATS, NAMES, TEXTS } from '../schema/sample-texts.ts';
import { listSpots } from '../schema/visit.ts';

/** Values on which two schemas may differ: those they name, and their neighbours. */
export interface Pool {
  readonly names: readonly string[];
  readonly values: readonly Json[];
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

export function collectPool(...roots: readonly JsonObject[]): Pool {
  const schemas = roots.flatMap((root) => listSpots(root).map((spot) => spot.schema)).filter(isObject);
  const constants = schemas.flatMap(constantsIn);
  const numbers = new Set([0, 1, -1, 0.5, ...schemas.flatMap(boundsIn), ...constants.filter(isNumber).flatMap(around)]);
  const texts = new Set([
    ...TEXTS,
    ...schemas.flatMap(textsIn),
    ...constants.filter(isText).flatMap((text) => [text, `${text}a`]),
  ]);
  const values = new Map<string, Json>();
  for (const value of [...constants, ...texts, ...numbers, true, false, null, [], {}]) values.set(toKey(value), value);
  return {
    names: [...new Set([...schemas.flatMap(namesIn), ...NAMES.slice(0, 3), 'other'])],
    values: [...values.values()],
    texts: [...texts],
    numbers: [...numbers],
  };
}

const isNumber = (value: Json | undefined) => typeof value === 'number';
const isText = (value: Json | undefined) => typeof value === 'string';

function constantsIn(schema: JsonObject): Json[] {
  return [...((schema.enum ?? []) as Json[]), ...(schema.const === undefined ? [] : [schema.const])];
}

function boundsIn(schema: JsonObject): number[] {
  return BOUNDS.map((keyword) => schema[keyword])
    .filter(isNumber)
    .flatMap(around);
}

function textsIn({ minLength, maxLength, format }: JsonObject): string[] {
  const lengths = [minLength, maxLength].filter(isNumber).flatMap((length) => [length - 1, length, length + 1]);
  const samples = isText(format) ? (FORMATS[format] ?? []) : [];
  return [...lengths.filter((length) => length >= 0).map((length) => 'a'.repeat(length)), ...samples];
}

function namesIn(schema: JsonObject): string[] {
  const { properties, required, dependentRequired, dependentSchemas, patternProperties } = schema;
  const keys = [properties, dependentRequired, dependentSchemas].flatMap((map) =>
    isObject(map) ? Object.keys(map) : [],
  );
  const needed = isObject(dependentRequired) ? Object.values(dependentRequired).flat() : [];
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  const matching = patterns.flatMap((pattern) =>
    [...TEXTS, ...NAMES].filter((text) => new RegExp(pattern, 'u').test(text)),
  );
  return [...keys, ...((required ?? []) as string[]), ...(needed as string[]), ...matching.slice(0, 6)];
}

function around(value: number): number[] {
  return [value, value - 1, value + 1, value + 0.5, value * 2];
}
