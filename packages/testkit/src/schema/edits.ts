import { isObject, type Json, type JsonObject, type Schema } from '../json.ts';
import type { Random } from '../random.ts';
import { makeObject, makeValue, type SchemaContext } from './make.ts';
import { CONSTANTS, DIVISORS, FORMATS, NAMES, PATTERNS, TEXTS, TYPES } from './sample-texts.ts';
import { makeBound, makeEnum } from './scalars.ts';

/** Changes the given schema and returns it, or returns its replacement; undefined if the edit does not apply. */
export type Edit = (random: Random, schema: JsonObject, root: JsonObject) => Schema | undefined;

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems', 'minContains', 'maxContains'],
  object: ['minProperties', 'maxProperties'],
};

const moveBound: Edit = (random, schema) => {
  const present = BOUNDS.filter((name) => typeof schema[name] === 'number');
  if (present.length === 0) return undefined;
  const name = random.pick(present);
  const value = schema[name] as number;
  const other = name.startsWith('ex')
    ? name.slice(9, 10).toLowerCase() + name.slice(10)
    : `exclusive${name[0]!.toUpperCase()}${name.slice(1)}`;
  switch (random.between(0, 5)) {
    case 0:
      delete schema[name];
      break;
    case 1:
    case 2:
      // The bound stays the same, but changes between open and closed.
      delete schema[name];
      schema[other] = value;
      break;
    case 3:
      delete schema[name];
      schema[other] = value + random.pick([-1, 1]);
      break;
    default:
      schema[name] = value + random.pick([-1, -0.5, 0.5, 1]);
  }
  return schema;
};

const addBound: Edit = (random, schema) => {
  if (!isNumeric(schema)) return undefined;
  if (random.chance(0.3)) schema.multipleOf = random.pick(DIVISORS);
  else schema[random.pick(BOUNDS)] = makeBound(random);
  return schema;
};

const moveCount: Edit = (random, schema) => {
  const present = Object.values(COUNTS)
    .flat()
    .filter((name) => typeof schema[name] === 'number');
  if (present.length === 0) return undefined;
  const name = random.pick(present);
  if (random.chance(0.2)) delete schema[name];
  else schema[name] = Math.max(0, (schema[name] as number) + random.pick([-1, 1]));
  return schema;
};

const addCount: Edit = (random, schema) => {
  const names = COUNTS[String(schema.type)];
  if (names === undefined) return undefined;
  schema[random.pick(names)] = random.between(0, 4);
  return schema;
};

const editProperties: Edit = (random, schema, root) => {
  if (!isObjectSchema(schema)) return undefined;
  schema.properties ??= {};
  const properties = schema.properties as JsonObject;
  const names = Object.keys(properties);
  const action = random.between(0, 2);
  if (action === 0 || names.length === 0) {
    properties[random.pick(NAMES)] = makeValue(random, within(root));
    return schema;
  }
  const name = random.pick(names);
  const value = properties[name]!;
  delete properties[name];
  if (action === 1) properties[random.pick(NAMES)] = value;
  return schema;
};

const editRequired: Edit = (random, schema) => {
  if (!isObjectSchema(schema)) return undefined;
  const required = new Set((schema.required ?? []) as string[]);
  const known = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  if (required.size > 0 && random.chance(0.5)) required.delete(random.pick([...required]));
  else required.add(random.pick(known.length > 0 && random.chance(0.8) ? known : NAMES));
  schema.required = [...required];
  return schema;
};

const editOpenness: Edit = (random, schema, root) => {
  if (!isObjectSchema(schema)) return undefined;
  if (random.chance(0.3)) schema.additionalProperties = makeValue(random, within(root));
  else if (schema.additionalProperties === false) delete schema.additionalProperties;
  else schema.additionalProperties = false;
  return schema;
};

const editEnum: Edit = (random, schema) => {
  if (!Array.isArray(schema.enum) || schema.enum.length === 0) return undefined;
  const value: Json = random.pick<Json>(schema.type === 'string' ? TEXTS : CONSTANTS);
  const index = random.between(0, schema.enum.length - 1);
  if (random.chance(0.5)) schema.enum = [...schema.enum, value];
  else if (schema.enum.length > 1) schema.enum = schema.enum.filter((_, i) => i !== index);
  else delete schema.enum;
  return schema;
};

const editType: Edit = (random, schema, root) => {
  if (schema === root || schema.type === undefined) return undefined;
  const types = new Set([schema.type].flat() as string[]);
  const action = random.between(0, 3);
  if (action === 0) delete schema.type;
  else if (action === 1) schema.type = random.pick(TYPES);
  else {
    if (action === 2) types.add(random.pick([...TYPES]));
    else if (types.size > 1) types.delete(random.pick([...types]));
    schema.type = [...types];
  }
  return schema;
};

const editPattern: Edit = (random, schema) => {
  if (isObject(schema.patternProperties) && random.chance(0.5)) {
    const [first] = Object.keys(schema.patternProperties);
    if (first === undefined) return undefined;
    const value = schema.patternProperties[first]!;
    delete schema.patternProperties[first];
    schema.patternProperties[random.pick(PATTERNS)] = value;
    return schema;
  }
  if (schema.pattern === undefined && schema.type !== 'string') return undefined;
  if (random.chance(0.2)) delete schema.pattern;
  else schema.pattern = random.pick(PATTERNS);
  return schema;
};

