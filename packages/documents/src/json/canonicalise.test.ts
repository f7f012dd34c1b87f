import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { canonicalise } from './canonicalise.ts';
import { hashCanonical } from './hash.ts';
import type { Json } from './value.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/json/${name}`, import.meta.url), 'utf8'));

const documents: { name: string; input: string; canonical: string; utf8: string; sha256: string }[] =
  read('canonical.valid.json');
const { numbers }: { numbers: { ieee754: string; canonical: string | null }[] } = read('numbers.json');

/** What no caller that keeps to the types can pass. */
const misuse = (value: unknown) => () => canonicalise(value as Json);

describe('vectors', () => {
  test.each(documents)('CM-16 writes $name', ({ input, canonical, utf8, sha256 }) => {
    const value: Json = JSON.parse(input);
    expect(canonicalise(value)).toBe(canonical);
    expect(Buffer.from(canonicalise(value)).toString('hex')).toBe(utf8);
    expect(hashCanonical(value)).toBe(sha256);
  });

  test.each(numbers)('CM-16 writes the number $ieee754 as RFC 8785 appendix B does', ({ ieee754, canonical }) => {
    const number = Buffer.from(ieee754, 'hex').readDoubleBE();
    if (canonical === null) expect(misuse(number)).toThrow('a number that is not finite');
    else expect(canonicalise(number)).toBe(canonical);
  });
});

describe('what has no canonical form', () => {
  const sparse = [1, 2, 3];
  delete sparse[1];

  test.each([
    ['undefined', { a: { b: undefined } }, 'undefined at "/a/b"'],
    ['a hole in an array', [sparse], 'undefined at "/0/1"'],
    ['a function', { 'a/b': [() => 1] }, 'function at "/a~1b/0"'],
    ['a bigint', [1n], 'bigint at "/0"'],
    ['a symbol', { '~': Symbol('secret') }, 'symbol at "/~0"'],
    ['NaN', [[0, Number.NaN]], 'a number that is not finite at "/0/1"'],
    ['Infinity', -Number.POSITIVE_INFINITY, 'a number that is not finite at ""'],
    ['a lone high surrogate', ['secret\ud800'], 'a lone surrogate at "/0"'],
    ['a lone low surrogate', { a: '\udc00secret' }, 'a lone surrogate at "/a"'],
    ['surrogates the wrong way round', ['\ude00\ud83d'], 'a lone surrogate at "/0"'],
    ['a lone surrogate in a key', { a: { b: 1, '\ud800secret': 1 } }, 'a lone surrogate in a key at "/a"'],
    ['a lone surrogate in a first key', { '\ud800secret': 1 }, 'a lone surrogate in a key at ""'],
    ['a date', [new Date(0)], 'an object that is neither plain nor an array at "/0"'],
    ['a map', { a: new Map([['secret', 1]]) }, 'an object that is neither plain nor an array at "/a"'],
    ['a boxed number', [new Number(1)], 'an object that is neither plain nor an array at "/0"'],
  ])('CM-16 refuses %s, says where and does not echo it', (_, value, words) => {
    expect(misuse(value)).toThrow(TypeError);
    expect(misuse(value)).toThrow(words);
    expect(misuse(value)).not.toThrow(/secret/);
  });

  test('CM-16 takes 1000 levels and refuses 1001', () => {
    const nest = (levels: number): Json => (levels === 0 ? 0 : [nest(levels - 1)]);
    expect(canonicalise(nest(1000))).toHaveLength(2001);
    expect(misuse(nest(1001))).toThrow('more than 1000 levels');
  });
});

describe('what counts as the document', () => {
  test('CM-16 never calls toJSON', () => {
    const silent = Object.defineProperty({ a: 1 }, 'toJSON', { value: () => 'forged' });
    expect(canonicalise(silent)).toBe('{"a":1}');
    expect(misuse({ toJSON: () => 'forged' })).toThrow('function at "/toJSON"');
  });

  test('CM-16 writes own enumerable string keys and no others', () => {
    const object = Object.defineProperty({ b: 1, [Symbol('s')]: 2 }, 'hidden', { value: 3 });
    expect(canonicalise(object)).toBe('{"b":1}');
    expect(canonicalise(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });

  test('CM-16 takes objects of another realm, such as a frame', () => {
    expect(canonicalise(runInNewContext('({ b: [{}], a: 1 })'))).toBe('{"a":1,"b":[{}]}');
  });

  test('CM-16 writes a value met twice twice: that is no cycle', () => {
    const shared = { x: 1 };
    expect(canonicalise([shared, shared])).toBe('[{"x":1},{"x":1}]');
  });

  test('CM-16 writes long strings as short ones, also where a pair or an escape meets an edge of the buffer', () => {
    for (let length = 4090; length < 4100; length++) {
      for (const special of ['😀', '\u0000', '"', '\\', 'é', '€', '\n']) {
        const text = 'a'.repeat(length) + special.repeat(5000);
        expect(canonicalise({ [text]: text })).toBe(`{${JSON.stringify(text)}:${JSON.stringify(text)}}`);
      }
    }
  });

  test('CM-16 writes one value while it writes another', () => {
    const inner = { b: 'x'.repeat(5000), a: 1 };
    const outer = Object.defineProperty({ z: 'after' }, 'y', { enumerable: true, get: () => hashCanonical(inner) });
    expect(canonicalise(outer)).toBe(`{"y":"${hashCanonical(inner)}","z":"after"}`);
  });

  test('CM-16 starts afresh after a value it refused', () => {
    expect(misuse(['left over', Number.NaN])).toThrow(TypeError);
    expect(canonicalise([1])).toBe('[1]');
  });

  test('CM-16 sorts objects of many keys as it sorts those of few', () => {
    for (const size of [23, 24, 25, 26, 300]) {
      const keys = Array.from(
        { length: size },
        (_, index) => `${['', 'é', '€', '😀'][index % 4]}${(index * 31) % size}`,
      );
      const text = canonicalise(Object.fromEntries(keys.map((key) => [key, null])));
      expect(text).toBe(
        `{${keys
          .sort()
          .map((key) => `"${key}":null`)
          .join(',')}}`,
      );
    }
  });
});
