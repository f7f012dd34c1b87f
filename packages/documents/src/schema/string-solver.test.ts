import { describe, expect, it } from 'vitest';
import { Op } from './pattern/program.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { type StringGoal, solveString } from './string-solver.ts';

const compile = (source: string): Pattern => {
  const pattern = compilePattern(source);
  if (pattern === undefined) throw new TypeError(`not a pattern: ${source}`);
  return pattern;
};

interface Wish {
  match?: string[];
  avoid?: string[];
  min?: number;
  max?: number;
  exclude?: string[];
  budget?: number;
}

const goalOf = ({
  match = [],
  avoid = [],
  min = 0,
  max = Number.POSITIVE_INFINITY,
  exclude = [],
  budget,
}: Wish): StringGoal => ({
  match: match.map(compile),
  avoid: avoid.map(compile),
  minLength: min,
  maxLength: max,
  exclude: new Set(exclude),
  budget: budget ?? 100_000,
});
const solve = (wish: Wish) => solveString(goalOf(wish));
const NONE = { kind: 'none' };
const some = (witness: string) => ({ kind: 'some', witness });

describe('containment: what the first finds and the second does not', () => {
  it.each([
    ['^[a-z]+$', '^[a-z0-9]+$'],
    ['^a', 'a'],
    ['a{3}', 'a{2}'],
    ['^(foo|bar)$', '^[a-z]{3}$'],
    ['^[a-z][a-z0-9_]{1,31}$', '^[a-z][a-z0-9_]{1,63}$'],
    ['\\bfoo\\b', 'foo'],
    ['^\\d{4}-\\d\\d-\\d\\d$', '^[0-9-]{10}$'],
    ['^[^\\s@]+@[^\\s@]+\\.[a-z]+$', '^.+@.+$'],
    ['^\\p{Lu}+$', '^\\p{L}+$'],
    ['(?i)^k$', '^[kK\\u212a]$'],
    ['^a$', '(?m)^a$'],
    ['\\nb', '(?m)^b'],
    ['(?s)^.$', '^[\\n\\r\\u2028\\u2029]$|^.$'],
    ['^$', '\\B'],
    ['\\B\\b', 'x'],
    ['^[\\ud800-\\udfff]$', 'x'],
    ['[]', 'x'],
  ])('DF-21 %s implies %s', (narrow, wide) => {
    expect(solve({ match: [narrow], avoid: [wide] })).toEqual(NONE);
  });

  it.each([
    ['^[a-z0-9]+$', '^[a-z]+$', '0'],
    ['a', '^a', 'ba'],
    ['foo', '\\bfoo\\b', 'afoo'],
    ['^[a-z]{1,3}$', '^[a-z]{1,2}$', 'aaa'],
    ['(?m)^a$', '^a$', 'a\n'],
    ['(?m)^b', '^b', '\nb'],
    ['^(?:K0|(?i:k)1)$', '^K|^\\u212a', 'k1'],
    ['^\\p{L}+$', '^[a-zA-Z]+$', 'ª'],
    ['(?i)^k$', '^[kK]$', '\u212a'],
    ['^.$', '^[\\ud800\\udc00-\\u{10ffff}\\0-\\ud7ff]$', '\ue000'],
    ['^\\s$', '^[ \\t\\n\\v\\f\\r]$', '\u1680'],
    ['\\b', '\\w\\w', 'a'],
    ['^\\S+$', '^[a-z]', '0'],
  ])('DF-21 %s does not imply %s: %j', (wide, narrow, witness) => {
    expect(solve({ match: [wide], avoid: [narrow] })).toEqual(some(witness));
  });

  it('DF-21 nothing is found and not found', () => {
    expect(solve({ match: ['(a|b)*a(a|b){20}'], avoid: ['x', '(a|b)*a(a|b){20}'], budget: 0 })).toEqual(NONE);
  });

  it('DF-21 takes all patterns together', () => {
    expect(solve({ match: ['a', 'b', '^.{2}$'], avoid: ['^a'] })).toEqual(some('ba'));
    expect(solve({ match: ['a', 'b', '^.{2}$'], avoid: ['^a', '^b'] })).toEqual(NONE);
    expect(solve({ avoid: ['^[^]', '^$'] })).toEqual(NONE);
    expect(solve({ avoid: ['.'], min: 1 })).toEqual(some('\n'));
  });
});

describe('lengths', () => {
  it('DF-21 counts code points from the least to the greatest', () => {
    expect(solve({ match: ['^\\d{3}$'], min: 4 })).toEqual(NONE);
    expect(solve({ match: ['^\\d{3}$'], max: 2 })).toEqual(NONE);
    expect(solve({ match: ['^\\d{3}$'], min: 3, max: 3 })).toEqual(some('000'));
    expect(solve({ match: ['^(😀😀)+$'], min: 3 })).toEqual(some('😀😀😀😀'));
    expect(solve({ match: ['^(😀😀)+$'], min: 3, max: 3 })).toEqual(NONE);
    expect(solve({ match: ['^(aaa)*$'], min: 1000, max: 1001 })).toEqual(NONE);
    expect(solve({ match: ['^(aaa)*$'], min: 1000, max: 1002 })).toEqual(some('a'.repeat(1002)));
    expect(solve({ match: ['^a|b$'], min: 3 })).toEqual(some('aaa'));
    expect(solve({ match: ['a'], min: 2, max: 1 })).toEqual(NONE);
  });

  it('DF-21 needs no patterns', () => {
    expect(solve({})).toEqual(some(''));
    expect(solve({ min: 3 })).toEqual(some('aaa'));
    expect(solve({ min: 3, max: 2 })).toEqual(NONE);
    expect(solve({ min: 1, exclude: ['a'] })).toEqual(some('b'));
    expect(solve({ max: 0, exclude: [''] })).toEqual(NONE);
    expect(solve({ min: 1e9 })).toEqual({ kind: 'unknown' });
  });
});

