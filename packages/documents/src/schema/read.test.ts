import { describe, expect, it } from 'vitest';
import type { Json } from '../json/value.ts';
import { createGraph } from './graph.ts';
import { DIALECT } from './keywords.ts';
import { readSchema } from './read.ts';

const problemsOf = (raw: Json) => readSchema(raw).problems;
const reasons = (raw: Json) =>
  problemsOf(raw).map(({ code, path, params }) => [code, path, ...('reason' in params ? [params.reason] : [])]);
const nest = (keyword: string, depth: number): Json => {
  let schema: Json = {};
  for (let level = 1; level < depth; level++) schema = { [keyword]: schema };
  return schema;
};
const wide = (count: number): Json => ({
  properties: Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`p${i}`, true])),
});

describe('CM-6 a valid JSON Schema 2020-12', () => {
  it('CM-6 accepts the dialect by name, with or without an empty fragment', () => {
    expect(problemsOf({ $schema: DIALECT })).toEqual([]);
    expect(problemsOf({ $schema: `${DIALECT}#` })).toEqual([]);
  });
  it('CM-6 refuses another dialect, also further in', () => {
    const other = 'http://json-schema.org/draft-07/schema#';
    expect(reasons({ properties: { a: { $schema: other } } })).toEqual([
      ['SCHEMA_DIALECT_UNSUPPORTED', '/properties/a/$schema'],
    ]);
  });
  it.each<[string, Json, string]>([
    ['type', 'text', '/type'],
    ['type', [], '/type'],
    ['type', ['string', 'string'], '/type'],
    ['enum', 'x', '/enum'],
    ['multipleOf', 0, '/multipleOf'],
    ['minLength', -1, '/minLength'],
    ['maxLength', 1.5, '/maxLength'],
    ['minimum', '1', '/minimum'],
    ['required', ['a', 'a'], '/required'],
    ['required', 'a', '/required'],
    ['uniqueItems', 1, '/uniqueItems'],
    ['dependentRequired', { a: ['b', 1] }, '/dependentRequired'],
    ['allOf', [], '/allOf'],
    ['anyOf', {}, '/anyOf'],
    ['properties', [], '/properties'],
    ['items', [{}], '/items'],
    ['title', 1, '/title'],
    ['$anchor', '1a', '/$anchor'],
    ['$ref', 1, '/$ref'],
    ['not', null, '/not'],
  ])('CM-6 refuses a wrong value of %s', (keyword, value, path) => {
    expect(problemsOf({ [keyword]: value })).toMatchObject([{ code: 'SCHEMA_INVALID', path }]);
  });
  it('CM-6 takes unknown keywords and unknown formats for annotations', () => {
    const graph = createGraph();
    expect(readSchema({ 'x-hint': [1], format: 'colour', dependencies: 3 }, graph).root).toBe(graph.anything);
  });
  it('CM-6 refuses a reference to nothing', () => {
    for (const $ref of ['#/$defs/gone', '#gone', '#/%zz', '#/~2', '#/enum/0', '#/enum/x']) {
      expect(reasons({ $ref, enum: [1] })).toEqual([['SCHEMA_REF_UNRESOLVED', '/$ref']]);
    }
  });
  it('CM-6 follows references by pointer, by anchor, escaped and percent-encoded, also to unknown keywords', () => {
    const graph = createGraph();
    const text = readSchema({ type: 'string' }, graph).root;
    const rest = { $defs: { 'a/b~c d': { $anchor: 'here', type: 'string' } }, other: { deep: [{ type: 'string' }] } };
    for (const $ref of ['#/$defs/a~1b~0c%20d', '#here', '#/other/deep/0']) {
      expect(readSchema({ $ref, ...rest }, graph).root).toBe(text);
    }
  });
  it('CM-6 refuses the same anchor twice', () => {
    const problems = problemsOf({ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } });
    expect(problems).toMatchObject([{ code: 'SCHEMA_INVALID', path: '/$defs/b/$anchor' }]);
  });
  it('CM-15 reports all problems at once', () => {
    expect(problemsOf({ type: 1, $id: 'x', items: { pattern: '(' }, $ref: '#gone' })).toHaveLength(4);
  });
});

