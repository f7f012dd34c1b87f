import { isObject, type Json, type JsonObject, type Schema, toKey } from '../json.ts';
import type { Random } from '../random.ts';
import { TYPES } from '../schema/sample-texts.ts';
import { follow } from '../schema/visit.ts';

/** A schema that a value should satisfy, with the document for its references. */
export interface Rule {
  readonly schema: Schema;
  readonly root: JsonObject;
}

const MAX_RULES = 40;

/**
 * Lists the schemas that must hold together with these: of each choice, one is taken. Negated schemas are left to
 * chance.
 */
export function expand(random: Random, rules: readonly Rule[]): { schema: JsonObject; root: JsonObject }[] {
  const done: { schema: JsonObject; root: JsonObject }[] = [];
  const pending = [...rules];
  for (let rule = pending.pop(); rule !== undefined && done.length < MAX_RULES; rule = pending.pop()) {
    const { schema, root } = rule;
    if (!isObject(schema)) continue;
    done.push({ schema, root });
    const add = (part: Json | undefined) => {
      if (part !== undefined) pending.push({ schema: part as Schema, root });
    };
    if (typeof schema.$ref === 'string') add(follow(root, schema.$ref));
    for (const part of (schema.allOf ?? []) as Json[]) add(part);
    for (const choices of [schema.anyOf, schema.oneOf])
      if (Array.isArray(choices) && choices.length > 0) add(random.pick(choices));
    if (schema.if !== undefined) {
      const holds = random.chance(0.5);
      add(holds ? schema.if : undefined);
      add(holds ? schema.then : schema.else);
    }
    if (isObject(schema.dependentSchemas) && random.chance(0.5)) Object.values(schema.dependentSchemas).forEach(add);
  }
  return done;
}

/** Chooses a type that all schemas name, otherwise one that a keyword is about. */
export function chooseType(random: Random, schemas: readonly JsonObject[]): string {
  let types: readonly string[] = TYPES;
  for (const { type } of schemas) {
    if (type === undefined) continue;
    const named = [type].flat() as string[];
    const common = types.filter((name) => named.includes(name) || (name === 'integer' && named.includes('number')));
    if (common.length > 0) types = common;
  }
  if (types.length < TYPES.length || random.chance(0.2)) return random.pick(types);
  const hinted = Object.keys(HINTS).filter((name) =>
    schemas.some((schema) => HINTS[name]!.some((keyword) => schema[keyword] !== undefined)),
  );
  return random.pick(hinted.length > 0 ? hinted : types);
}

const HINTS: Readonly<Record<string, readonly string[]>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'dependentRequired',
    'unevaluatedProperties',
  ],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'uniqueItems', 'unevaluatedItems'],
  string: ['pattern', 'format', 'minLength', 'maxLength'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** The values that every `enum` and `const` allows; undefined if there are none of these keywords. */
export function allowedValues(schemas: readonly JsonObject[]): Json[] | undefined {
  let allowed: Json[] | undefined;
  for (const schema of schemas) {
    for (const values of [schema.enum, schema.const === undefined ? undefined : [schema.const]]) {
      if (!Array.isArray(values)) continue;
      const keys = new Set(values.map(toKey));
      const common: Json[] | undefined = allowed?.filter((value) => keys.has(toKey(value)));
      allowed = common !== undefined && common.length > 0 ? common : values;
    }
  }
  return allowed;
}

export function limit(
  schemas: readonly JsonObject[],
  keyword: string,
  merge: (...values: number[]) => number,
): number | undefined {
  const values = schemas.flatMap((schema) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []));
  return values.length > 0 ? merge(...values) : undefined;
}
