import { describe, expect, it } from 'vitest';
import type { Json } from '../../json/value.ts';
import { createGraph } from '../graph.ts';
import { readSchema } from '../read.ts';
import { type Counterexample, createComparer } from './index.ts';

function ask(before: Json, after: Json): Counterexample {
  const graph = createGraph();
  const [old, now] = [readSchema(before, graph).root!, readSchema(after, graph).root!];
  return createComparer(graph).findRejected([old], [now]);
}

type Pair = readonly [name: string, before: Json, after: Json];
const S = { type: 'string' };
const I = { type: 'integer' };
const pick = (t: string) => ({ type: 'object', properties: { t: { const: t } }, required: ['t'] });
const list = (of: Json, leaf: Json): Json => ({
  $defs: {
    l: {
      anyOf: [
        { type: 'null' },
        {
          type: 'object',
          properties: { v: of, next: { $ref: '#/$defs/l' } },
          required: ['v', 'next'],
          additionalProperties: false,
        },
        leaf,
      ],
    },
  },
  $ref: '#/$defs/l',
});

/** Nothing the first accepts is rejected by the second. */
const CONTAINED: readonly Pair[] = [
  ['anything in anything', true, {}],
  ['nothing in anything', false, { type: 'string', minLength: 3 }],
  ['integers in numbers', I, { type: 'number' }],
  ['multiples of 6 in multiples of 3', { type: 'integer', multipleOf: 6 }, { multipleOf: 3 }],
  ['multiples of 0.3 in multiples of 0.1, in decimal', { type: 'number', multipleOf: 0.3 }, { multipleOf: 0.1 }],
  [
    'multiples of 2 and of 3 in multiples of 6',
    { type: 'integer', multipleOf: 2, allOf: [{ multipleOf: 3 }] },
    { multipleOf: 6 },
  ],
  ['integers above 0 in integers from 1', { type: 'integer', exclusiveMinimum: 0 }, { minimum: 1 }],
  [
    '0 < n < 2 as an integer in the constant 1',
    { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 2 },
    { const: 1 },
  ],
  ['no number at all between the bounds', { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 1 }, false],
  [
    'a pattern in a wider one',
    { type: 'string', pattern: '^[0-9]{3}$' },
    { pattern: '^\\d+$', minLength: 3, maxLength: 3 },
  ],
  [
    'a pattern with few words in their list',
    { type: 'string', pattern: '^(a|b)c?$' },
    { enum: ['a', 'b', 'ac', 'bc'] },
  ],
  ['a literal prefix in a search for it', { type: 'string', pattern: '^abc' }, { pattern: 'b' }],
  ['booleans in their two values', { type: 'boolean' }, { enum: [true, false] }],
  ['an enum in its pattern', { enum: ['x1', 'x2'] }, { type: 'string', pattern: '^x' }],
  [
    'a union in another order and grouping',
    { anyOf: [S, { anyOf: [I, { type: 'null' }] }] },
    { type: ['null', 'integer', 'string'] },
  ],
  [
    'oneOf of branches that exclude each other in anyOf and back',
    { anyOf: [pick('a'), pick('b')] },
    { oneOf: [pick('b'), pick('a')] },
  ],
  ['not not', { not: { not: S } }, S],
  ['De Morgan', { not: { anyOf: [S, I] } }, { allOf: [{ not: S }, { not: I }] }],
  ['if and its two branches', { if: S, then: { minLength: 1 }, else: false }, { type: 'string', minLength: 1 }],
  ['required by dependency', { required: ['a'], dependentRequired: { a: ['b'] }, type: 'object' }, { required: ['b'] }],
  [
    'required by dependentSchemas',
    { type: 'object', required: ['a'], dependentSchemas: { a: { required: ['b'] } } },
    { minProperties: 2 },
  ],
  [
    'a closed object in its propertyNames',
    { type: 'object', properties: { a: {}, b: {} }, additionalProperties: false },
    { propertyNames: { enum: ['a', 'b'] }, maxProperties: 2 },
  ],
  [
    'propertyNames in a closed object',
    { type: 'object', propertyNames: { enum: ['a', 'b'] } },
    { properties: { a: true, b: true }, additionalProperties: false },
  ],
  [
    'too many properties wanted of a closed object',
    { type: 'object', properties: { a: {} }, additionalProperties: false, minProperties: 2 },
    false,
  ],
  [
    'properties in patternProperties',
    { type: 'object', properties: { x1: I }, additionalProperties: false },
    { patternProperties: { '^x': { type: 'number' } } },
  ],
  [
    'a pattern property in a wider pattern',
    { type: 'object', patternProperties: { '^x': I }, additionalProperties: false },
    { patternProperties: { '^x[0-9]': I }, propertyNames: { pattern: '^x' } },
  ],
  [
    'unevaluatedProperties in additionalProperties',
    { type: 'object', allOf: [{ properties: { a: S } }], unevaluatedProperties: false },
    { properties: { a: S }, additionalProperties: false },
  ],
  [
    'unevaluatedProperties after anyOf',
    {
      type: 'object',
      anyOf: [
        { properties: { a: S }, required: ['a'] },
        { properties: { b: S }, required: ['b'] },
      ],
      unevaluatedProperties: false,
    },
    { minProperties: 1, maxProperties: 2, propertyNames: { enum: ['a', 'b'] } },
  ],
  [
    'tuples',
    { type: 'array', prefixItems: [S, I], items: false },
    { maxItems: 2, items: { type: ['string', 'integer'] } },
  ],
  ['all items are what is contained', { type: 'array', items: I, minItems: 1 }, { contains: I }],
  ['contains at most none', { type: 'array', contains: S, minContains: 0, maxContains: 0 }, { items: { not: S } }],
  [
    'unevaluatedItems after contains',
    { type: 'array', contains: S, unevaluatedItems: I },
    { items: { type: ['string', 'integer'] } },
  ],
  ['one item is always unique', { type: 'array', maxItems: 1 }, { uniqueItems: true }],
  ['items that cannot exist keep the array empty', { type: 'array', items: false }, { maxItems: 0, uniqueItems: true }],
  ['a recursive list in a wider one', list(I, false), list({ type: 'number' }, S)],
  [
    'a recursive schema without a finite value in nothing',
    { type: 'object', required: ['n'], properties: { n: { $ref: '#' } } },
    false,
  ],
  ['keywords for other kinds change nothing', { type: 'string' }, { minimum: 5, minItems: 2, required: ['a'] }],
  ['a uri in a uri-reference', { type: 'string', format: 'uri' }, { format: 'uri-reference' }],
];

