import { isObject, type Json, type JsonObject, toKey } from '../json.ts';
import { listSpots } from '../schema/visit.ts';
import { FORMATS, NAMES, TEXTS } from '../schema/words.ts';

/** Values on which two schemas may differ: what they name, and what lies just beside. */
export interface Pool {
  readonly names: readonly string[];
  readonly values: readonly Json[];
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

export function collectPool(...schemas: readonly JsonObject[]): Pool {
  const names = new Set<string>();
  const texts = new Set<string>(TEXTS);
  const numbers = new Set<number>([0, 1, -1, 0.5]);
  const values = new Map<string, Json>();
  const addValue = (value: Json) => values.set(toKey(value), value);
  for (const schema of schemas.flatMap((root) => listSpots(root).map((spot) => spot.schema))) {
    if (!isObject(schema)) continue;
    for (const name of namesIn(schema)) names.add(name);
    for (const value of [...((schema.enum ?? []) as Json[]), ...(schema.const === undefined ? [] : [schema.const])]) {
      addValue(value);
      if (typeof value === 'string') texts.add(value).add(`${value}a`);
      if (typeof value === 'number') for (const near of around(value)) numbers.add(near);
    }
    for (const keyword of BOUNDS)
      if (typeof schema[keyword] === 'number') around(schema[keyword]).forEach((n) => numbers.add(n));
    for (const keyword of ['minLength', 'maxLength']) {
      const length = schema[keyword];
      if (typeof length === 'number')
        for (const n of [length - 1, length, length + 1]) if (n >= 0) texts.add('a'.repeat(n));
    }
    if (typeof schema.format === 'string') for (const text of FORMATS[schema.format] ?? []) texts.add(text);
  }
  for (const text of texts) addValue(text);
  for (const number of numbers) addValue(number);
  for (const value of [true, false, null, [], {}]) addValue(value);
  return {
    names: [...names, ...NAMES.slice(0, 3), 'other'],
    values: [...values.values()],
    texts: [...texts],
    numbers: [...numbers],
  };
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
