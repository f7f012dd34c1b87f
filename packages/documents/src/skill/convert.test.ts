import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedDescriptor } from '../../tests/skill-vectors.ts';
import type { JsonObject } from '../json/value.ts';
import { compileCheck } from '../schema/evaluate.ts';
import { readSchema } from '../schema/read.ts';
import type { SkillInput } from './descriptor.ts';
import { toInputs } from './from-schema.ts';
import { toInputSchema } from './input-schema.ts';

const inputsOf = (schema: JsonObject) => {
  const found = toInputs(schema);
  if (!found.ok) throw new Error('not readable');
  return found;
};

const base = { description: '', required: false } as const;
const schemaArb: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject[]>(
  {},
  { minLength: 1, maxLength: 3 },
  { enum: ['a', 1, null, true] },
  { type: ['string', 'integer'] },
  { description: 'again', pattern: '^a' },
  { $ref: '#/$defs/a', $defs: { a: { minimum: 3, maxLength: 2 } } },
  { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false },
  { items: { $ref: '#/$defs/a~1b' }, $defs: { 'a/b': { type: 'string' } } },
  { const: { $ref: '#/nowhere' } },
  { default: 5, multipleOf: 2 },
);
const inputArb = fc.record({
  type: fc.constantFrom<SkillInput['type'][]>('string', 'number', 'integer', 'boolean', 'object', 'array', 'null'),
  description: fc.constantFrom('', 'What to put there'),
  required: fc.boolean(),
  schema: fc.option(schemaArb, { nil: undefined }),
});
const inputsArb: fc.Arbitrary<SkillInput[]> = fc
  .uniqueArray(fc.constantFrom('a', 'b/c', 'd~e', '__proto__', '文本', 'toString', '$ref'), { maxLength: 4 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) => inputArb.map(({ schema, ...rest }) => ({ name, ...rest, ...(schema && { schema }) }))),
    ),
  );

describe('SD-3 inputs as one closed schema', () => {
  it('of the seed', () => {
    expect(toInputSchema(seedDescriptor().inputs)).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', description: '要翻译的文本', minLength: 1, maxLength: 10000 },
        target_language: { type: 'string', description: '目标语言代码(ISO 639-1)' },
        source_language: { type: 'string', description: '源语言代码(留空则自动检测)', default: 'auto' },
      },
      required: ['text', 'target_language'],
      additionalProperties: false,
    });
  });

  it('keeps references of two inputs apart, and drops anchors', () => {
    const schema = { $ref: '#here', $defs: { a: { $anchor: 'here', maxLength: 1 } } };
    const whole = toInputSchema([
      { ...base, name: 'a', type: 'string', schema },
      { ...base, name: 'b/c', type: 'string', schema: { ...schema, $defs: { a: { $anchor: 'here', maxLength: 2 } } } },
    ]);
    const check = compileCheck(readSchema(whole).root!);
    expect(check({ a: 'x', 'b/c': 'xx' }).valid).toBe(true);
    expect(check({ a: 'xx', 'b/c': 'x' }).valid).toBe(false);
    expect(new Validator(whole as never, '2020-12').validate({ a: 'x', 'b/c': 'xxx' }).valid).toBe(false);
  });

  it('and back again are the same inputs', () => {
    fc.assert(
      fc.property(inputsArb, (inputs) => {
        const { inputs: back, losses } = inputsOf(toInputSchema(inputs));
        // An empty schema says nothing.
        const plain = inputs.map(({ schema, ...input }) =>
          schema === undefined || Object.keys(schema).length === 0 ? input : { ...input, schema },
        );
        expect(back).toEqual(plain);
        expect(losses).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('accept exactly what every input accepts, by a validator that is not ours', () => {
    const valueArb = fc.constantFrom<unknown[]>(
      '',
      'a',
      'abcd',
      1,
      2.5,
      4,
      null,
      true,
      {},
      { next: {} },
      [],
      ['a'],
      [1],
    );
    fc.assert(
      fc.property(
        inputsArb.filter((inputs) => inputs.every(({ name }) => name !== '__proto__')),
        fc.array(valueArb, { minLength: 4, maxLength: 4 }),
        (inputs, values) => {
          const given = Object.fromEntries(inputs.map(({ name }, index) => [name, values[index]]));
          const whole = new Validator(toInputSchema(inputs) as never, '2020-12').validate(given).valid;
          const each = inputs.every(({ name, type, schema = {} }) => {
            const fits = (one: object) => new Validator(one as never, '2020-12').validate(given[name]).valid;
            return fits({ type }) && fits(schema);
          });
          expect(whole).toBe(each);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('SD-3 a schema as inputs', () => {
  it('takes shared definitions along, also those that definitions need', () => {
    const { inputs, losses } = inputsOf({
      type: 'object',
      properties: { a: { $ref: '#/$defs/one', description: 'A' } },
      additionalProperties: false,
      $defs: {
        one: { type: 'object', properties: { two: { $ref: '#/$defs/two' } } },
        two: { type: 'integer' },
        no: {},
      },
    });
    expect(losses).toEqual([]);
    expect(inputs).toEqual([
      {
        name: 'a',
        type: 'object',
        description: 'A',
        required: false,
        schema: {
          $ref: '#/$defs/one',
          $defs: { one: { type: 'object', properties: { two: { $ref: '#/$defs/two' } } }, two: { type: 'integer' } },
        },
      },
    ]);
  });

  it('says what is lost: several types, keywords of the whole, openness, references between inputs', () => {
    const { inputs, losses } = inputsOf({
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
        b: { type: ['integer', 'string'] },
        c: { $ref: '#/properties/a' },
      },
      required: ['d'],
      dependentRequired: { a: ['b'] },
    });
    expect(inputs.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['a', 'string', false],
      ['b', 'integer', false],
      ['c', 'string', false],
      ['d', 'string', true],
    ]);
    expect(inputs[0]).not.toHaveProperty('default');
    expect(losses).toEqual(
      expect.arrayContaining([
        { path: '/dependentRequired', reason: 'keyword' },
        { path: '/additionalProperties', reason: 'open' },
        { path: '/properties/a', reason: 'type' },
        { path: '/properties/b', reason: 'type' },
        { path: '/properties/c', reason: 'reference' },
        { path: '/properties/d', reason: 'type' },
      ]),
    );
  });

  it('is refused where it is not safe', () => {
    expect(toInputs({ type: 'object', properties: { a: { $ref: 'https://example.com/' } } })).toMatchObject({
      ok: false,
      problems: [{ code: 'SCHEMA_UNSAFE' }],
    });
  });
});
