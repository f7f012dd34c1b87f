import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../json/value.ts';
import { type CheckOptions, compileCheck } from './evaluate.ts';
import { readSchema } from './read.ts';

function check(schema: Json, value: Json, options?: CheckOptions) {
  const { root, problems } = readSchema(schema);
  expect(problems).toEqual([]);
  return compileCheck(root!)(value, options);
}

/** Code and path of each finding. */
function find(schema: Json, value: Json): string[] {
  const { valid, findings } = check(schema, value);
  expect(valid).toBe(findings.length === 0);
  return findings.map(({ code, path }) => `${code} ${path}`);
}

const params = (schema: Json, value: Json) => check(schema, value).findings[0]?.params;

const FILE_TOOL: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, maxLength: 8, pattern: '^/' },
    mode: { enum: ['read', 'write'] },
    limit: { type: 'integer', minimum: 1, exclusiveMaximum: 100, multipleOf: 5 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2, uniqueItems: true },
    since: { type: ['string', 'null'], format: 'date' },
  },
  required: ['path', 'mode'],
  additionalProperties: false,
};

test('CM-6 accepts arguments that keep their schema', () => {
  const value = { path: '/a', mode: 'read', limit: 5, tags: ['x', 'y'], since: null };
  const result = check(FILE_TOOL, value);
  expect(result).toMatchObject({ valid: true, findings: [] });
  expect(result.steps).toBeLessThan(100);
});

test('CM-6 reports everything that is wrong with arguments at once', () => {
  const value = { path: 'way too long', limit: 101.5, tags: ['x', 'x', 1], since: '2024-02-30', other: 1 };
  expect(find(FILE_TOOL, value)).toEqual([
    'ARG_REQUIRED ',
    'ARG_LENGTH /path',
    'ARG_PATTERN /path',
    'ARG_TYPE /limit',
    'ARG_ITEMS /tags',
    'ARG_UNIQUE /tags',
    'ARG_TYPE /tags/2',
    'ARG_FORMAT /since',
    'ARG_UNKNOWN_PROPERTY /other',
  ]);
});

