import { createJudges, type Json, type JsonObject } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import { MAX_STEPS } from '../src/schema/contain/index.ts';
import { createSchemaDiff } from '../src/schema/diff/index.ts';
import listed from './containment-regressions.json' with { type: 'json' };
import { subject } from './fuzz-subject.ts';

interface Pair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}
interface Case extends Pair {
  readonly name: string;
  /** Compared before, with the same memory. */
  readonly earlier?: readonly Pair[];
  /** Accepted before, rejected after. */
  readonly instance: Json;
}

describe('DF-21 pairs that an engine once called silent', () => {
  test.for(listed as unknown as Case[])('DF-21 $name', ({ earlier = [], before, after, instance }) => {
    expect([createJudges(before).verdict(instance), createJudges(after).verdict(instance)]).toEqual([true, false]);
    expect([subject.check(before)(instance), subject.check(after)(instance)]).toEqual([true, false]);
    const compare = subject.open();
    for (const pair of earlier) compare(pair.before, pair.after);
    expect(compare(before, after)?.silent).toBe(false);
  });
});

test('DF-2 a property named so that its path reads like two others hides no change of type', () => {
  const version = (type: Json, rest: JsonObject) => ({
    type: 'object',
    properties: { p: { $ref: '#/properties/x' }, x: rest, 'p,': { properties: { x: { type } } } },
  });
  const changes = createSchemaDiff()(version('string', { minLength: 1 }), version(['string', 'null'], {}));
  expect(changes.map(({ code, path }) => `${code} ${path}`)).toContain(
    'schema.type_changed /properties/p,/properties/x/type',
  );
});

test('DF-22 a thousand references to the root end within the budget, and not in silence', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, i) => [`p${i}`, { $ref: '#', minLength: i }]),
  );
  const meter = { steps: 0 };
  const changes = createSchemaDiff(meter)(
    { type: 'object', properties },
    { type: 'object', properties, minProperties: 0 },
  );
  expect(meter.steps).toBeLessThanOrEqual(MAX_STEPS.total);
  expect(changes.some(({ code }) => code === 'schema.narrowed')).toBe(true);
});

test('DF-22 a walk through a recursive schema stops after a bounded number of its parts', () => {
  const version = (more: number) => {
    const properties = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`p${i}`, { $ref: '#', minLength: i + more }]),
    );
    return { type: 'object', properties };
  };
  expect(createSchemaDiff()(version(1), version(2)).length).toBeLessThan(100);
});

test('DF-22 what was compared once is remembered', () => {
  const schema = (maximum: number, title: string) => {
    const branch = (type: string) => ({
      type: 'object',
      properties: { kind: { const: type }, n: { type: 'integer', maximum } },
    });
    return { type: 'object', title, properties: { a: { anyOf: ['x', 'y', 'z'].map(branch) } } };
  };
  const meter = { steps: 0 };
  const diff = createSchemaDiff(meter);
  diff(schema(5, 'one'), schema(6, 'one'));
  const first = meter.steps;
  diff(schema(5, 'two'), schema(6, 'two'));
  expect(meter.steps - first).toBeLessThan(first / 4);
});

test('DF-22 edits that are harmless where they stand use up no look at the whole, however many they are', () => {
  const version = (maximum: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`p${i}`, { type: 'integer', maximum: maximum + i }]),
    ),
  });
  const codes = createSchemaDiff()(version(5), version(6)).map(({ code }) => code);
  expect(codes).toEqual(Array(60).fill('schema.widened'));
});

test('DF-22 an allOf that doubles forty times below unevaluatedProperties ends within the budget', () => {
  const defs: JsonObject = { d40: { properties: { a: { type: 'integer' } } } };
  for (let i = 0; i < 40; i++) {
    const next = { $ref: `#/$defs/d${i + 1}` };
    defs[`d${i}`] = { allOf: [next, { ...next, maxProperties: 100 + i }] };
  }
  const version = (maximum: number) => ({
    type: 'object',
    $ref: '#/$defs/d0',
    unevaluatedProperties: false,
    $defs: { ...defs, d40: { properties: { a: { type: 'integer', maximum } } } },
  });
  const meter = { steps: 0 };
  const changes = createSchemaDiff(meter)(version(5), version(6));
  expect(meter.steps).toBeLessThanOrEqual(MAX_STEPS.total);
  expect(changes.at(-1)).toMatchObject({ code: 'schema.narrowed', undecided: true });
});

test('DF-21 a grid that leaves the range of numbers is answered, not thrown at', () => {
  const grid = { type: 'number', multipleOf: 1e308, minimum: 1.5e308 };
  const version = (n: JsonObject) => ({ type: 'object', properties: { n } });
  const changes = createSchemaDiff()(version(grid), version({ ...grid, not: { multipleOf: 7 } }));
  expect(changes.map(({ code }) => code)).toEqual(['schema.narrowed']);
});
