import { copy, isObject, type Json, type JsonObject, type Schema } from '../json.ts';
import type { Edit } from './edits.ts';

/** Edits that say the same, or nearly, in another way: a proof of containment must see through them. */

const wrap: Edit = (random, schema, root) => {
  const same = schema === root ? copy(schema) : schema;
  switch (random.between(0, 4)) {
    case 0:
      return { allOf: [same] };
    case 1:
      return { anyOf: [same] };
    case 2:
      return { anyOf: [same, copy(same)] };
    case 3:
      return { oneOf: [same] };
    default:
      return { not: { not: same } };
  }
};

const define: Edit = (_, schema, root) => {
  if (schema === root || Object.keys(schema).length === 0) return undefined;
  const defs = isObject(root.$defs) ? root.$defs : {};
  let name = 'moved';
  while (defs[name] !== undefined) name += '_';
  root.$defs = { ...defs, [name]: copy(schema) };
  return { $ref: `#/$defs/${name}` };
};

/** Moves some keywords into an `allOf` branch of their own. */
const split: Edit = (random, schema, root) => {
  const names = Object.keys(schema).filter((name) => !TOGETHER.has(name) && (schema !== root || name !== 'type'));
  if (names.length < 2) return undefined;
  const part: JsonObject = {};
  for (const name of random.some(names, random.between(1, names.length - 1))) {
    part[name] = schema[name]!;
    delete schema[name];
  }
  if (Array.isArray(part.allOf)) return { ...part, allOf: [...part.allOf, schema] };
  return Object.assign(schema, { allOf: [...((schema.allOf as Json[] | undefined) ?? []), part] });
};

/** These mean something else, or nothing, when they are separated. */
const TOGETHER = new Set([
  ...['$defs', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'prefixItems', 'items', 'allOf'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
]);

const spellEnum: Edit = (random, schema) => {
  if (Array.isArray(schema.enum) && schema.enum.length > 0) {
    const values = schema.enum;
    delete schema.enum;
    return together(
      schema,
      random.pick(['anyOf', 'oneOf']),
      values.map((value) => ({ const: value })),
    );
  }
  if (schema.const === undefined) return undefined;
  const value = schema.const;
  delete schema.const;
  return Object.assign(schema, { enum: [value] });
};

const splitTypes: Edit = (random, schema) => {
  if (!Array.isArray(schema.type) || schema.type.length === 0) return undefined;
  const types = schema.type;
  delete schema.type;
  return together(
    schema,
    random.pick(['anyOf', 'oneOf']),
    types.map((type) => ({ type })),
  );
};

const tightenInteger: Edit = (_, schema) => {
  if (schema.type !== 'integer' || typeof schema.minimum !== 'number' || schema.exclusiveMinimum !== undefined)
    return undefined;
  schema.exclusiveMinimum = Math.ceil(schema.minimum) - 1;
  delete schema.minimum;
  return schema;
};

const closeOtherwise: Edit = (random, schema) => {
  if (schema.additionalProperties !== false) return undefined;
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  if (schema.patternProperties === undefined && random.chance(0.5)) {
    delete schema.additionalProperties;
    return together(schema, 'allOf', [{ propertyNames: { enum: names } }]);
  }
  if (schema.unevaluatedProperties !== undefined) return undefined;
  delete schema.additionalProperties;
  schema.unevaluatedProperties = false;
  return schema;
};

const namePattern: Edit = (random, schema) => {
  if (!isObject(schema.properties)) return undefined;
  const plain = Object.keys(schema.properties).filter((name) => /^\w+$/.test(name));
  if (plain.length === 0) return undefined;
  const name = random.pick(plain);
  const value = schema.properties[name]!;
  delete schema.properties[name];
  schema.patternProperties = { ...(schema.patternProperties as JsonObject | undefined), [`^${name}$`]: value };
  return schema;
};

const spellItems: Edit = (_, schema) => {
  if (schema.items === undefined || schema.prefixItems !== undefined || schema.contains !== undefined) return undefined;
  const items = schema.items;
  delete schema.items;
  return Object.assign(schema, { contains: { not: items }, minContains: 0, maxContains: 0 });
};

const spellCondition: Edit = (_, schema) => {
  if (schema.if === undefined || schema.anyOf !== undefined) return undefined;
  const { if: test, then: yes = true, else: no = true } = schema as Record<string, Schema>;
  delete schema.if;
  delete schema.then;
  delete schema.else;
  return Object.assign(schema, { anyOf: [{ allOf: [test!, yes] }, { allOf: [{ not: copy(test!) }, no] }] });
};

const spellRequired: Edit = (random, schema) => {
  const required = schema.required as string[] | undefined;
  if (required === undefined || required.length < 2) return undefined;
  const first = random.pick(required);
  schema.required = [first];
  schema.dependentRequired = { [first]: required.filter((name) => name !== first) };
  return schema;
};

export const REWRITES: readonly Edit[] = [
  wrap,
  define,
  split,
  spellEnum,
  splitTypes,
  tightenInteger,
  closeOtherwise,
  namePattern,
  spellItems,
  spellCondition,
  spellRequired,
];

/** Adds a keyword, or an `allOf` part with it if the schema has the keyword already. */
function together(schema: JsonObject, keyword: string, value: Json[]): JsonObject {
  if (schema[keyword] === undefined) return Object.assign(schema, { [keyword]: value });
  const parts = keyword === 'allOf' ? value : [{ [keyword]: value }];
  return Object.assign(schema, { allOf: [...((schema.allOf as Json[] | undefined) ?? []), ...parts] });
}
