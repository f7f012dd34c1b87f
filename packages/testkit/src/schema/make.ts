import { copy, type JsonObject, type Schema } from '../json.ts';
import type { Random } from '../random.ts';
import { makeRecursive } from './recursive.ts';
import { NAMES, PATTERNS, TYPES } from './sample-texts.ts';
import { makeEnum, makeNumber, makeString } from './scalars.ts';

/** What a schema that is being made may refer to. */
export interface SchemaContext {
  readonly depth: number;
  /** Names of definitions; a reference to one that is still open must not be in place (CM-7). */
  readonly defs: readonly string[];
  /** Definitions from this index on may be referred to even in place. */
  readonly later: number;
  /** True inside a part of the value, where the root may be referred to. */
  readonly below: boolean;
}

/** Allows only simple schemas. */
const LEAF: SchemaContext = { depth: 3, defs: [], later: 0, below: true };

/** Makes a schema as tools have it for their input: an object, with a bit of everything somewhere. */
export function makeSchema(random: Random): JsonObject {
  if (random.chance(0.5)) return makeSmall(random);
  if (random.chance(0.15)) return makeRecursive(random, () => makeValue(random, LEAF));
  const defs = Array.from(
    {
      length: random.weighted([
        [5, 0],
        [3, 1],
        [2, 2],
      ]),
    },
    (_, index) => `d${index}`,
  );
  const root = makeObject(random, { depth: 0, defs, later: 0, below: false });
  root.type = 'object';
  const made = defs.map((name, index): [string, Schema] => [
    name,
    random.pick([makeValue, makeObject, makeArray])(random, { depth: 1, defs, later: index + 1, below: false }),
  ]);
  const used = made.filter(([name]) => JSON.stringify([root, made]).includes(`#/$defs/${name}"`));
  if (used.length > 0) root.$defs = Object.fromEntries(used);
  return root;
}

/** Makes a single property, which edits and instances will hardly miss. */
function makeSmall(random: Random): JsonObject {
  const context: SchemaContext = { depth: random.between(1, 3), defs: [], later: 0, below: true };
  const value = random.pick([makeValue, makeValue, makeNumber, makeString, makeArray, makeObject])(random, context);
  return { type: 'object', properties: { [random.pick(NAMES)]: value } };
}

/** Makes a schema for a property, an item or a branch. */
export function makeValue(random: Random, context: SchemaContext): Schema {
  const leaf = context.depth >= 3 ? 0 : 1;
  const kind = random.weighted([
    [5, 'string'],
    [4, 'number'],
    [3, 'enum'],
    [1, 'types'],
    [0.5, 'boolean'],
    [3 * leaf, 'array'],
    [3 * leaf, 'object'],
    [2.5 * leaf, 'choice'],
    [context.defs.length > 0 ? 5 : 0, 'ref'],
  ]);
  switch (kind) {
    case 'string':
      return makeString(random);
    case 'number':
      return makeNumber(random);
    case 'enum':
      return makeEnum(random);
    case 'types':
      return { type: random.some(TYPES, random.between(1, 3)) };
    case 'boolean':
      return random.chance(0.8);
    case 'array':
      return makeArray(random, context);
    case 'object':
      return makeObject(random, context);
    case 'ref':
      return makeReference(random, context);
    default:
      return addChoice(random, random.chance(0.5) ? asObject(makeValue(random, beside(context))) : {}, context);
  }
}

/** The context one level down in the value, where every definition may be referred to. */
function inner(context: SchemaContext): SchemaContext {
  return { ...context, depth: context.depth + 1, later: 0, below: true };
}

/** The context one level down in the schema, for the same value. */
function beside(context: SchemaContext): SchemaContext {
  return { ...context, depth: context.depth + 1 };
}

function makeReference(random: Random, { defs, later, below }: SchemaContext): Schema {
  if (below && defs.length > 0 && random.chance(0.15)) return { $ref: '#' };
  const allowed = defs.slice(later);
  return allowed.length === 0 ? {} : { $ref: `#/$defs/${random.pick(allowed)}` };
}