test('CM-6 findings carry what the schema says, never the value', () => {
  expect(params(FILE_TOOL, { path: '/a' })).toEqual({ name: 'mode' });
  expect(params(FILE_TOOL, { path: '/a', mode: 'secret' })).toEqual({ allowed: ['read', 'write'] });
  expect(params(FILE_TOOL, { path: '/a', mode: 'read', x: 'secret' })).toEqual({
    allowed: ['path', 'mode', 'limit', 'tags', 'since'],
  });
  expect(params({ type: ['integer', 'null'] }, 'secret')).toEqual({ expected: ['null', 'integer'] });
  expect(params({ type: ['number', 'integer'] }, 'secret')).toEqual({ expected: ['number'] });
  expect(params({ exclusiveMinimum: 3 }, 3)).toEqual({ keyword: 'exclusiveMinimum', limit: 3, bound: '> 3' });
  expect(params({ maxLength: 3 }, 'secret')).toEqual({ keyword: 'maxLength', limit: 3, bound: '≤ 3' });
  expect(params({ pattern: '^a$' }, 'secret')).toEqual({ pattern: '^a$' });
  expect(params({ format: 'uuid' }, 'secret')).toEqual({ format: 'uuid' });
  expect(params({ multipleOf: 0.1 }, 0.25)).toEqual({ divisor: 0.1 });
  expect(params({ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 5)).toEqual({ matched: 2 });
  expect(params({ dependentRequired: { a: ['b'] } }, { a: 1 })).toEqual({ name: 'a', needed: 'b' });
});

test('CM-6 a finding shows a taste of a long enum and no long values', () => {
  const values = ['x'.repeat(65), { a: 1 }, ...Array.from({ length: 50 }, (_, index) => index)];
  expect(params({ enum: values }, 'y')).toEqual({ allowed: values.slice(2, 22) });
});

test.for<[schema: JsonObject, value: Json, finding: string]>([
  [{ minimum: 2 }, 1, 'ARG_RANGE '],
  [{ exclusiveMinimum: 2 }, 2, 'ARG_RANGE '],
  [{ maximum: 2 }, 3, 'ARG_RANGE '],
  [{ exclusiveMaximum: 2 }, 2, 'ARG_RANGE '],
  [{ multipleOf: 3 }, 4, 'ARG_MULTIPLE '],
  [{ minLength: 2 }, '😀', 'ARG_LENGTH '],
  [{ maxLength: 1 }, '😀a', 'ARG_LENGTH '],
  [{ minItems: 1 }, [], 'ARG_ITEMS '],
  [{ items: { type: 'null' } }, [null, 1], 'ARG_TYPE /1'],
  [{ prefixItems: [true], items: false }, [1, 2], 'ARG_FORBIDDEN /1'],
  [{ contains: { const: 1 } }, [2], 'ARG_CONTAINS '],
  [{ contains: { const: 1 }, minContains: 2 }, [1], 'ARG_CONTAINS '],
  [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], 'ARG_CONTAINS '],
  [{ minProperties: 1 }, {}, 'ARG_PROPERTIES '],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'ARG_PROPERTIES '],
  [{ propertyNames: { maxLength: 1 } }, { 'a/b~': 1 }, 'ARG_PROPERTY_NAME /a~1b~0'],
  [{ patternProperties: { '^n': { type: 'number' } } }, { name: 'x' }, 'ARG_TYPE /name'],
  [{ dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, 'ARG_REQUIRED '],
  [{ allOf: [{ minimum: 2 }] }, 1, 'ARG_RANGE '],
  [{ anyOf: [{ minimum: 3 }, { maximum: 1 }] }, 2, 'ARG_NO_ALTERNATIVE '],
  [{ oneOf: [{ minimum: 3 }, { maximum: 1 }] }, 2, 'ARG_NOT_ONE '],
  [{ not: { type: 'string' } }, 'a', 'ARG_FORBIDDEN '],
  [JSON.parse('{ "if": { "minimum": 5 }, "then": { "multipleOf": 5 } }'), 6, 'ARG_MULTIPLE '],
  [{ if: { minimum: 5 }, else: { multipleOf: 2 } }, 3, 'ARG_MULTIPLE '],
  [{ $ref: '#/$defs/a', $defs: { a: { const: 1 } } }, 2, 'ARG_ENUM '],
  [{ properties: { a: true }, unevaluatedProperties: false }, { a: 1, b: 1 }, 'ARG_UNKNOWN_PROPERTY /b'],
  [{ prefixItems: [true], unevaluatedItems: { type: 'null' } }, [1, 2], 'ARG_TYPE /1'],
])('CM-6 %j refuses %j with %s', ([schema, value, finding]) => {
  expect(find(schema, value)).toEqual([finding]);
});

test('CM-6 an alternative that alone fits the type speaks for itself', () => {
  const nullable = { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] };
  expect(find(nullable, 'long')).toEqual(['ARG_LENGTH ']);
  const tagged = {
    oneOf: [
      { properties: { kind: { const: 'a' }, n: { type: 'number' } }, required: ['kind', 'n'] },
      { properties: { kind: { const: 'b' }, s: { type: 'string' } }, required: ['kind', 's'] },
    ],
  };
  expect(find(tagged, { kind: 'b', s: 1 })).toEqual(['ARG_TYPE /s']);
  expect(find(tagged, { kind: 'c' })).toEqual(['ARG_NOT_ONE ']);
});

test('CM-6 the same finding is given once', () => {
  const needsA = { required: ['a'] };
  expect(find({ allOf: [needsA, { ...needsA, minProperties: 0 }], ...needsA }, {})).toEqual(['ARG_REQUIRED ']);
});

test('CM-6 gives at most as many findings as are wanted', () => {
  const result = check({ items: false }, [1, 2, 3], { maxFindings: 2 });
  expect(result.findings.map(({ path }) => path)).toEqual(['/0', '/1']);
  expect(
    check(
      { items: false },
      Array.from({ length: 500 }, () => 0),
    ).findings,
  ).toHaveLength(100);
});