const editFormat: Edit = (random, schema) => {
  if (schema.format === undefined && random.chance(0.7)) return undefined;
  if (random.chance(0.2)) delete schema.format;
  else if (schema.format === 'uri' || schema.format === 'uri-reference') {
    schema.format = schema.format === 'uri' ? 'uri-reference' : 'uri';
  } else schema.format = random.pick(Object.keys(FORMATS));
  return schema;
};

const editUnique: Edit = (_, schema) => {
  schema.uniqueItems = schema.uniqueItems !== true;
  return schema;
};

const editPrefix: Edit = (random, schema, root) => {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  if (random.chance(0.5)) schema.prefixItems = [...prefix, makeValue(random, within(root))];
  else if (prefix.length > 1) prefix.splice(random.between(0, prefix.length - 1), 1);
  else delete schema.prefixItems;
  return schema;
};

const editContains: Edit = (random, schema, root) => {
  if (schema.contains === undefined) schema.contains = makeValue(random, within(root));
  else if (random.chance(0.2)) delete schema.contains;
  const name = random.pick(['minContains', 'maxContains']);
  if (random.chance(0.7)) schema[name] = random.between(0, 2);
  else delete schema[name];
  return schema;
};

const editItems: Edit = (random, schema, root) => {
  if (schema.items === undefined || random.chance(0.5)) schema.items = makeValue(random, within(root));
  else delete schema.items;
  return schema;
};

const editDependent: Edit = (random, schema, root) => {
  if (!isObjectSchema(schema)) return undefined;
  const name = random.pick(NAMES);
  switch (random.between(0, 3)) {
    case 0:
      schema.dependentRequired = { [name]: random.some(NAMES, random.between(0, 2)) };
      break;
    case 1:
      schema.dependentSchemas = { [name]: makeObject(random, within(root)) };
      break;
    case 2:
      schema.propertyNames = random.chance(0.5) ? { enum: random.some(NAMES, 4) } : { pattern: random.pick(PATTERNS) };
      break;
    default:
      schema.patternProperties = {
        [random.pick(PATTERNS)]: random.chance(0.4) ? false : makeValue(random, within(root)),
      };
  }
  return schema;
};

const editUnevaluated: Edit = (random, schema, root) => {
  const keyword = schema.type === 'array' ? 'unevaluatedItems' : 'unevaluatedProperties';
  if (schema[keyword] !== undefined && random.chance(0.5)) delete schema[keyword];
  else schema[keyword] = random.chance(0.7) ? false : makeValue(random, within(root));
  return schema;
};

const editBranches: Edit = (random, schema, root) => {
  const present = ['anyOf', 'oneOf', 'allOf'].filter((name) => Array.isArray(schema[name]));
  if (present.length === 0) return undefined;
  const name = random.pick(present);
  const list = schema[name] as Json[];
  if (random.chance(0.4)) {
    // The branches stay the same under another quantifier.
    delete schema[name];
    schema[random.pick(['anyOf', 'oneOf', 'allOf'])] = list;
  } else if (list.length > 1 && random.chance(0.5)) list.splice(random.between(0, list.length - 1), 1);
  else list.push(makeValue(random, within(root)));
  return schema;
};

const swapBranches: Edit = (_, schema) => {
  if (schema.if === undefined || (schema.then === undefined && schema.else === undefined)) return undefined;
  const { then: yes, else: no } = schema;
  delete schema.then;
  delete schema.else;
  if (no !== undefined) schema.then = no;
  if (yes !== undefined) schema.else = yes;
  return schema;
};

const negate: Edit = (_, schema, root) => (schema === root ? undefined : { not: schema });

const dropKeyword: Edit = (random, schema, root) => {
  const names = Object.keys(schema).filter((name) => name !== '$defs' && (schema !== root || name !== 'type'));
  if (names.length === 0) return undefined;
  delete schema[random.pick(names)];
  return schema;
};

const replaceAll: Edit = (random, schema, root) =>
  schema === root ? undefined : random.chance(0.5) ? makeValue(random, within(root)) : makeEnum(random);

/** Edits by the subject of a schema. */
const SPECIAL: Readonly<Record<string, readonly Edit[]>> = {
  number: [moveBound, moveBound, addBound],
  string: [moveCount, addCount, editPattern, editFormat, editFormat, editEnum],
  array: [moveCount, addCount, editUnique, editPrefix, editContains, editItems, editUnevaluated],
  object: [
    editProperties,
    editProperties,
    editRequired,
    editOpenness,
    editDependent,
    editPattern,
    moveCount,
    addCount,
    editUnevaluated,
  ],
  other: [editEnum, editBranches, editBranches, swapBranches],
};
const GENERAL: readonly Edit[] = [
  editType,
  editEnum,
  editBranches,
  swapBranches,
  negate,
  dropKeyword,
  dropKeyword,
  replaceAll,
];

export function chooseEdit(random: Random, schema: JsonObject): Edit {
  return random.pick(random.chance(0.25) ? GENERAL : SPECIAL[topicOf(schema)]!);
}

function topicOf(schema: JsonObject): string {
  if (isNumeric(schema)) return 'number';
  if (schema.type === 'string' || schema.type === 'array') return schema.type;
  return isObjectSchema(schema) ? 'object' : 'other';
}

/** A schema that is added in place must not refer to a definition, because that could lead back to itself. */
function within(root: JsonObject): SchemaContext {
  const defs = isObject(root.$defs) ? Object.keys(root.$defs) : [];
  return { depth: 2, defs, later: defs.length, below: false };
}

function isNumeric({ type }: JsonObject): boolean {
  return type === 'integer' || type === 'number';
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === 'object' || properties !== undefined;
}
