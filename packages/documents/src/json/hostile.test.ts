import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalise } from './canonicalise.ts';
import { hashCanonical } from './hash.ts';
import { type ParseOptions, parseJson } from './parse.ts';
import type { Json } from './value.ts';

const MEGABYTE = 1_000_000;

const accept = (text: string): Json => {
  const result = parseJson(text);
  if (!result.ok) throw new Error(JSON.stringify(result.findings[0]));
  return result.value;
};

const refuse = (text: string, options?: ParseOptions) => {
  const result = parseJson(text, options);
  return result.ok ? [] : result.findings;
};

test('CM-7 depth bomb: a million open brackets stop at the 129th', () => {
  const findings = refuse('['.repeat(MEGABYTE));
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ code: 'JSON_TOO_DEEP', params: { max: 128, line: 1, column: 129 } });
});

test('CM-7 depth bomb: a caller who allows any depth gets a finding, not a stack overflow', () => {
  const findings = refuse('[{"a":'.repeat(MEGABYTE / 10), { maxDepth: MEGABYTE });
  expect(findings).toMatchObject([{ code: 'JSON_SYNTAX', params: { expected: 'value', found: 'end' } }]);
});

test('CM-7 depth bomb: a value built in code, or in a circle, is refused by the canonical form', () => {
  let deep: Json = [];
  for (let level = 1; level < 100_000; level++) deep = [deep];
  const circle: Record<string, Json> = {};
  circle.self = circle;
  expect(() => canonicalise(deep)).toThrow(/1000 levels, or a cycle, at "\/0\/0/);
  expect(() => canonicalise(circle)).toThrow(/1000 levels, or a cycle, at "\/self\/self/);
});

test('CM-14 key bomb: 100,000 keys are read, and 100,000 duplicates are 100 findings', () => {
  const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`);
  expect(Object.keys(accept(`{${members.join(',')}}`) as object)).toHaveLength(100_000);
  const findings = refuse(`{${members.map(() => '"k":0').join(',')}}`);
  expect(findings).toHaveLength(100);
  expect(new Set(findings.map((finding) => finding.code))).toEqual(new Set(['JSON_DUPLICATE_KEY']));
});

test('CM-16 key bomb: more keys than the canonical form remembers are still written right', () => {
  const keys = Array.from({ length: 5000 }, (_, index) => `key ${(index * 7919) % 5000}`);
  const text = canonicalise(Object.fromEntries(keys.map((key) => [key, { [key]: 0 }])));
  const sorted = [...keys].sort().map((key) => `"${key}":{"${key}":0}`);
  expect(text).toBe(`{${sorted.join(',')}}`);
});

test('CM-14 a string of 10 MB is read, hashed and never echoed', () => {
  const long = 'a'.repeat(10 * MEGABYTE);
  const value = accept(`{"a":"${long}"}`);
  expect(hashCanonical(value)).toBe(createHash('sha256').update(`{"a":"${long}"}`).digest('hex'));
  expect(JSON.stringify(refuse(`["${long}`)).length).toBeLessThan(500);
});

test('CM-14 a key of 10 MB given twice makes a short finding', () => {
  const long = 'a'.repeat(5 * MEGABYTE);
  const findings = refuse(`{"${long}":1,"${long}":{"b":1,"b":2}}`);
  expect(findings.map((finding) => finding.code)).toEqual(['JSON_DUPLICATE_KEY', 'JSON_DUPLICATE_KEY']);
  expect(JSON.stringify(findings).length).toBeLessThan(2000);
});

test('CM-16 a key of 10 MB over a value without canonical form makes a short error', () => {
  const value = { ['a'.repeat(10 * MEGABYTE)]: Number.NaN };
  expect(() => canonicalise(value)).toThrow(/^canonicalise: .{1,300}$/);
});

test('CM-14 __proto__ as a key is data and touches no prototype', () => {
  const value = accept('{"__proto__":{"admin":true},"a":{"__proto__":null}}') as Record<string, object>;
  expect(Object.keys(value)).toEqual(['__proto__', 'a']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).admin).toBeUndefined();
});

test('CM-16 __proto__ as a key is covered by the hash', () => {
  const plain = hashCanonical(accept('{"a":1}'));
  const smuggled = hashCanonical(accept('{"a":1,"__proto__":{"a":2}}'));
  const other = hashCanonical(accept('{"a":1,"__proto__":{"a":3}}'));
  expect(new Set([plain, smuggled, other]).size).toBe(3);
});
