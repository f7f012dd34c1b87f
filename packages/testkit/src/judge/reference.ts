import { format } from '@cfworker/json-schema';
import { isObject, type Json, type JsonObject, type Schema, toKey } from '../json.ts';
import { follow } from '../schema/visit.ts';

/** The members of a value that a schema has evaluated, by name or index; undefined if the value is not valid. */
type Evaluated = ReadonlySet<string> | undefined;

/**
 * Implements draft 2020-12 literally and slowly: every keyword gives a verdict and what it evaluated, and a schema that
 * fails drops what it collected. Both other judges get `unevaluated…` wrong in nested schemas, sometimes in the same
 * way.
 */
export function createReferenceJudge(root: Schema): (value: Json) => boolean {
  const document = isObject(root) ? root : {};

  const apply = (schema: Schema, value: Json): Evaluated => {
    if (typeof schema === 'boolean') return schema ? new Set() : undefined;
    if (!assertsHold(schema, value)) return undefined;
    const seen = new Set<string>();
    const results = [...inPlace(schema, value), members(schema, value), ...items(schema, value)];
    for (const result of results) {
      if (result === undefined) return undefined;
      for (const name of result) seen.add(name);
    }
    const rest = Array.isArray(value) ? schema.unevaluatedItems : schema.unevaluatedProperties;
    if (rest === undefined || typeof value !== 'object' || value === null) return seen;
    for (const [name, part] of Object.entries(value)) {
      if (!seen.has(name) && apply(rest as Schema, part as Json) === undefined) return undefined;
    }
    return new Set(Object.keys(value));
  };
  const holds = (schema: Json, value: Json) => apply(schema as Schema, value) !== undefined;

  function* inPlace(schema: JsonObject, value: Json): Generator<Evaluated> {
    if (typeof schema.$ref === 'string') yield apply(follow(document, schema.$ref)!, value);
    for (const part of list(schema.allOf)) yield apply(part, value);
    if (schema.anyOf !== undefined) yield union(list(schema.anyOf).map((part) => apply(part, value)));
    if (schema.oneOf !== undefined) {
      const passing = list(schema.oneOf)
        .map((part) => apply(part, value))
        .filter((result) => result !== undefined);
      yield passing.length === 1 ? passing[0] : undefined;
    }
    if (schema.not !== undefined && holds(schema.not, value)) yield undefined;
    if (schema.if !== undefined) yield* condition(schema, value);
    const dependent = isObject(value) ? entries(schema.dependentSchemas) : [];
    for (const [name, part] of dependent) if (Object.hasOwn(value as object, name)) yield apply(part as Schema, value);
  }

  function* condition({ if: test, then: yes = true, else: no = true }: JsonObject, value: Json): Generator<Evaluated> {
    const seen = apply(test as Schema, value);
    if (seen !== undefined) yield seen;
    yield apply((seen !== undefined ? yes : no) as Schema, value);
  }

  const members = (schema: JsonObject, value: Json): Evaluated => {
    const seen = new Set<string>();
    if (!isObject(value)) return seen;
    const patterns = entries(schema.patternProperties).map(
      ([source, part]) => [new RegExp(source, 'u'), part] as const,
    );
    for (const [name, part] of Object.entries(value)) {
      if (schema.propertyNames !== undefined && !holds(schema.propertyNames, name)) return undefined;
      const rules = patterns.filter(([pattern]) => pattern.test(name)).map(([, rule]) => rule);
      if (isObject(schema.properties) && Object.hasOwn(schema.properties, name)) rules.push(schema.properties[name]!);
      if (rules.length === 0 && schema.additionalProperties !== undefined) rules.push(schema.additionalProperties);
      if (!rules.every((rule) => holds(rule, part))) return undefined;
      if (rules.length > 0) seen.add(name);
    }
    return seen;
  };

  function* items(schema: JsonObject, value: Json): Generator<Evaluated> {
    if (!Array.isArray(value)) return;
    const prefix = list(schema.prefixItems);
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      const rule = index < prefix.length ? prefix[index] : schema.items;
      if (rule === undefined) continue;
      if (!holds(rule, item)) yield undefined;
      seen.add(String(index));
    }
    yield seen;
    if (schema.contains === undefined) return;
    const matching = value.flatMap((item, index) => (holds(schema.contains!, item) ? [String(index)] : []));
    const most = (schema.maxContains ?? Number.POSITIVE_INFINITY) as number;
    const least = (schema.minContains ?? 1) as number;
    yield matching.length >= least && matching.length <= most ? new Set(matching) : undefined;
  }

  return (value) => holds(root, value);
}

function union(results: readonly Evaluated[]): Evaluated {
  const passing = results.filter((result) => result !== undefined);
  return passing.length === 0 ? undefined : new Set(passing.flatMap((names) => [...names]));
}

type Limit = (limit: number, value: Json) => boolean;

const size = (value: Json) => (typeof value === 'string' ? [...value].length : Object.keys(value as object).length);
const ofNumber =
  (test: (value: number, limit: number) => boolean): Limit =>
  (limit, value) =>
    typeof value !== 'number' || test(value, limit);
const ofSize =
  (fits: (value: Json) => boolean, test: (count: number, limit: number) => boolean): Limit =>
  (limit, value) =>
    !fits(value) || test(size(value), limit);
const isText = (value: Json) => typeof value === 'string';

const LIMITS: Readonly<Record<string, Limit>> = {
  minimum: ofNumber((value, limit) => value >= limit),
  maximum: ofNumber((value, limit) => value <= limit),
  exclusiveMinimum: ofNumber((value, limit) => value > limit),
  exclusiveMaximum: ofNumber((value, limit) => value < limit),
  multipleOf: ofNumber((value, limit) => Number.isInteger(value / limit)),
  minLength: ofSize(isText, (count, limit) => count >= limit),
  maxLength: ofSize(isText, (count, limit) => count <= limit),
  minItems: ofSize(Array.isArray, (count, limit) => count >= limit),
  maxItems: ofSize(Array.isArray, (count, limit) => count <= limit),
  minProperties: ofSize(isObject, (count, limit) => count >= limit),
  maxProperties: ofSize(isObject, (count, limit) => count <= limit),
};

/** Tests the keywords about the value itself. */
function assertsHold(schema: JsonObject, value: Json): boolean {
  for (const [keyword, limit] of Object.entries(LIMITS)) {
    if (typeof schema[keyword] === 'number' && !limit(schema[keyword], value)) return false;
  }
  const types = schema.type === undefined ? undefined : ([schema.type].flat() as string[]);
  if (types && !types.some((type) => isOfType(value, type))) return false;
  const allowed = [
    ...(schema.enum === undefined ? [] : [schema.enum as Json[]]),
    ...(schema.const === undefined ? [] : [[schema.const]]),
  ];
  if (!allowed.every((values) => values.some((one) => toKey(one) === toKey(value)))) return false;
  if (typeof value === 'string') return textHolds(schema, value);
  if (Array.isArray(value)) return schema.uniqueItems !== true || new Set(value.map(toKey)).size === value.length;
  if (!isObject(value)) return true;
  const has = (name: Json) => Object.hasOwn(value, name as string);
  const dependent = entries(schema.dependentRequired).filter(([name]) => has(name));
  return [...((schema.required ?? []) as Json[]), ...dependent.flatMap(([, names]) => names as Json[])].every(has);
}

function textHolds(schema: JsonObject, text: string): boolean {
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(text)) return false;
  return typeof schema.format !== 'string' || (format[schema.format]?.(text) ?? true);
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

const list = (value: Json | undefined) => (value ?? []) as Schema[];
const entries = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries(value) : []);
