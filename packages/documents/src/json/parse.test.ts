import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { canonicalise } from './canonicalise.ts';
import { type ParseOptions, parseJson } from './parse.ts';

interface Case {
  name: string;
  text?: string;
  hex?: string;
  canonical: string;
  findings: object[];
}

const read = (name: string): Case[] =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/json/${name}`, import.meta.url), 'utf8'));

const codes = (input: string | Uint8Array, options?: ParseOptions) => {
  const result = parseJson(input, options);
  return result.ok ? [] : result.findings.map((finding) => finding.code);
};

describe('vectors', () => {
  test.each(read('parse.valid.json'))('CM-14 reads $name', ({ text, canonical }) => {
    const fromText = parseJson(text!);
    const fromBytes = parseJson(Buffer.from(text!));
    expect(isDeepStrictEqual(fromText, { ok: true, value: JSON.parse(text!) })).toBe(true);
    expect(isDeepStrictEqual(fromBytes, fromText)).toBe(true);
    expect(fromText.ok && canonicalise(fromText.value)).toBe(canonical);
  });

  test.each(read('parse.invalid.json'))('CM-14 refuses $name', ({ text, hex, findings }) => {
    const bytes = text === undefined ? Buffer.from(hex!, 'hex') : Buffer.from(text);
    const expected = { ok: false, findings: findings.map((finding) => ({ ...finding, severity: 'error' })) };
    expect(parseJson(bytes)).toStrictEqual(expected);
    if (text !== undefined) expect(parseJson(text)).toStrictEqual(expected);
  });
});

test('CM-14 reads strings of any length alike, whatever stands in them and where', () => {
  for (let before = 0; before < 60; before++) {
    const a = 'a'.repeat(before);
    expect(parseJson(`["${a}\\n${a}😀${a}", 1]`)).toEqual({ ok: true, value: [`${a}\n${a}😀${a}`, 1] });
    expect(codes(`"${a}\n"`)).toEqual(['JSON_SYNTAX']);
    expect(codes(`"${a}\\x"`)).toEqual(['JSON_SYNTAX']);
    expect(codes(`"${a}`)).toEqual(['JSON_SYNTAX']);
    expect(codes(`"${a}\ud800"`)).toEqual(['JSON_LONE_SURROGATE']);
    expect(codes(`{"${a}\\ud800${a}":0}`)).toEqual(['JSON_LONE_SURROGATE']);
  }
});

describe('text that is not Unicode', () => {
  test('CM-14 refuses a lone surrogate that stands in the text itself', () => {
    expect(codes('"\ud800"')).toEqual(['JSON_LONE_SURROGATE']);
    expect(codes('{"\udc00":1}')).toEqual(['JSON_LONE_SURROGATE']);
  });

  test('CM-14 refuses a pair of which one half is in the text and the other an escape', () => {
    expect(codes('"\ud83d\\ude00"')).toEqual(['JSON_LONE_SURROGATE']);
    expect(codes('"\\ud83d\ude00"')).toEqual(['JSON_LONE_SURROGATE']);
  });

  test('CM-14 shows a key that is not Unicode without handing on the lone surrogate', () => {
    const result = parseJson('{"\\ud800":{"a":1,"a":2}}');
    expect(!result.ok && result.findings.map((finding) => finding.path)).toEqual(['', '/\ufffd/a']);
  });

  test('CM-14 refuses a byte-order mark and still reads on', () => {
    expect(codes('\ufeff{}')).toEqual(['JSON_BOM']);
    expect(codes('\ufeff{"a":1,"a":2}')).toEqual(['JSON_BOM', 'JSON_DUPLICATE_KEY']);
  });
});

describe('limits', () => {
  test('CM-7 takes 128 levels and refuses 129, of objects too', () => {
    const nest = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    expect(codes(nest(128))).toEqual([]);
    expect(codes(nest(129))).toEqual(['JSON_TOO_DEEP']);
  });

  test('CM-7 counts levels, not containers', () => {
    expect(codes(`[${Array(1000).fill('[{}]').join(',')}]`, { maxDepth: 3 })).toEqual([]);
    expect(codes('[[[[]]]]', { maxDepth: 3 })).toEqual(['JSON_TOO_DEEP']);
    expect(codes('1', { maxDepth: 0 })).toEqual([]);
    expect(codes('[]', { maxDepth: 0 })).toEqual(['JSON_TOO_DEEP']);
  });

  test('CM-14 reads a text of just the longest length and refuses one more, in bytes as in characters', () => {
    expect(codes('"é"', { maxLength: 3 })).toEqual([]);
    expect(codes(Buffer.from('"é"'), { maxLength: 4 })).toEqual([]);
    expect(parseJson(Buffer.from('"é"'), { maxLength: 3 })).toEqual({
      ok: false,
      findings: [{ code: 'JSON_TOO_LONG', severity: 'error', path: '', params: { length: 4, max: 3 } }],
    });
    expect(codes('x'.repeat(16 * 1024 * 1024 + 1))).toEqual(['JSON_TOO_LONG']);
  });
});

describe('values', () => {
  test('CM-14 keeps minus zero as the text has it', () => {
    const result = parseJson('-0');
    expect(result.ok && Object.is(result.value, -0)).toBe(true);
  });

  test('CM-14 reads bytes that are a window of a larger buffer', () => {
    const bytes = Buffer.from('xx[1]xx').subarray(2, 5);
    expect(parseJson(bytes)).toEqual({ ok: true, value: [1] });
  });

  test('CM-14 counts lines and columns from one', () => {
    const result = parseJson('{\r\n  "é": 1,\n\n  "b": x }');
    expect(!result.ok && result.findings[0]?.params).toEqual({ expected: 'value', found: 'x', line: 4, column: 8 });
  });
});
