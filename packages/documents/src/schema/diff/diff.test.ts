import { describe, expect, it } from 'vitest';
import type { Json } from '../../json/value.ts';
import { MAX_STEPS } from '../contain/index.ts';
import { createSchemaDiff } from './index.ts';

const object = (more: object): Json => ({ type: 'object', ...more }) as Json;
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const named = (count: number, make: (index: number) => Json): Json =>
  Object.fromEntries(times(count, (i) => [`p${i}`, make(i)]));

function toolSchema(tool: number, version: 0 | 1): Json {
  return object({
    properties: {
      [`url${tool}`]: { type: 'string', format: 'uri', maxLength: 2_000 + version },
      method: { enum: version ? ['GET', 'POST', 'PUT'] : ['GET', 'POST'] },
      body: {
        anyOf: [
          { type: 'string' },
          object({ properties: { [`a${tool}`]: { type: 'integer', maximum: 9 - version } } }),
        ],
      },
      tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, maxItems: 10 },
      ...(version ? { extra: { type: 'boolean' } } : {}),
    },
    required: [`url${tool}`],
    additionalProperties: false,
  });
}

function stepsFor(tools: number): number {
  const meter = { steps: 0 };
  const diff = createSchemaDiff(meter);
  for (let tool = 0; tool < tools; tool++) expect(diff(toolSchema(tool, 0), toolSchema(tool, 1))).toHaveLength(4);
  return meter.steps;
}

describe('DF-22 cost', () => {
  it('DF-22 grows with the number of edits, not faster', () => {
    const [ten, forty] = [stepsFor(10), stepsFor(40)];
    expect(ten).toBeGreaterThan(0);
    expect(forty).toBeLessThan(ten * 5);
  });

  it('DF-22 takes about as much in one direction as in the other', () => {
    const steps = (from: 0 | 1, to: 0 | 1) => {
      const meter = { steps: 0 };
      createSchemaDiff(meter)(toolSchema(0, from), toolSchema(0, to));
      return meter.steps;
    };
    expect(steps(0, 1)).toBeLessThan(steps(1, 0) * 4);
    expect(steps(1, 0)).toBeLessThan(steps(0, 1) * 4);
  });

  it('DF-22 takes no step for what did not change', () => {
    const meter = { steps: 0 };
    const diff = createSchemaDiff(meter);
    expect(diff(toolSchema(1, 0), toolSchema(1, 0))).toEqual([]);
    expect(meter.steps).toBe(0);
  });
});

/** Each would take ages if every combination were tried. */
const ATTACKS: readonly (readonly [name: string, before: Json, after: Json])[] = [
  [
    'a product of 20 choices of 5',
    object({
      allOf: times(20, (i) => ({ anyOf: times(5, (j) => object({ properties: { [`p${i}`]: { const: j } } })) })),
    }),
    object({
      allOf: times(20, (i) => ({ anyOf: times(5, (j) => object({ properties: { [`p${i}`]: { const: j } } })) })),
      not: { required: times(20, (i) => `p${i}`) },
    }),
  ],
  [
    'oneOf with 39 branches that overlap',
    object({ oneOf: times(39, (i) => ({ required: [`k${i}`] })) }),
    object({ oneOf: times(39, (i) => ({ required: [`k${i + 1}`] })) }),
  ],
  [
    'oneOf with 400 branches',
    object({ oneOf: times(400, (i) => ({ required: [`k${i}`] })) }),
    object({ oneOf: times(400, (i) => ({ required: [`k${i + 1}`] })) }),
  ],
  [
    'references that double 22 times',
    object({ properties: { a: { $ref: '#/$defs/p0' } }, $defs: doubling('allOf', { type: 'string' }) }),
    object({ properties: { a: { $ref: '#/$defs/p0' } }, $defs: doubling('allOf', { type: 'string', minLength: 3 }) }),
  ],
  [
    'patterns whose automata explode',
    object({
      patternProperties: Object.fromEntries(times(6, (i) => [`^(a|b)*a(a|b){${i + 8}}$`, {}])),
      additionalProperties: false,
    }),
    object({
      patternProperties: Object.fromEntries(times(6, (i) => [`^(a|b)*b(a|b){${i + 9}}$`, {}])),
      additionalProperties: false,
    }),
  ],
  [
    '900 edits',
    object({ properties: named(900, (i) => ({ maxLength: i + 2 })) }),
    object({ properties: named(900, (i) => ({ maxLength: i + 1 })) }),
  ],
  [
    'an array of a billion',
    object({ properties: { a: { type: 'array', minItems: 1e9 } } }),
    object({ properties: { a: { type: 'array', minItems: 1e9, items: { type: 'string' } } } }),
  ],
  [
    'a string of a billion',
    object({ properties: { a: { type: 'string', minLength: 1e9 } } }),
    object({ properties: { a: { type: 'string', minLength: 1e9 + 1 } } }),
  ],
  ['an object of a billion', object({ minProperties: 1e9 }), object({ minProperties: 1e9 + 1 })],
  [
    'a billion contained',
    object({ properties: { a: { type: 'array', contains: {}, minContains: 1e9 } } }),
    object({ properties: { a: { type: 'array', contains: {}, minContains: 1e9 + 1 } } }),
  ],
];

function doubling(keyword: string, last: Json): Json {
  const defs = Object.fromEntries(
    times(22, (i) => [`p${i}`, { [keyword]: [{ $ref: `#/$defs/p${i + 1}` }, { $ref: `#/$defs/p${i + 1}` }] }]),
  );
  return { ...defs, p22: last };
}

describe('DF-22 attacks on the comparison', () => {
  it.each(ATTACKS)('DF-22 %s ends within the budget and is called breaking', (_, before, after) => {
    const meter = { steps: 0 };
    const changes = createSchemaDiff(meter)(before, after);
    expect(meter.steps).toBeLessThanOrEqual(MAX_STEPS.total);
    expect(changes.map((change) => change.code)).toContain('schema.narrowed');
  });

  it('DF-21 an exhausted budget never reads as harmless', () => {
    const spent = { steps: MAX_STEPS.total };
    const changes = createSchemaDiff(spent)(
      object({ properties: { a: { minimum: 1 } } }),
      object({ properties: { a: { minimum: 0 } } }),
    );
    expect(changes).toMatchObject([{ code: 'schema.narrowed', undecided: true }]);
  });
});
