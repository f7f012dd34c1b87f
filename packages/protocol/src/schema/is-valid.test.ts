import type { TSchema } from 'typebox';
import * as Typebox from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { EVENTS } from '../events.ts';
import { CLIENT_FRAMES, SERVER_FRAMES } from '../frames.ts';
import { PAYLOADS } from '../payload.ts';
import type { RouteContract } from '../route.ts';
import { ROUTES } from '../routes/index.ts';
import { WebhookEnvelope } from '../webhook.ts';
import { isValid } from './is-valid.ts';
import * as Type from './type.ts';

type Value = Record<string, unknown>;

const OURS: readonly TSchema[] = [
  ...(Object.values(ROUTES) as RouteContract[]).flatMap(({ params, query, body, reply, event }) =>
    [params, query, body, reply, event].filter((schema) => schema !== undefined),
  ),
  ...[CLIENT_FRAMES, SERVER_FRAMES, EVENTS].flatMap((table) => Object.values(table)),
  ...Object.values(PAYLOADS).map(({ schema }) => schema),
  WebhookEnvelope,
];

const ID = '123e4567-e89b-42d3-a456-426614174000';
const TIME = '2026-01-01T00:00:00.000Z';
const base64 = (length: number) => 'A'.repeat(length);
const TEXTS = [ID, TIME, ...[1, 8, 16, 22, 43, 64, 80, 86, 128].map(base64), 'a', 'a-b', '1.0.0', 'a/b', 'image/png'];
const OTHERS = [
  '',
  'a\n',
  '😀'.repeat(129),
  '\ud800',
  'x'.repeat(2_001),
  -1,
  0,
  0.5,
  2 ** 53,
  NaN,
  null,
  true,
  [],
  {},
  [[]],
];

/** A value that fits, as far as the texts above do. */
function sample(schema: Value, isFull: boolean): unknown {
  if ('const' in schema) return schema.const;
  const options = (schema.enum ?? schema.anyOf ?? schema.allOf) as Value[] | undefined;
  if (schema.enum !== undefined) return options![0];
  if (schema.allOf !== undefined) return Object.assign({}, ...options!.map((part) => sample(part, isFull)));
  if (options !== undefined && schema.type === undefined) return sample(options.at(isFull ? 0 : -1)!, isFull);
  if (schema.type === 'object') return sampleObject(schema, isFull);
  if (schema.type === 'array') {
    return isFull || schema.minItems !== undefined ? [sample(schema.items as Value, isFull)] : [];
  }
  if (schema.type === 'string') {
    const pattern = new RegExp((schema.pattern as string | undefined) ?? '', 'u');
    return TEXTS.find((text) => pattern.test(text) && text.length <= ((schema.maxLength as number) ?? 1e9)) ?? 'a';
  }
  return { null: null, boolean: true, integer: schema.minimum ?? 1, number: 0.5 }[schema.type as string] ?? 1;
}

function sampleObject({ properties = {}, required = [], patternProperties = {} }: Value, isFull: boolean): Value {
  const fields = Object.entries(properties as Record<string, Value>).filter(
    ([name]) => isFull || (required as string[]).includes(name),
  );
  const named = Object.entries(patternProperties as Record<string, Value>).map(([pattern, schema]) => {
    return [TEXTS.find((text) => new RegExp(pattern, 'u').test(text)) ?? 'a', schema] as const;
  });
  return Object.fromEntries([...fields, ...(isFull ? named : [])].map(([name, at]) => [name, sample(at, isFull)]));
}