describe('CM-7 an input schema is hostile until checked', () => {
  it.each(['$id', '$dynamicRef', '$vocabulary'])('CM-7 refuses %s', (keyword) => {
    expect(reasons({ items: { [keyword]: '#' } })).toEqual([['SCHEMA_UNSAFE', `/items/${keyword}`, 'keyword']]);
  });
  it('CM-7 refuses references that leave the schema', () => {
    for (const $ref of ['https://example.com/s', 'other.json', 'other.json#/a', '/a', 'file:///etc/passwd#']) {
      expect(reasons({ $ref })).toEqual([['SCHEMA_UNSAFE', '/$ref', 'remote_ref']]);
    }
  });
  it('CM-7 refuses patterns that are not RE2, in values and in names', () => {
    expect(reasons({ pattern: '(?=a)' })).toEqual([['SCHEMA_UNSAFE', '/pattern', 'pattern']]);
    expect(reasons({ patternProperties: { '(a)\\1': {} } })).toEqual([
      ['SCHEMA_UNSAFE', '/patternProperties/(a)\\1', 'pattern'],
    ]);
  });
  it('CM-7 a pattern bomb: many patterns that are each allowed are too much together', () => {
    const bomb = (count: number): Json => ({
      patternProperties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`^[a-z${i}]{900}$`, true])),
    });
    expect(problemsOf(bomb(20))).toEqual([]);
    expect(problemsOf(bomb(400)).at(-1)).toMatchObject({
      code: 'SCHEMA_UNSAFE',
      params: { reason: 'too_many_patterns' },
    });
  });
  it('CM-7 a depth bomb: 64 levels are fine, 65 are not', () => {
    expect(problemsOf(nest('not', 64))).toEqual([]);
    expect(reasons(nest('not', 65))).toEqual([['SCHEMA_UNSAFE', '/not'.repeat(64), 'too_deep']]);
    expect(reasons(nest('items', 100_000))).toEqual([['SCHEMA_UNSAFE', '', 'too_deep']]);
  });
  it('CM-7 a depth bomb in data: 128 levels of JSON are fine, more are not', () => {
    const data = (depth: number): Json => (depth === 0 ? 1 : [data(depth - 1)]);
    expect(problemsOf({ const: data(127) })).toEqual([]);
    expect(reasons({ const: data(128) })).toEqual([['SCHEMA_UNSAFE', '', 'too_deep']]);
  });
  it('CM-7 a key bomb: 2,000 subschemas are fine, 2,001 are one problem', () => {
    expect(problemsOf(wide(2_000))).toEqual([]);
    expect(problemsOf(wide(2_001))).toMatchObject([{ params: { reason: 'too_many_subschemas', limit: 2_000 } }]);
    expect(problemsOf(wide(200_000))).toHaveLength(1);
  });
  it.each<[string, Json]>([
    ['to itself', { $ref: '#' }],
    ['through allOf', { allOf: [{ $ref: '#' }] }],
    ['through not', { $defs: { a: { not: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' }],
    ['through if', { $defs: { a: { if: { $ref: '#/$defs/b' } }, b: { $ref: '#/$defs/a' } } }],
    ['through dependentSchemas', { $defs: { a: { dependentSchemas: { x: { $ref: '#/$defs/a' } } } } }],
  ])('CM-7 refuses a reference that loops %s without consuming anything', (_, raw) => {
    expect(problemsOf(raw)).toMatchObject([{ code: 'SCHEMA_UNSAFE', params: { reason: 'ref_loop' } }]);
  });
  it('CM-7 accepts recursion that goes into a property or an item', () => {
    const { root, problems } = readSchema({ properties: { a: { $ref: '#' } }, items: { $ref: '#' } });
    expect(problems).toEqual([]);
    expect(root!.properties!.get('a')!.ref!.target).toBe(root);
  });
  it('CM-7 a chain of 990 references does not exhaust the stack', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 990 }, (_, i) => [`d${i}`, { allOf: [{ $ref: `#/$defs/d${i + 1}` }] }]),
    );
    expect(problemsOf({ $ref: '#/$defs/d0', $defs: { ...defs, d990: {} } })).toEqual([]);
    const looped = { ...defs, d990: { $ref: '#/$defs/d0' } };
    expect(problemsOf({ $defs: looped })).toMatchObject([{ params: { reason: 'ref_loop' } }]);
  });
  it('CM-7 keywords named like members of Object.prototype are only data', () => {
    const raw = JSON.parse(
      '{"__proto__": {"type": 3}, "constructor": {"type": 3}, "properties": {"__proto__": {"type": "string"}}}',
    );
    const { root, problems } = readSchema(raw);
    expect(problems).toEqual([]);
    expect([...root!.properties!.keys()]).toEqual(['__proto__']);
  });
});

describe('CM-6 normal form', () => {
  const same = (a: Json, b: Json) => {
    const graph = createGraph();
    return readSchema(a, graph).root === readSchema(b, graph).root;
  };
  it.each<[string, Json, Json]>([
    ['annotations', { type: 'string', title: 'a', default: 1 }, { type: 'string' }],
    ['type lists of one', { type: 'string' }, { type: ['string'] }],
    ['const and enum', { const: 1 }, { enum: [1] }],
    ['the order of enum values', { enum: [1, 'a'] }, { enum: ['a', 1] }],
    ['the order of properties', { properties: { a: {}, b: true } }, { properties: { b: {}, a: {} } }],
    ['bounds that bound nothing', { minLength: 0, minItems: 0, required: [] }, {}],
    ['then without if', { then: false }, true],
    [
      'definitions inlined',
      { $defs: { a: { type: 'null' } }, items: { $ref: '#/$defs/a' } },
      { items: { type: 'null' } },
    ],
    ['an empty enum', { enum: [] }, false],
  ])('CM-6 makes no difference of %s', (_, a, b) => expect(same(a, b)).toBe(true));
  it.each<[string, Json, Json]>([
    ['"1" and 1', { const: '1' }, { const: 1 }],
    ['two branches and one, in oneOf', { oneOf: [{}, {}] }, { oneOf: [{}] }],
    ['then and else', { if: { const: 1 }, then: false }, { if: { const: 1 }, else: false }],
    ['two recursive schemas', { items: { $ref: '#' } }, { items: { $ref: '#' }, type: 'array' }],
  ])('CM-6 tells apart %s', (_, a, b) => expect(same(a, b)).toBe(false));
});
