import { expect, test } from 'vitest';
import type { Json } from '../json/value.ts';
import { compileCheck } from './evaluate.ts';
import type { Reference, SchemaNode } from './node.ts';
import { readSchema } from './read.ts';

const MAX_STEPS = 1_000_000;

function attack(schema: Json, value: Json, maxSteps = MAX_STEPS) {
  const { root, problems } = readSchema(schema);
  expect(problems).toEqual([]);
  const result = compileCheck(root!)(value, { maxSteps });
  expect(result.steps).toBeLessThanOrEqual(maxSteps + 1);
  return { ...result, codes: result.findings.map(({ code }) => code) };
}

const repeat = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** `levels` definitions, each of which asks the next one twice. */
function doubling(levels: number, keyword: 'allOf' | 'anyOf' | 'oneOf', last: Json): Json {
  const $defs: Record<string, Json> = { [`d${levels}`]: last };
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { [keyword]: [next, { ...next, minLength: level }] };
  }
  return { $ref: '#/$defs/d0', $defs };
}

function nest(depth: number, wrap: (inner: Json) => Json): Json {
  let value: Json = null;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

const FEW_STEPS = 20_000;

test.for(['allOf', 'anyOf', 'oneOf'] as const)('CM-7 %s that doubles 40 times is decided in few steps', (keyword) => {
  const number = doubling(40, keyword, { type: 'number' });
  const text = attack(number, 'x'.repeat(50));
  expect(text.valid).toBe(false);
  expect(text.codes).not.toContain('ARG_TOO_COMPLEX');
  expect(text.steps).toBeLessThan(FEW_STEPS);
  const one = attack(number, 1);
  // For oneOf both branches match, which is one too many, and above that none does.
  expect(one.valid).toBe(keyword !== 'oneOf');
  expect(one.steps).toBeLessThan(FEW_STEPS);
});

test.for(['allOf', 'anyOf'] as const)(
  'CM-7 CM-6 %s that doubles 22 times accepts what is valid, members too',
  (keyword) => {
    const schema = doubling(22, keyword, { properties: { a: { type: 'array', items: { type: 'integer' } } } });
    expect(attack(schema, { a: [1, 2], b: 'x' })).toMatchObject({ valid: true, codes: [] });
    expect(attack(schema, { a: [1, 'x'] }).valid).toBe(false);
  },
);

test('CM-7 doubling through properties instead of in subschema is decided too', () => {
  const $defs: Record<string, Json> = { d20: { type: 'integer' } };
  let value: Json = 7;
  for (let level = 0; level < 20; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { allOf: [{ properties: { n: next } }, { properties: { n: next }, minProperties: 1 }] };
    value = { n: value };
  }
  const result = attack({ $ref: '#/$defs/d0', $defs }, value);
  expect(result.valid).toBe(true);
  expect(result.steps).toBeLessThan(FEW_STEPS);
});

test.for(['allOf', 'anyOf'] as const)('CM-7 doubling of %s under unevaluatedProperties is decided', (keyword) => {
  const schema = { ...(doubling(40, keyword, { properties: { a: true } }) as object), unevaluatedProperties: false };
  expect(attack(schema, { a: 1 })).toMatchObject({ valid: true });
  expect(attack(schema, { a: 1, b: 1 })).toMatchObject({ valid: false, codes: ['ARG_UNKNOWN_PROPERTY'] });
});

test('CM-7 an answer that is remembered brings its marks along, and only where its branch holds', () => {
  const knows = { $ref: '#/$defs/knows' };
  const schema = {
    $defs: {
      ...(doubling(14, 'allOf', { properties: { a: true } }) as { $defs: Record<string, Json> }).$defs,
      knows: { allOf: [{ $ref: '#/$defs/d0' }] },
    },
    // The first branch marks `a` and fails; the second holds and marks it again from memory.
    anyOf: [
      { allOf: [knows, { required: ['missing'] }] },
      { allOf: [knows, { required: ['a'] }] },
      { required: ['b'] },
    ],
    unevaluatedProperties: false,
  };
  expect(attack(schema, { a: 1 }).valid).toBe(true);
  expect(attack(schema, { b: 1 }).valid).toBe(false);
});

test('CM-7 a check that runs out of steps is refused, whatever the schema would say', () => {
  const schema = doubling(40, 'anyOf', { type: 'boolean' });
  expect(attack(schema, true, 30)).toMatchObject({ valid: false, codes: ['ARG_TOO_COMPLEX'] });
});

test('CM-7 exhaustion inside `not` does not turn into consent', () => {
  const schema = doubling(40, 'anyOf', { type: 'boolean' });
  const denied = { $defs: (schema as { $defs: Json }).$defs, not: { $ref: '#/$defs/d0' } };
  expect(attack(denied, 1)).toMatchObject({ valid: true });
  expect(attack(denied, true)).toMatchObject({ valid: false, codes: ['ARG_FORBIDDEN'] });
  expect(attack(denied, 1, 500)).toMatchObject({ valid: false, codes: ['ARG_TOO_COMPLEX'] });
});

test.for<[name: string, schema: Json]>([
  ['a recursive schema', { properties: { next: { $ref: '#' } } }],
  ['a recursive schema that asks twice', { properties: { next: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } }],
  ['recursive unevaluatedProperties', { unevaluatedProperties: { $ref: '#' } }],
  ['enum', { enum: [{}, { next: { next: null } }] }],
])('CM-7 %s over a value 100,000 deep is too deep, not a stack overflow', ([, schema]) => {
  const deep = nest(100_000, (next) => ({ next }));
  expect(attack(schema, deep)).toMatchObject({ valid: false, codes: ['ARG_TOO_DEEP'] });
});

test('CM-7 uniqueItems over values 100,000 deep is too deep, not a stack overflow', () => {
  const deep = nest(100_000, (inner) => [inner]);
  expect(attack({ uniqueItems: true }, [deep, deep]).codes).toEqual(['ARG_TOO_DEEP']);
});

test('CM-7 a value 100 deep is not too deep for a recursive schema', () => {
  const schema = { anyOf: [{ type: 'null' }, { properties: { next: { $ref: '#' } }, unevaluatedProperties: false }] };
  const value = nest(100, (next) => ({ next }));
  expect(attack(schema, value).valid).toBe(true);
});

test('CM-7 what a deep value holds where nothing looks costs nothing', () => {
  const result = attack(
    { properties: { next: { type: 'object' } } },
    nest(100_000, (next) => ({ next })),
  );
  expect(result.valid).toBe(true);
  expect(result.steps).toBeLessThan(20);
});

test('CM-7 a reference loop that consumes nothing ends even if the reader let it through', () => {
  const ref = {} as { -readonly [K in keyof Reference]: Reference[K] };
  const node: SchemaNode = { id: 0, ref };
  ref.target = node;
  expect(compileCheck(node)(1).findings.map(({ code }) => code)).toEqual(['ARG_TOO_DEEP']);
});

test('CM-7 a chain of 10,000 schemas ends without a stack overflow', () => {
  let node: SchemaNode = { id: 0 };
  for (let id = 1; id <= 10_000; id++) node = { id, allOf: [node] };
  expect(compileCheck(node)(1).findings.map(({ code }) => code)).toEqual(['ARG_TOO_DEEP']);
});

test('CM-7 oneOf with 1,000 branches over 10,000 items ends in its budget', () => {
  const oneOf = repeat(1000, (i) => ({ properties: { k: { const: i } }, required: ['k'] }));
  const items = repeat(10_000, (i) => ({ k: i % 1000 }));
  expect(attack({ items: { oneOf: oneOf.slice(0, 600) } }, items).codes).toEqual(['ARG_TOO_COMPLEX']);
  expect(
    attack(
      { items: { oneOf: repeat(1000, (i) => ({ const: i })) } },
      repeat(10_000, () => 7),
    ).codes,
  ).toEqual(['ARG_TOO_COMPLEX']);
});

test('CM-7 a pattern of nested repetition over 10 MB is refused unread', () => {
  const value = `${'a'.repeat(10_000_000)}b`;
  for (const schema of [
    { pattern: '^(a+)+$' },
    { propertyNames: { pattern: '^(a+)+$' } },
    { patternProperties: { '^(a+)+$': true } },
  ]) {
    expect(attack(schema, 'pattern' in schema ? value : { [value]: 1 }).codes).toEqual(['ARG_TOO_COMPLEX']);
  }
});

test('CM-7 a pattern of nested repetition over a short text is decided', () => {
  expect(attack({ pattern: '^(a+)+$' }, `${'a'.repeat(5000)}b`).codes).toEqual(['ARG_PATTERN']);
});

test('CM-7 uniqueItems over 100,000 near-equal values ends in its budget', () => {
  const items = repeat(100_000, (i) => ({ a: { b: { c: [1, 2, 3, { d: i }] } } }));
  expect(attack({ uniqueItems: true }, items).codes).toEqual(['ARG_TOO_COMPLEX']);
});

test('CM-7 uniqueItems takes linear time', () => {
  const steps = (count: number) =>
    attack(
      { uniqueItems: true },
      repeat(count, (i) => [i, 'x']),
    ).steps;
  expect(
    attack(
      { uniqueItems: true },
      repeat(10_000, (i) => [i, 'x']),
    ).valid,
  ).toBe(true);
  expect(steps(10_000)).toBeLessThan(11 * steps(1000));
});

test('CM-7 uniqueItems over long texts charges for their length', () => {
  expect(
    attack(
      { uniqueItems: true },
      repeat(100, (i) => 'x'.repeat(1_000_000) + i),
    ).codes,
  ).toEqual(['ARG_TOO_COMPLEX']);
});

test('CM-7 100,000 keys against 50 patterns end in their budget', () => {
  const value = Object.fromEntries(repeat(100_000, (i) => [`key${i}`, i]));
  const patternProperties = Object.fromEntries(repeat(50, (i) => [`^key${i}[0-9]*z`, true]));
  expect(attack({ patternProperties }, value).codes).toEqual(['ARG_TOO_COMPLEX']);
});

test('CM-7 100,000 unknown keys are a hundred findings within the budget', () => {
  const value = Object.fromEntries(repeat(100_000, (i) => [`key${i}`, i]));
  const result = attack({ additionalProperties: false }, value);
  expect(result.codes).toHaveLength(100);
  expect(result.steps).toBeGreaterThan(100_000);
});

test('CM-7 an enum of thousands of values does not multiply with the items', () => {
  const options = repeat(3000, (i) => ({ a: i, b: ['x', i] }));
  expect(
    attack(
      { items: { enum: options } },
      repeat(3000, (i) => ({ b: ['x', i], a: i })),
    ).valid,
  ).toBe(true);
  expect(
    attack(
      { items: { enum: options } },
      repeat(100_000, (i) => ({ b: ['x', i], a: i })),
    ).valid,
  ).toBe(false);
  expect(attack({ enum: options }, options[2999]!).steps).toBeLessThan(100);
});

test('CM-7 multipleOf of extreme numbers is charged', () => {
  expect(
    attack(
      { items: { multipleOf: 1e-300 } },
      repeat(100_000, () => 1e300),
    ).codes,
  ).toEqual(['ARG_TOO_COMPLEX']);
});

test('CM-7 contains and minLength over long values are charged', () => {
  const rows = repeat(1000, () => repeat(2000, () => 0));
  expect(attack({ items: { contains: { const: 1 }, minContains: 0, maxContains: 5 } }, rows).codes).toEqual([
    'ARG_TOO_COMPLEX',
  ]);
  const text = '😀'.repeat(5_000_000);
  expect(
    attack(
      { items: { minLength: 4_000_000, maxLength: 5_000_000 } },
      repeat(3, () => text),
    ).codes,
  ).toEqual(['ARG_TOO_COMPLEX']);
});

test('CM-7 a regex in an argument is charged for its compilation', () => {
  expect(
    attack(
      { items: { format: 'regex' } },
      repeat(100, () => '(?:a?){900}'),
    ).codes,
  ).toEqual(['ARG_TOO_COMPLEX']);
});

test.for(['uri', 'iri-reference', 'uri-template', 'email', 'idn-email', 'idn-hostname', 'duration', 'date-time'])(
  'CM-7 format %s over 10 MB ends in its budget',
  (format) => {
    for (const text of ['a', '%41', '{a}', '中', '"\\a', '1:', 'xn--', 'P1Y']) {
      const result = attack({ format }, text.repeat(10_000_000 / text.length));
      expect(result.valid).toBe(false);
    }
  },
);

test('CM-7 findings about members with giant names are charged for their paths', () => {
  const name = 'k'.repeat(500_000);
  const value = { [name]: { [name]: Object.fromEntries(repeat(1000, (i) => [`a${i}`, i])) } };
  const closed = { additionalProperties: { additionalProperties: { additionalProperties: false } } };
  const { findings } = attack(closed, value);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.length).toBeLessThan(10);
});

test('CM-7 a smaller budget is kept', () => {
  const schema = { items: { type: 'string' } };
  expect(
    attack(
      schema,
      repeat(100, () => 'a'),
      50,
    ).codes,
  ).toEqual(['ARG_TOO_COMPLEX']);
  expect(
    attack(
      schema,
      repeat(10, () => 'a'),
      50,
    ).valid,
  ).toBe(true);
});

test('CM-7 an invalid value whose reasons do not fit the budget is invalid', () => {
  const items = [...repeat(400, () => 'a'), 1];
  const { codes, valid } = attack({ items: { type: 'string' } }, items, 500);
  expect({ codes, valid }).toEqual({ codes: ['ARG_TOO_COMPLEX'], valid: false });
});