/** The value with one thing changed, at every place. */
function* changes(value: unknown): Generator<unknown> {
  yield* OTHERS;
  if (typeof value === 'string') yield* [`${value}\n`, `${value}!`, value.slice(1)];
  if (typeof value === 'number') yield* [value + 1, -value, value + 0.5, String(value)];
  if (Array.isArray(value)) {
    yield* [[...value, ...value], new Array(1_100).fill(value[0] ?? 'a')];
    for (const changed of value.length > 0 ? changes(value[0]) : []) yield [changed, ...value.slice(1)];
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Value;
    yield* [{ ...fields, unexpected: 1 }, { ...fields, 'line\nbreak': {} }, Object.values(fields)];
    for (const name of Object.keys(fields)) {
      const { [name]: field, ...rest } = fields;
      yield* [rest, Object.create(fields)];
      for (const changed of changes(field)) yield { ...rest, [name]: changed };
    }
  }
}

/** JSON only: what has no such form comes from no wire. */
const toJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('our own schemas', () => {
  test('PK-5 are checked as typebox’s generated code checks them', () => {
    let accepted = 0;
    let refused = 0;
    let met = 0;
    for (const schema of OURS) {
      const judge = Compile(schema);
      const samples = [true, false].map((isFull) => sample(schema as Value, isFull));
      if (samples.some((value) => judge.Check(value))) met++;
      for (const value of [...samples, ...samples.flatMap((one) => [...changes(one)].map(toJson))]) {
        const expected = judge.Check(value);
        if (expected) accepted++;
        else refused++;
        if (isValid(schema, value) !== expected) expect({ schema, value }).toEqual(expected);
      }
    }
    expect(met).toBeGreaterThan(OURS.length * 0.8);
    expect(Math.min(accepted, refused)).toBeGreaterThan(5_000);
  });

  test('PK-5 are the schemas that typebox makes', () => {
    const make = (type: typeof Type | typeof Typebox) => {
      const {
        Array: list,
        Boolean: bool,
        Literal,
        Null,
        Object: object,
        Optional,
        Record: record,
        String: text,
      } = type;
      return object(
        {
          one: Optional(text({ minLength: 1, description: 'x' })),
          two: type.Union([Literal('a'), Literal(1), Null()], { description: 'y' }),
          three: list(type.Enum(['a', 'b'] as const), { maxItems: 3 }),
          four: record(text(), type.Unknown()),
          five: record(text({ pattern: '^a' }), type.Integer({ minimum: 1 }), { additionalProperties: false }),
          six: type.Intersect([object({ a: bool() }), object({})]),
          seven: type.Unsafe<1>(type.Number({ maximum: 2 })),
        },
        { additionalProperties: false },
      );
    };
    expect(JSON.stringify(make(Type))).toBe(JSON.stringify(make(Typebox)));
  });
});

describe('checks', () => {
  test('PK-5 count code points, as JSON Schema does', () => {
    const schema = Type.String({ minLength: 2, maxLength: 3 });
    for (const [text, fits] of [
      ['a', false],
      ['😀', false],
      ['😀a', true],
      ['😀😀😀', true],
      ['😀😀😀a', false],
      ['abcd', false],
    ] as const) {
      expect([text, isValid(schema, text)]).toEqual([text, fits]);
    }
  });

  test('PK-5 take nothing from a prototype, and undefined for absent', () => {
    const schema = Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }, { additionalProperties: false });
    expect(isValid(schema, Object.create({ a: 'x' }))).toBe(false);
    expect(isValid(schema, { a: 'x', b: undefined })).toBe(true);
    expect(isValid(schema, { a: undefined })).toBe(false);
    expect(isValid(schema, JSON.parse('{"a":"x","__proto__":{}}'))).toBe(false);
    expect(isValid(Type.Object({ toString: Type.Unknown() }), {})).toBe(false);
  });

  test.each([
    { type: 'string', format: 'email' },
    { type: 'text' },
    { $ref: '#' },
    { type: 'object', additionalProperties: false },
    { type: 'array', items: {}, uniqueItems: true },
    { type: 'object', properties: {}, patternProperties: { a: {} } },
  ])('PK-5 refuse to prepare what they would not check: %j', (schema) => {
    expect(() => isValid(Type.Unsafe<unknown>(schema), 'x')).toThrow(TypeError);
  });
});