export function makeObject(random: Random, context: SchemaContext): JsonObject {
  const schema: JsonObject = {};
  if (random.chance(0.8)) schema.type = 'object';
  const names = random.some(NAMES, random.between(0, 3));
  if (names.length > 0 && random.chance(0.9)) {
    schema.properties = Object.fromEntries(names.map((name) => [name, makeValue(random, inner(context))]));
  }
  if (random.chance(0.5)) schema.required = random.some(random.chance(0.9) ? names : NAMES, 2);
  if (random.chance(0.45)) schema.additionalProperties = random.chance(0.7) ? false : makeValue(random, inner(context));
  addObjectRules(random, schema, context);
  if (random.chance(0.15) && context.depth < 3) addChoice(random, schema, context);
  if (random.chance(0.15)) addUnevaluated(random, schema, context);
  return schema;
}

function makeArray(random: Random, context: SchemaContext): JsonObject {
  const schema: JsonObject = {};
  const value = () => makeValue(random, inner(context));
  if (random.chance(0.9)) schema.type = 'array';
  if (random.chance(0.4)) schema.prefixItems = Array.from({ length: random.between(1, 2) }, value);
  if (random.chance(0.6)) schema.items = random.chance(0.15) ? false : value();
  if (random.chance(0.3)) {
    // A schema that every item satisfies anyway counts all of them.
    schema.contains = schema.items !== undefined && random.chance(0.3) ? copy(schema.items) : value();
    if (random.chance(0.4)) schema.minContains = random.between(0, 2);
    if (random.chance(0.4)) schema.maxContains = random.between(0, 3);
  }
  if (random.chance(0.25)) schema.minItems = random.between(0, 2);
  if (random.chance(0.25)) schema.maxItems = random.between(1, 4);
  if (random.chance(0.2)) schema.uniqueItems = random.chance(0.9);
  if (random.chance(0.15)) addUnevaluated(random, schema, context);
  if (random.chance(0.1)) addChoice(random, schema, context);
  return schema;
}

/** Adds the rarer keywords for objects. */
function addObjectRules(random: Random, schema: JsonObject, context: SchemaContext): void {
  if (random.chance(0.15)) {
    const patterns = random.some(PATTERNS, random.between(1, 2));
    schema.patternProperties = Object.fromEntries(
      patterns.map((pattern) => [pattern, random.chance(0.2) ? false : makeValue(random, inner(context))]),
    );
  }
  if (random.chance(0.1)) schema.propertyNames = makeString(random);
  if (random.chance(0.08)) schema.minProperties = random.between(0, 2);
  if (random.chance(0.08)) schema.maxProperties = random.between(1, 4);
  if (random.chance(0.08)) schema.dependentRequired = { [random.pick(NAMES)]: random.some(NAMES, 2) };
  if (random.chance(0.08)) {
    const part = random.chance(0.5) ? makeObject(random, beside(context)) : makeReference(random, context);
    schema.dependentSchemas = { [random.pick(NAMES)]: part };
  }
}

/** Adds one of the in-place applicators. */
function addChoice(random: Random, schema: JsonObject, context: SchemaContext): JsonObject {
  const isObject = schema.type === 'object' || schema.properties !== undefined;
  const isArray = schema.type === 'array';
  const branch = () => {
    if (isObject && random.chance(0.8)) return makeObject(random, beside(context));
    if (isArray && random.chance(0.8)) return makeArray(random, beside(context));
    return makeValue(random, beside(context));
  };
  const branches = () => Array.from({ length: random.between(1, 3) }, branch);
  switch (
    random.weighted([
      [3, 'anyOf'],
      [3, 'oneOf'],
      [3, 'allOf'],
      [2, 'not'],
      [2, 'if'],
    ])
  ) {
    case 'anyOf':
      schema.anyOf = branches();
      break;
    case 'oneOf':
      schema.oneOf = branches();
      break;
    case 'allOf':
      schema.allOf = branches();
      break;
    case 'not':
      schema.not = branch();
      break;
    default:
      schema.if = branch();
      if (random.chance(0.8)) schema.then = branch();
      if (random.chance(0.6)) schema.else = branch();
  }
  return schema;
}

function addUnevaluated(random: Random, schema: JsonObject, context: SchemaContext): void {
  const keyword = schema.type === 'array' ? 'unevaluatedItems' : 'unevaluatedProperties';
  schema[keyword] = random.chance(0.7) ? false : makeValue(random, inner(context));
  if (random.chance(0.6)) addChoice(random, schema, context);
}

function asObject(schema: Schema): JsonObject {
  return typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema;
}
