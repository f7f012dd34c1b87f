import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalise } from './canonicalise.ts';
import { equalJson } from './equal.ts';
import { hashCanonical } from './hash.ts';
import { parseJson } from './parse.ts';
import { decodeUtf8 } from './utf8.ts';
import { isObject, type Json } from './value.ts';

const RUNS = { seed: 8785, numRuns: 2000 };

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toJSON',
    '10',
    '9',
    '01',
    '',
    '"',
    '\\',
    '/',
    '~',
    '\u0000',
    '\u2028',
    '😀',
  ),
);
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 1e21, 1e-7, 5e-324),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6 }),
  ),
}));

/** The same value with every object's keys put in again backwards. */
function turnAround(value: Json): Json {
  if (Array.isArray(value)) return value.map(turnAround);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turnAround(item)]),
  );
}

const accept = (source: string | Uint8Array): Json => {
  const result = parseJson(source);
  if (!result.ok) throw new Error(JSON.stringify(result.findings));
  return result.value;
};

const readsNatively = (source: string): boolean => {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
};

test('CM-16 reading the canonical form gives the value back', () => {
  fc.assert(
    fc.property(json, (value) => {
      const read = accept(canonicalise(value));
      expect(equalJson(read, value)).toBe(true);
      expect(equalJson(value, read)).toBe(true);
    }),
    RUNS,
  );
});

test('CM-16 the canonical form of the canonical form is itself', () => {
  fc.assert(
    fc.property(json, (value) => {
      const canonical = canonicalise(value);
      expect(canonicalise(accept(canonical))).toBe(canonical);
    }),
    RUNS,
  );
});

test('CM-16 the order of keys changes neither form nor hash', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalise(turnAround(value))).toBe(canonicalise(value));
      expect(hashCanonical(turnAround(value))).toBe(hashCanonical(value));
    }),
    RUNS,
  );
});

test('CM-16 two values have one canonical form exactly when they are equal', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(canonicalise(a) === canonicalise(b)).toBe(equalJson(a, b));
    }),
    RUNS,
  );
});

test('CM-14 reads what JSON.parse reads, and the same out of it, from text and bytes', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 1, '\t', '\r\n'), (value, indent) => {
      const source = JSON.stringify(value, null, indent);
      expect(isDeepStrictEqual(accept(source), JSON.parse(source))).toBe(true);
      expect(isDeepStrictEqual(accept(Buffer.from(source)), JSON.parse(source))).toBe(true);
    }),
    RUNS,
  );
});

test('CM-14 finds bad syntax in a damaged text exactly where JSON.parse does', () => {
  const scrap = fc.constantFrom(...'{}[]",:\\/ \n\t\u0000-+.eE0123456789truefalsnd\u00a0x', '\\u', '\\ud800', '1e999');
  const damage = fc.record({ at: fc.nat(), cut: fc.nat(3), put: fc.array(scrap, { maxLength: 3 }) });
  const seen = { good: 0, bad: 0 };
  fc.assert(
    fc.property(
      json,
      fc.constantFrom(0, 1),
      fc.array(damage, { minLength: 1, maxLength: 2 }),
      (value, indent, blows) => {
        let source = JSON.stringify(value, null, indent);
        for (const { at, cut, put } of blows) {
          const place = at % (source.length + 1);
          source = source.slice(0, place) + put.join('') + source.slice(place + cut);
        }
        const result = parseJson(source);
        const bad = !result.ok && result.findings.some((finding) => finding.code === 'JSON_SYNTAX');
        expect(bad).toBe(!readsNatively(source));
        if (result.ok) expect(isDeepStrictEqual(result.value, JSON.parse(source))).toBe(true);
        seen[bad ? 'bad' : 'good']++;
      },
    ),
    { ...RUNS, numRuns: 5000 },
  );
  expect(seen.good).toBeGreaterThan(500);
  expect(seen.bad).toBeGreaterThan(500);
});

test('CM-14 takes bytes for UTF-8 exactly when they survive a decoder that replaces', () => {
  const byte = fc.oneof(
    fc.nat(255),
    fc.constantFrom(0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0x9f, 0xa0),
  );
  const bytes = fc.oneof(
    fc.array(byte, { maxLength: 6 }).map((list) => Uint8Array.from(list)),
    fc
      .tuple(text, fc.array(byte, { maxLength: 3 }))
      .map(([head, tail]) => Buffer.concat([Buffer.from(head), Buffer.from(tail)])),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      const replaced = Buffer.from(input).toString('utf8');
      const valid = Buffer.from(replaced).equals(input);
      const decoded = decodeUtf8(input);
      if (valid) {
        expect(decoded).toBe(replaced);
        return;
      }
      expect(decoded).toBeTypeOf('number');
      const offset = Number(decoded);
      expect(decodeUtf8(input.subarray(0, offset))).toBe(Buffer.from(input.subarray(0, offset)).toString('utf8'));
      for (let end = offset + 1; end <= Math.min(offset + 4, input.length); end++) {
        expect(decodeUtf8(input.subarray(offset, end))).toBe(0);
      }
    }),
    { ...RUNS, numRuns: 5000 },
  );
});