test('CM-6 multipleOf is exact in decimal', () => {
  const isMultiple = (value: number, divisor: number) => check({ multipleOf: divisor }, value).valid;
  expect(isMultiple(0.3, 0.1)).toBe(true);
  expect(isMultiple(-19.99, 0.01)).toBe(true);
  expect(isMultiple(19.995, 0.01)).toBe(false);
  expect(isMultiple(1e308, 0.5)).toBe(true);
  expect(isMultiple(1e308, 0.123456789)).toBe(false);
  expect(isMultiple(5e-324, 1e-323)).toBe(false);
  expect(isMultiple(1e-323, 5e-324)).toBe(true);
  expect(isMultiple(2 ** 53, 3)).toBe(false);
  expect(isMultiple(JSON.parse('1e999'), 0.1)).toBe(false);
  expect(isMultiple(0, 1e300)).toBe(true);
  expect(isMultiple(-0, 0.1)).toBe(true);
});

test('CM-6 equality is that of JSON values', () => {
  const equal = (a: Json, b: Json) => !check({ uniqueItems: true }, [a, b]).valid;
  expect(equal({ a: 1, b: [2] }, { b: [2.0], a: 1 })).toBe(true);
  expect(equal(0, -0)).toBe(true);
  for (const [a, b] of [
    [1, '1'],
    [0, false],
    [1, true],
    [null, 'null'],
    [['a', 'b'], ['a,b']],
    [{ a: 'b' }, ['a', 'b']],
    [{ a: 1, b: 2 }, { 'a1,1:b': 2 }],
    ['1:a', '1'],
    [[], {}],
    [[[]], [[], []]],
    [{ a: {} }, { a: [] }],
  ] as const) {
    expect([a, b, equal(a, b)]).toEqual([a, b, false]);
  }
});

test('CM-6 enum compares whole values, few or many', () => {
  for (const more of [[], Array.from({ length: 20 }, (_, index) => `v${index}`)]) {
    const schema = { enum: [1, 'a', null, { x: [1] }, ...more] };
    for (const value of [1.0, 'a', null, { x: [1] }, ...more]) expect(check(schema, value).valid).toBe(true);
    for (const value of [2, '1', false, { x: [1, 1] }, { x: ['1'] }, []])
      expect(check(schema, value).valid).toBe(false);
  }
});

test('CM-6 names of the prototype are names like any other', () => {
  const hostile: Json = JSON.parse('{ "__proto__": 1, "constructor": 2, "toString": 3 }');
  const names: Json = JSON.parse('{ "__proto__": { "type": "string" } }');
  expect(find({ required: ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] }, {})).toHaveLength(4);
  expect(find({ required: ['__proto__', 'constructor', 'toString'] }, hostile)).toEqual([]);
  expect(find({ additionalProperties: false }, hostile)).toHaveLength(3);
  expect(find({ properties: names, additionalProperties: { type: 'number' } }, hostile)).toEqual([
    'ARG_TYPE /__proto__',
  ]);
  expect(find({ dependentRequired: { valueOf: ['x'] } }, {})).toEqual([]);
  expect(find({ properties: { a: true }, unevaluatedProperties: false }, hostile)).toHaveLength(3);
  expect(find({ enum: [{ a: 1 }] }, JSON.parse('{ "__proto__": { "a": 1 } }'))).toEqual(['ARG_ENUM ']);
});

test('CM-6 a branch that failed evaluates nothing, and neither does `not`', () => {
  const branch = (name: string, type: string) => ({ properties: { [name]: { type } }, required: [name] });
  const schema = { anyOf: [branch('a', 'string'), branch('b', 'string')], unevaluatedProperties: false };
  expect(find(schema, { a: 'x', b: 'y' })).toEqual([]);
  expect(find(schema, { a: 1, b: 'y' })).toEqual(['ARG_UNKNOWN_PROPERTY /a']);
  expect(find({ not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1 })).toEqual([
    'ARG_UNKNOWN_PROPERTY /a',
  ]);
  const partial = { anyOf: [{ properties: { a: true, b: { const: 0 } } }, true], unevaluatedProperties: false };
  expect(find(partial, { a: 1, b: 1 })).toEqual(['ARG_UNKNOWN_PROPERTY /a', 'ARG_UNKNOWN_PROPERTY /b']);
});

test('CM-6 a check of null is the same as of any value', () => {
  expect(find({ unevaluatedProperties: false, unevaluatedItems: false }, null)).toEqual([]);
  expect(find({ type: 'object', properties: { a: true } }, null)).toEqual(['ARG_TYPE ']);
});

test("CM-6 a check of no value at all is the caller's mistake", () => {
  expect(() => check({}, undefined as never)).toThrow(TypeError);
});
