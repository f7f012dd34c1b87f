import type { Static, TSchema } from 'typebox';

type Test = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const prepared = new WeakMap<TSchema, Test>();

/**
 * Is the value what a schema of ours describes? A schema becomes closures when it is first needed, never generated code
 * (PK-5). Schemas of other people are for the interpreter of `@parley/documents`, which has a budget (CM-7).
 */
export function isValid<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  let test = prepared.get(schema);
  if (test === undefined) {
    test = prepare(schema);
    prepared.set(schema, test);
  }
  return test(value);
}

const TYPES: Readonly<Record<string, Test>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite,
  object: isObject,
  string: (value) => typeof value === 'string',
};

/** The tests of each keyword; keywords of one kind of value are tested together, by the first that is there. */
const KEYWORDS: Readonly<Record<string, (schema: Fields) => Test | undefined>> = {
  type: ({ type }) => TYPES[type as string],
  const:
    ({ const: only }) =>
    (value) =>
      value === only,
  enum: ({ enum: options }) => isOneOf(options as readonly unknown[]),
  anyOf: ({ anyOf }) => isAny((anyOf as TSchema[]).map(prepare)),
  allOf: ({ allOf }) => isAll((allOf as TSchema[]).map(prepare)),
  not: ({ not }) => isNot(prepare(not as TSchema)),
  properties: hasProperties,
  required: hasProperties,
  patternProperties: hasPatternProperties,
  minProperties: hasPropertyCount,
  maxProperties: hasPropertyCount,
  items: hasItems,
  minItems: hasItemCount,
  maxItems: hasItemCount,
  uniqueItems: hasUniqueItems,
  pattern: ({ pattern }) => isMatch(pattern as string),
  minLength: hasLength,
  maxLength: hasLength,
  minimum: isInRange,
  maximum: isInRange,
  // Looked at by the keywords they belong to.
  additionalProperties: ({ additionalProperties: rest, properties, patternProperties }) =>
    typeof rest === 'boolean' && (properties ?? patternProperties) !== undefined ? () => true : undefined,
  default: () => () => true,
  description: () => () => true,
};

function prepare(schema: TSchema): Test {
  const fields = schema as Fields;
  const makers = new Map(Object.keys(fields).map((keyword) => [KEYWORDS[keyword], keyword]));
  const tests = [...makers].map(([make, keyword]) => {
    const test = make?.(fields);
    // A keyword that nobody tests would accept everything.
    if (test === undefined) throw new TypeError(`schema: "${keyword}" cannot be checked as it is used here`);
    return test;
  });
  return isAll(tests);
}

function isAll(tests: readonly Test[]): Test {
  const [first, second, third] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (third === undefined) return (value) => first(value) && second(value);
  return (value) => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

function isAny(tests: readonly Test[]): Test {
  return (value) => {
    for (const test of tests) if (test(value)) return true;
    return false;
  };
}

function isNot(test: Test): Test {
  return (value) => !test(value);
}

function isOneOf(options: readonly unknown[]): Test {
  const all = new Set(options);
  return (value) => all.has(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field that is undefined is one that is not there: JSON has no such value. */
function hasProperties({
  properties = {},
  required = [],
  patternProperties,
  additionalProperties,
}: Fields): Test | undefined {
  if (patternProperties !== undefined) return undefined;
  const tests = new Map(Object.entries(properties as Record<string, TSchema>).map(([name, at]) => [name, prepare(at)]));
  const needed = new Set(required as readonly string[]);
  const fields = [...new Set([...tests.keys(), ...needed])].map((name) => {
    return { name, isNeeded: needed.has(name), test: tests.get(name) ?? isAll([]) };
  });
  const isClosed = additionalProperties === false;
  return (value) => {
    if (!isObject(value)) return true;
    for (const { name, isNeeded, test } of fields) {
      const field = Object.hasOwn(value, name) ? value[name] : undefined;
      if (field === undefined ? isNeeded : !test(field)) return false;
    }
    return !isClosed || Object.keys(value).every((name) => tests.has(name));
  };
}

function hasPatternProperties({ patternProperties, properties, additionalProperties }: Fields): Test | undefined {
  const [[pattern, schema] = [], ...more] = Object.entries(patternProperties as Record<string, TSchema>);
  if (pattern === undefined || schema === undefined || more.length > 0 || properties !== undefined) return undefined;
  const isNamed = new RegExp(pattern, 'u');
  const test = prepare(schema);
  const isClosed = additionalProperties === false;
  return (value) =>
    !isObject(value) || Object.keys(value).every((name) => (isNamed.test(name) ? test(value[name]) : !isClosed));
}

function hasPropertyCount({ minProperties = 0, maxProperties = Infinity }: Fields): Test {
  return (value) => !isObject(value) || isWithin(Object.keys(value).length, minProperties, maxProperties);
}

function hasItems({ items }: Fields): Test {
  const test = prepare(items as TSchema);
  return (value) => !Array.isArray(value) || value.every(test);
}

function hasItemCount({ minItems = 0, maxItems = Infinity }: Fields): Test {
  return (value) => !Array.isArray(value) || isWithin(value.length, minItems, maxItems);
}

/** Of texts only: other values would have to be compared part by part. */
function hasUniqueItems({ uniqueItems, items }: Fields): Test | undefined {
  if (uniqueItems !== true || (items as Fields | undefined)?.type !== 'string') return undefined;
  return (value) => !Array.isArray(value) || new Set(value).size === value.length;
}

function isMatch(pattern: string): Test {
  const expression = new RegExp(pattern, 'u');
  return (value) => typeof value !== 'string' || expression.test(value);
}

/** Counted in code points; a text has at most as many as UTF-16 units, and at least half as many. */
function hasLength({ minLength = 0, maxLength = Infinity }: Fields): Test {
  const [least, most] = [minLength as number, maxLength as number];
  return (value) => {
    if (typeof value !== 'string') return true;
    const units = value.length;
    if (units < least || units > 2 * most) return false;
    return (units <= most && units >= 2 * least) || isWithin(countCodePoints(value), least, most);
  };
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function isInRange({ minimum = -Infinity, maximum = Infinity }: Fields): Test {
  return (value) => typeof value !== 'number' || isWithin(value, minimum, maximum);
}

function isWithin(count: number, least: unknown, most: unknown): boolean {
  return count >= (least as number) && count <= (most as number);
}
