import { type CelInput, isCelError, plan } from '@bufbuild/cel';
import { displayText } from '../../display-text.ts';
import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { parseCondition } from './check.ts';
import { meteredEnvironment } from './environment.ts';
import { instrument } from './instrument.ts';
import { Meter, TooExpensive } from './meter.ts';

/** Values in everything an expression may look at. */
const MAX_VALUES = 500_000;

export type ConditionResult =
  | { readonly ok: true; readonly value: boolean }
  | {
      readonly ok: false;
      readonly reason: 'invalid' | 'too_expensive' | 'failed' | 'not_boolean';
      /** Fit to be shown. */
      readonly detail: string;
    };

/**
 * A CEL expression over untrusted values, both of any size: it ends within a bounded number of steps. An expression
 * that fails (a field that is not there, a text compared with a number) has no value; it is never taken for false.
 */
export function evaluateCondition(source: string, variables: JsonObject): ConditionResult {
  const parsed = parseCondition(source, Object.keys(variables));
  if ('problem' in parsed) return refuse('invalid', `${parsed.problem.reason} ${parsed.problem.detail}`);
  instrument(parsed.expression);
  try {
    const bindings = bind(variables);
    if (bindings === undefined) return refuse('too_expensive', 'the values are too many');
    const result = plan(meteredEnvironment(new Meter()), parsed.expression)(bindings);
    if (typeof result === 'boolean') return { ok: true, value: result };
    if (!isCelError(result)) return refuse('not_boolean', '');
    return refuse(result.cause instanceof TooExpensive ? 'too_expensive' : 'failed', result.message);
  } catch (error) {
    // Planning recurses as deep as the expression nests.
    if (error instanceof RangeError) return refuse('too_expensive', 'nesting');
    throw error;
  }
}

function refuse(reason: Exclude<ConditionResult, { ok: true }>['reason'], detail: string): ConditionResult {
  return { ok: false, reason, detail: displayText(detail) };
}

/** As maps: of a plain object the library would trust keys called `constructor` or `$typeName`. */
function bind(variables: JsonObject): Record<string, CelInput> | undefined {
  let left = MAX_VALUES;
  const convert = (value: Json): CelInput => {
    if (--left < 0) return null;
    if (Array.isArray(value)) return value.map((item: Json) => convert(item));
    if (!isObject(value)) return value as null | boolean | number | string;
    return new Map(Object.keys(value).map((key) => [key, convert(value[key]!)] as const));
  };
  const bindings: Record<string, CelInput> = Object.create(null);
  for (const name of Object.keys(variables)) bindings[name] = convert(variables[name]!);
  return left < 0 ? undefined : bindings;
}
