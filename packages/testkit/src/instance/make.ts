import { isObject, type Json, type JsonObject, type Schema, toKey } from '../json.ts';
import type { Random } from '../random.ts';
import { FORMATS } from '../schema/sample-texts.ts';
import type { Pool } from './pool.ts';
import { allowedValues, chooseType, expand, limit, type Rule } from './rule.ts';

const MAX_DEPTH = 5;

/** Makes a value that tries to satisfy the rules, and often does. */
export function makeInstance(random: Random, rules: readonly Rule[], pool: Pool, depth = 0): Json {
  const expanded = expand(random, rules);
  const schemas = expanded.map(({ schema }) => schema);
  const allowed = allowedValues(schemas);
  if (allowed !== undefined && allowed.length > 0 && random.chance(0.95)) return structuredClone(random.pick(allowed));
  const part = (inner: readonly Rule[]) => makeInstance(random, inner, pool, depth + 1);
  switch (chooseType(random, schemas)) {
    case 'string':
      return makeText(random, schemas, pool);
    case 'integer':
      return makeNumber(random, schemas, pool, true);
    case 'number':
      return makeNumber(random, schemas, pool, random.chance(0.4));
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return depth >= MAX_DEPTH ? [] : makeItems(random, expanded, part);
    default:
      return depth >= MAX_DEPTH ? {} : makeMembers(random, expanded, pool, part);
  }
}

function makeText(random: Random, schemas: readonly JsonObject[], pool: Pool): string {
  const low = limit(schemas, 'minLength', Math.max) ?? 0;
  const high = limit(schemas, 'maxLength', Math.min) ?? low + 4;
  const patterns = schemas.flatMap(({ pattern }) => (typeof pattern === 'string' ? [new RegExp(pattern, 'u')] : []));
  const format = schemas.find((schema) => typeof schema.format === 'string')?.format as string | undefined;
  const known = format === undefined ? pool.texts : (FORMATS[format] ?? pool.texts);
  const fitting = known.filter((text) => {
    const length = [...text].length;
    return length >= low && length <= high && patterns.every((pattern) => pattern.test(text));
  });
  if (fitting.length > 0) return random.pick(fitting);
  const length = random.between(low, Math.max(low, high));
  return Array.from({ length }, () => random.pick(['a', 'b', '7', 'é'])).join('');
}

function makeNumber(random: Random, schemas: readonly JsonObject[], pool: Pool, whole: boolean): number {
  const low = Math.max(
    limit(schemas, 'minimum', Math.max) ?? -1e9,
    (limit(schemas, 'exclusiveMinimum', Math.max) ?? -1e9) + (whole ? 1 : 0.25),
  );
  const high = Math.min(
    limit(schemas, 'maximum', Math.min) ?? 1e9,
    (limit(schemas, 'exclusiveMaximum', Math.min) ?? 1e9) - (whole ? 1 : 0.25),
  );
  const step = schemas.reduce(
    (product, { multipleOf }) => (typeof multipleOf === 'number' ? product * multipleOf : product),
    1,
  );
  const near = [low, low + 1, high, high - 1, (low + high) / 2].filter((n) => Math.abs(n) < 1e8);
  const inside = pool.numbers.filter((n) => n >= low && n <= high);
  const candidates = [...near, ...inside].map((n) => (whole ? Math.round(n) : n));
  const chosen = candidates.length > 0 ? random.pick(candidates) : 0;
  return step === 1 ? chosen : Math.ceil(chosen / step) * step;
}

type Part = (rules: readonly Rule[]) => Json;

function makeItems(random: Random, rules: readonly { schema: JsonObject; root: JsonObject }[], part: Part): Json[] {
  const schemas = rules.map(({ schema }) => schema);
  const low = limit(schemas, 'minItems', Math.max) ?? 0;
  const high = Math.min(limit(schemas, 'maxItems', Math.min) ?? low + 4, low + 6);
  const wanted = rules.filter(({ schema }) => schema.contains !== undefined);
  const least = Math.max(low, ...wanted.map(({ schema }) => (schema.minContains ?? 1) as number));
  const length = random.between(Math.min(least, high), Math.max(low, high));
  const items: Json[] = [];
  for (let index = 0; index < length; index++) {
    const place = rules.flatMap(({ schema, root }) => {
      const prefix = (schema.prefixItems ?? []) as Schema[];
      const own = index < prefix.length ? prefix[index] : (schema.items as Schema | undefined);
      return own === undefined ? [] : [{ schema: own, root }];
    });
    const contained = random.chance(0.5)
      ? wanted.map(({ schema, root }) => ({ schema: schema.contains as Schema, root }))
      : [];
    let item = part([...place, ...contained]);
    const isTaken = () => items.some((other) => toKey(other) === toKey(item));
    if (schemas.some(({ uniqueItems }) => uniqueItems === true) && isTaken()) item = part(place);
    items.push(item);
  }
  return items;
}

function makeMembers(
  random: Random,
  rules: readonly { schema: JsonObject; root: JsonObject }[],
  pool: Pool,
  part: Part,
): JsonObject {
  const schemas = rules.map(({ schema }) => schema);
  const names = new Set<string>(schemas.flatMap(({ required }) => (required ?? []) as string[]));
  for (const { properties } of schemas) {
    if (isObject(properties)) for (const name of Object.keys(properties)) if (random.chance(0.5)) names.add(name);
  }
  const closed = schemas.some(
    (schema) => schema.additionalProperties === false || schema.unevaluatedProperties === false,
  );
  if (random.chance(closed ? 0.05 : 0.35)) names.add(random.pick(pool.names));
  const least = limit(schemas, 'minProperties', Math.max) ?? 0;
  for (let attempt = 0; names.size < least && attempt < 10; attempt++) names.add(random.pick(pool.names));
  for (const { dependentRequired } of schemas) {
    if (!isObject(dependentRequired)) continue;
    for (const [name, needed] of Object.entries(dependentRequired))
      if (names.has(name)) for (const other of needed as string[]) names.add(other);
  }
  const members = [...names].map((name): [string, Json] => [name, part(rules.flatMap((rule) => rulesFor(rule, name)))]);
  return Object.fromEntries(members);
}

/** The rules of one schema for a member. */
export function rulesFor({ schema, root }: Rule, name: string): Rule[] {
  if (!isObject(schema)) return [];
  const { properties, patternProperties, additionalProperties } = schema;
  const found: Json[] = [];
  if (isObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name]!);
  for (const [pattern, part] of isObject(patternProperties) ? Object.entries(patternProperties) : []) {
    if (new RegExp(pattern, 'u').test(name)) found.push(part);
  }
  if (found.length === 0 && additionalProperties !== undefined) found.push(additionalProperties);
  return found.map((part) => ({ schema: part as Schema, root }));
}
