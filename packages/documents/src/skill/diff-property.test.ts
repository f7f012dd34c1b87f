import { type Schema, Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedDescriptor } from '../../tests/skill-vectors.ts';
import type { Json, JsonObject } from '../json/value.ts';
import type { SkillDescriptor, SkillInput } from './descriptor.ts';
import { diffDescriptors } from './diff.ts';
import { toInputSchema } from './input-schema.ts';

// An independent validator decides: nothing that is called harmless may hurt a caller (SD-7, DF-21).

const valueArb: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>('', 'a', 'ab', 'abc', 'b', 0, 1, 2, 3, -1, 1.5, null, true, false, [], [1], ['a'], {}),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<Json[]>('a', 1, null, true), { maxKeys: 3 }),
);

const leafArb: fc.Arbitrary<JsonObject> = fc.record(
  {
    minLength: fc.nat(2),
    maxLength: fc.integer({ min: 1, max: 3 }),
    minimum: fc.integer({ min: -1, max: 2 }),
    exclusiveMaximum: fc.integer({ min: 1, max: 4 }),
    pattern: fc.constantFrom('^a', 'b$', '.'),
    enum: fc.uniqueArray(fc.constantFrom<Json[]>('a', 'b', 1, 2, null), { minLength: 1, selector: JSON.stringify }),
    required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    maxItems: fc.nat(2),
  },
  { requiredKeys: [] },
);
const schemaArb: fc.Arbitrary<JsonObject> = fc.oneof(
  leafArb,
  fc.record({ anyOf: fc.array(leafArb, { minLength: 1, maxLength: 2 }) }),
  fc.record({ not: leafArb }),
  fc.record({
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), leafArb, { noNullPrototype: true }),
    additionalProperties: fc.boolean(),
  }),
);
const typeArb = fc.constantFrom<SkillInput['type'][]>('string', 'integer', 'number', 'object', 'array', 'boolean');
const inputArb = (name: string): fc.Arbitrary<SkillInput> =>
  fc.record({
    name: fc.constant(name),
    type: typeArb,
    description: fc.constant(''),
    required: fc.boolean(),
    schema: schemaArb,
  });
const inputsArb = fc.subarray(['p', 'q', 'r']).chain((names) => fc.tuple(...names.map(inputArb)));

/** The second version: mostly the first with one thing changed. */
const pairArb = inputsArb.chain((before) =>
  fc.tuple(
    fc.constant(before),
    fc.oneof(
      inputsArb,
      fc
        .tuple(fc.nat(), schemaArb)
        .map(([at, schema]) => before.map((input, i) => (i === at % 3 ? { ...input, schema } : input))),
      fc.nat().map((at) => before.map((input, i) => (i === at % 3 ? { ...input, required: !input.required } : input))),
      fc
        .tuple(fc.nat(), typeArb)
        .map(([at, type]) => before.map((input, i) => (i === at % 3 ? { ...input, type } : input))),
    ),
  ),
);

const withInputs = (inputs: SkillInput[], version: string): SkillDescriptor => ({
  ...seedDescriptor(),
  version,
  inputs,
});
const accepts = (schema: JsonObject | boolean, value: unknown) =>
  new Validator(schema as Schema, '2020-12').validate(value).valid;

describe('SD-7 soundness', () => {
  it('inputs that were accepted are accepted after a change that is not breaking', () => {
    let silent = 0;
    fc.assert(
      fc.property(
        pairArb,
        fc.array(fc.dictionary(fc.constantFrom('p', 'q', 'r'), valueArb), { maxLength: 30 }),
        (pair, values) => {
          const [before, after] = pair;
          const { breaking } = diffDescriptors(withInputs(before, '1.0.0'), withInputs(after, '1.1.0'));
          if (breaking) return;
          silent++;
          const [old, now] = [toInputSchema(before), toInputSchema(after)];
          for (const value of values) {
            const given = { ...value };
            if (accepts(old, given)) expect(accepts(now, given)).toBe(true);
          }
        },
      ),
      { numRuns: 1_500 },
    );
    expect(silent).toBeGreaterThan(100);
  });

  it('what a new version may answer, the old version allowed, unless the change is breaking', () => {
    let silent = 0;
    fc.assert(
      fc.property(
        schemaArb,
        schemaArb,
        fc.boolean(),
        fc.array(valueArb, { maxLength: 30 }),
        (one, two, both, values) => {
          const before = { ...seedDescriptor(), output: { content_type: 'application/json', schema: one } };
          const narrower = both ? { allOf: [one, two] } : two;
          const after = {
            ...seedDescriptor(),
            version: '2.2.0',
            output: { content_type: 'application/json', schema: narrower },
          };
          if (diffDescriptors(before, after).breaking) return;
          silent++;
          for (const value of values) if (accepts(narrower, value)) expect(accepts(one, value)).toBe(true);
        },
      ),
      { numRuns: 1_500 },
    );
    expect(silent).toBeGreaterThan(100);
  });

  it('every example of a narrowed input is one: accepted before, refused now', () => {
    let shown = 0;
    fc.assert(
      fc.property(pairArb, ([before, after]) => {
        for (const { code, input, witness } of diffDescriptors(withInputs(before, '1.0.0'), withInputs(after, '1.1.0'))
          .changes) {
          if (code !== 'input.narrowed') continue;
          shown++;
          const only = (inputs: SkillInput[]) => {
            const { type, schema } = inputs.find(({ name }) => name === input)!;
            return accepts({ type }, witness) && accepts(schema!, witness);
          };
          expect([only(before), only(after)]).toEqual([true, false]);
        }
      }),
      { numRuns: 500 },
    );
    expect(shown).toBeGreaterThan(50);
  });
});