describe('excluded strings', () => {
  it('DF-21 proves a finite set exhausted', () => {
    expect(solve({ match: ['^(foo|bar)$'], exclude: ['foo'] })).toEqual(some('bar'));
    expect(solve({ match: ['^(foo|bar)$'], exclude: ['bar', 'foo'] })).toEqual(NONE);
    expect(solve({ match: ['^[ab]{0,2}$'], exclude: ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb'] })).toEqual(NONE);
    expect(solve({ match: ['^[ab]{0,2}$'], exclude: ['', 'a', 'b', 'aa', 'ab', 'bb'] })).toEqual(some('ba'));
    expect(solve({ match: ['^😀$'], exclude: ['😀'] })).toEqual(NONE);
    expect(solve({ match: ['^[\\ud800-\\udfff]$'], exclude: ['\ud800'] })).toEqual(NONE);
  });

  it('DF-21 finds the next one of an infinite set', () => {
    expect(solve({ match: ['^x+$'], exclude: ['x', 'xx', 'xxx'] })).toEqual(some('xxxx'));
    expect(solve({ match: ['^[ -~]$'], exclude: [...'abcdefghijklmnopqrstuvwxyz'] })).toEqual(some('0'));
    expect(solve({ match: ['^[\\u4e00-\\u4e02]$'], exclude: ['\u4e00', '\u4e01'] })).toEqual(some('\u4e02'));
    expect(solve({ match: ['a'], exclude: ['a', '\ud800', 'a\udc00'] })).toEqual(some('ba'));
  });
});

describe('attacks', () => {
  it('DF-21 state explosion: ends without an answer after the steps it was given', () => {
    for (const budget of [0, 1, 100, 50_000]) {
      const goal = goalOf({ match: ['^(a|b)*a(a|b){20}$'], avoid: ['^(a|b)*b(a|b){20}$'], budget });
      const steps = { left: budget };
      expect(solveString(goal, steps)).toEqual({ kind: 'unknown' });
      expect(steps.left).toBeGreaterThan(-1000);
    }
  });

  it('DF-21 product explosion: many patterns that keep different counts', () => {
    const match = [2, 3, 5, 7, 11, 13, 17, 19, 23].map((prime) => `^(a{${prime}})+$`);
    expect(solve({ match, budget: 20_000 })).toEqual({ kind: 'unknown' });
    expect(solve({ match: match.slice(0, 4) })).toEqual(some('a'.repeat(210)));
  });

  it('DF-21 huge programs, tables, lengths and lists cost steps', () => {
    for (const wish of [
      { match: ['a{1000}b{1000}c{1000}'], avoid: ['a{999}'] },
      { match: ['\\p{L}\\p{Lu}\\p{Lo}\\p{N}\\p{S}\\p{P}\\p{M}\\p{C}'.repeat(4)] },
      { avoid: ['x'], min: 1e9 },
      { match: ['^y'], exclude: Array.from({ length: 1000 }, (_, index) => `${index}`.repeat(300)) },
    ]) {
      const steps = { left: 5000 };
      expect(solveString(goalOf(wish), steps)).toEqual({ kind: 'unknown' });
      expect(steps.left).toBeLessThan(0);
      expect(steps.left).toBeGreaterThan(-5000);
    }
  });
});

describe('what it does not trust', () => {
  it('DF-21 answers nothing about a program it does not understand', () => {
    const pattern = compile('a');
    const strange = { ...pattern, program: { start: 1, inst: [{ ...pattern.program.inst[1]!, op: 12 }] } };
    expect(solveString({ ...goalOf({}), match: [strange] })).toEqual({ kind: 'unknown' });
    const unsorted = {
      ...compile('[ac]'),
      program: { start: 0, inst: [{ ...pattern.program.inst[1]!, op: 8, runes: [99, 99, 97, 97] }] },
    };
    expect(solveString({ ...goalOf({}), match: [unsorted] })).toEqual({ kind: 'unknown' });
  });

  it('DF-21 shows no witness that RE2 itself denies', () => {
    const liar: Pattern = { ...compile('a'), test: () => false };
    expect(solveString({ ...goalOf({}), match: [liar] })).toEqual({ kind: 'unknown' });
  });

  it('DF-21 reads the instruction codes of the engine that is installed', () => {
    const codes = compile('a').program.inst[0]!.constructor as unknown as Record<string, number>;
    expect(Op).toEqual({
      fork: codes.ALT,
      forkMatch: codes.ALT_MATCH,
      capture: codes.CAPTURE,
      assert: codes.EMPTY_WIDTH,
      fail: codes.FAIL,
      match: codes.MATCH,
      jump: codes.NOP,
      read: codes.RUNE,
      readLast: codes.RUNE_ANY_NOT_NL,
    });
  });
});
