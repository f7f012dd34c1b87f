import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { checkValidity, patched, readVectors, seedDescriptor, type ValidityCase } from '../../tests/skill-vectors.ts';
import { canonicalise } from '../json/canonicalise.ts';
import { DESCRIPTOR_SCHEMA } from './descriptor.ts';
import { parseDescriptor } from './parse.ts';
import { validateDescriptor } from './validate.ts';
import { translateViolation } from './violation.ts';

const FILES = [
  'sd-1-fields.json',
  'sd-2-endpoint.json',
  'sd-3-inputs-output-auth.json',
  'sd-4-access.json',
  'sd-5-everything-at-once.json',
];

const casesOf = (index: number) => readVectors<{ cases: ValidityCase[] }>(FILES[index]!).cases;

describe('SD-1 vectors', () => {
  it.each(casesOf(0))('$name', checkValidity);
});

describe('SD-2 vectors', () => {
  it.each(casesOf(1))('$name', checkValidity);
});

describe('SD-3 vectors', () => {
  it.each(casesOf(2))('$name', checkValidity);
});

describe('SD-4 vectors', () => {
  it.each(casesOf(3))('$name', checkValidity);
});

describe('SD-5 vectors', () => {
  it.each(casesOf(4))('$name', checkValidity);
});

describe('SD-1 a descriptor', () => {
  it('comes back untouched, without defaults', () => {
    const value = seedDescriptor();
    const before = canonicalise(value as never);
    const { descriptor } = validateDescriptor(value);
    expect(descriptor).toBe(value);
    expect(canonicalise(value as never)).toBe(before);
  });

  it.each([null, [], 'text', 5, undefined, new Map()])('is not %j', (value) => {
    const { valid, violations } = validateDescriptor(value);
    expect(valid).toBe(false);
    expect(violations.length).toBeGreaterThan(0);
  });

  it('takes no field from the prototype', () => {
    expect(validateDescriptor(Object.create(seedDescriptor())).valid).toBe(false);
  });

  it('is what the published schema accepts, by a validator that is not ours', () => {
    const published = JSON.parse(
      JSON.stringify(DESCRIPTOR_SCHEMA, (key, value) => (key === 'allOf' ? undefined : value)),
    );
    const validator = new Validator(published, '2020-12', false);
    expect(validator.validate(seedDescriptor()).valid).toBe(true);
    for (const { patch, violations } of readVectors<{ cases: ValidityCase[] }>('sd-1-fields.json').cases) {
      if (violations.length === 0) expect(validator.validate(patched(patch)).valid).toBe(true);
      else if (violations.every(({ code }) => code === 'FIELD_MISSING' || code === 'FIELD_TYPE')) {
        expect(validator.validate(patched(patch)).valid).toBe(false);
      }
    }
  });
});

describe('SD-5 a violation', () => {
  it('says where, what was expected, what was found, and tells it in both languages', () => {
    const [violation] = validateDescriptor(patched([{ op: 'add', path: '/access', value: 'open' }])).violations;
    expect(violation).toEqual({
      code: 'VALUE_NOT_LISTED',
      field: '/access',
      expected: '"public" | "restricted" | "private"',
      actual: '"open"',
      message: 'This must be one of "public" | "restricted" | "private".',
      params: { expected: '"public" | "restricted" | "private"', actual: '"open"' },
    });
    const chinese = '此处须为 "public" | "restricted" | "private" 之一。';
    expect(translateViolation(violation!, 'zh-CN').message).toBe(chinese);
    const direct = validateDescriptor(patched([{ op: 'add', path: '/access', value: 'open' }]), { locale: 'zh-CN' });
    expect(direct.violations[0]!.message).toBe(chinese);
  });

  it.each(FILES)('of %s has a sentence, expected and actual in every language', (file) => {
    for (const { patch, development = false } of readVectors<{ cases: ValidityCase[] }>(file).cases) {
      for (const locale of ['en', 'zh-CN'] as const) {
        const { violations, warnings } = validateDescriptor(patched(patch), { development, locale });
        for (const { message, expected, actual } of [...violations, ...warnings]) {
          expect(message).not.toMatch(/undefined|\{(?!execution_id)\w+\}/);
          expect([typeof expected, typeof actual]).toEqual(['string', 'string']);
          if (locale === 'zh-CN') expect(message).toMatch(/\p{Script=Han}/u);
        }
      }
    }
  });

  it('about the text itself has the same form', () => {
    const text = '{"id": 1, "id": 2}';
    const result = parseDescriptor(text);
    expect(result.ok ? [] : result.violations.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'JSON_DUPLICATE_KEY /id',
    ]);
    expect(parseDescriptor('{')).toMatchObject({ ok: false, violations: [{ code: 'JSON_SYNTAX' }] });
    expect(parseDescriptor(JSON.stringify(seedDescriptor()))).toMatchObject({ ok: true });
  });
});

describe('SD-5 attack: a descriptor made to hurt its reader', () => {
  it('too large', () => {
    const { violations } = validateDescriptor({ ...seedDescriptor(), 'x-pad': 'a'.repeat(131_072) });
    expect(violations.map(({ code, field }) => [code, field])).toEqual([['DESCRIPTOR_TOO_LARGE', '']]);
    const text = parseDescriptor('"'.padEnd(2_000_000, 'a'));
    expect(text).toMatchObject({ ok: false, violations: [{ code: 'DESCRIPTOR_TOO_LARGE' }] });
  });

  it('too deep', () => {
    let deep: unknown = [];
    for (let level = 0; level < 10_000; level++) deep = [deep];
    const codes = validateDescriptor({ ...seedDescriptor(), 'x-deep': deep }).violations.map(({ code }) => code);
    expect(codes).toEqual(['DESCRIPTOR_TOO_DEEP']);
  });

  it('a schema that doubles at every level, a pattern that backtracks, both in a default', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } };
    for (let n = 1; n <= 30; n++)
      $defs[`d${n}`] = { allOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] };
    const input = {
      name: 'a',
      type: 'string',
      description: '',
      required: false,
      default: 'aaaaaaaaaaaaaaaaaaaaaaaaaa!',
    };
    const inputs = [
      { ...input, schema: { $ref: '#/$defs/d30', $defs } },
      { ...input, name: 'b', schema: { pattern: '^(a+)+$' } },
    ];
    const { violations } = validateDescriptor({ ...seedDescriptor(), inputs });
    expect(violations.map(({ field }) => field)).toContain('/inputs/1/default');
  });

  it('thirty inputs that are each within the limits of a schema, but not together', () => {
    const schema = { allOf: Array(100).fill(true) };
    const inputs = Array.from({ length: 30 }, (_, n) => ({
      name: `a${n}`,
      type: 'string',
      description: '',
      required: false,
      schema,
    }));
    const { violations } = validateDescriptor({ ...seedDescriptor(), inputs });
    expect(violations).toMatchObject([{ code: 'SCHEMA_UNSAFE', field: '/inputs' }]);
  });

  it('hidden characters and line breaks do not reach the message', () => {
    const { violations } = validateDescriptor({ ...seedDescriptor(), access: '\u202e\u001b[31m\nfine' });
    for (const character of '\u202e\u001b\n') expect(violations[0]!.actual).not.toContain(character);
  });
});