/** Something is. */
const NOT_CONTAINED: readonly Pair[] = [
  ['numbers in integers', { type: 'number' }, I],
  ['open below, closed below', { type: 'number', minimum: 0 }, { exclusiveMinimum: 0 }],
  ['multiples of 3 in multiples of 6', { type: 'integer', multipleOf: 3 }, { multipleOf: 6 }],
  ['multiples of 0.1 in multiples of 0.3', { type: 'number', multipleOf: 0.1 }, { multipleOf: 0.3 }],
  ['anyOf in oneOf', { anyOf: [{ minimum: 1 }, { maximum: 5 }] }, { oneOf: [{ minimum: 1 }, { maximum: 5 }] }],
  ['a search in an anchored pattern', { type: 'string', pattern: 'b' }, { pattern: '^b' }],
  ['a pattern before a final line break', { type: 'string', pattern: '^a' }, { pattern: '^a$' }],
  ['a list of words with one left out', { type: 'string', pattern: '^(a|b)c?$' }, { enum: ['a', 'b', 'ac'] }],
  [
    'an open object in a closed one',
    { type: 'object', properties: { a: S } },
    { properties: { a: S }, additionalProperties: false },
  ],
  [
    'a name that only one of two patterns takes',
    { type: 'object', patternProperties: { '^x': I } },
    { patternProperties: { '^xy?': S } },
  ],
  [
    'a pattern property against another',
    { type: 'object', patternProperties: { '^a': I }, additionalProperties: false },
    { patternProperties: { b$: S } },
  ],
  ['propertyNames of an open object', { type: 'object' }, { propertyNames: { maxLength: 3 } }],
  ['the name __proto__', { type: 'object' }, { properties: { ['__proto__']: S } }],
  ['contains in items', { type: 'array', contains: S }, { items: S }],
  ['a longer tuple', { type: 'array', prefixItems: [S] }, { prefixItems: [S, I] }],
  ['items that may repeat', { type: 'array', items: I }, { uniqueItems: true }],
  ['more may be contained', { type: 'array', contains: I, maxContains: 3 }, { contains: I, maxContains: 2 }],
  [
    'unevaluatedProperties does not see through not',
    { type: 'object', not: { required: ['z'], properties: { a: S } } },
    { not: { required: ['z'], properties: { a: S } }, unevaluatedProperties: false },
  ],
  [
    'unevaluatedProperties after anyOf with both branches',
    { type: 'object', properties: { a: {}, b: {} } },
    { anyOf: [{ properties: { a: S }, required: ['a'] }, { properties: { b: S } }], unevaluatedProperties: false },
  ],
  ['a recursive list, narrower at the second level', list({ type: 'number' }, false), list(I, false)],
  [
    'deep inside',
    { type: 'object', properties: { a: { type: 'array', items: { type: 'object', properties: { b: S } } } } },
    { properties: { a: { items: { properties: { b: { maxLength: 4 } } } } } },
  ],
  [
    'a condition that fails only together',
    { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'boolean' } } },
    { if: { properties: { a: { const: true } }, required: ['a'] }, then: { properties: { b: { const: true } } } },
  ],
  ['a uri-reference in a uri', { type: 'string', format: 'uri-reference' }, { format: 'uri' }],
];

describe('DF-21 containment', () => {
  it.each(CONTAINED)('DF-21 proves: %s', (_, before, after) => {
    expect(ask(before, after)).toEqual({ exists: 'no' });
  });
  // The interpreter has confirmed each of these values before it is given (see createComparer).
  it.each(NOT_CONTAINED)('DF-21 finds a value that is rejected: %s', (_, before, after) => {
    expect(ask(before, after).exists).toBe('yes');
  });
  it('DF-21 says unknown rather than no where it cannot decide', () => {
    const tangled = { oneOf: Array.from({ length: 60 }, (_, i) => ({ type: 'object', required: [`k${i}`] })) };
    expect(ask({ type: 'object' }, { not: { not: { allOf: [tangled, { type: 'object' }] } } }).exists).not.toBe('no');
    expect(ask({ type: 'string', format: 'date' }, { pattern: '^[0-9]{4}-' }).exists).toBe('unknown');
  });
});
