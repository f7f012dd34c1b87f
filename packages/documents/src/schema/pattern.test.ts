import { RE2JS } from 're2js';
import { describe, expect, it, vi } from 'vitest';
import { compilePattern } from './pattern.ts';

const finds = (source: string, text: string) => compilePattern(source)?.test(text);

describe('ECMA-262 patterns keep their meaning', () => {
  it('CM-7 searches anywhere in the string', () => {
    expect(finds('b', 'abc')).toBe(true);
    expect(finds('^b', 'abc')).toBe(false);
    expect(finds('', '')).toBe(true);
  });

  it('CM-7 lets $ match only at the very end', () => {
    expect(finds('^a$', 'a\n')).toBe(false);
    expect(finds('^a$', 'a')).toBe(true);
  });

  it.each(['\n', '\r', '\u2028', '\u2029'])('CM-7 does not let . match the line terminator %j', (end) => {
    expect(finds('^.$', end)).toBe(false);
    expect(finds('(?s)^.$', end)).toBe(true);
    expect(finds('(?s:^.$)|^.\\.$', end)).toBe(true);
    expect(finds('(?:(?s)x)|^.$', end)).toBe(false);
    expect(finds('(?s)^(?-s:.)$', end)).toBe(false);
  });

  it.each([...' \t\n\v\f\r\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'])(
    'CM-7 counts %j as white space',
    (space) => {
      for (const source of ['^\\s$', '^[\\s]$', '^[^\\S]$', '^[^\\Sx]$']) expect(finds(source, space)).toBe(true);
      for (const source of ['\\S', '[\\S]', '[^\\s]', '[x\\S]']) expect(finds(source, space)).toBe(false);
    },
  );

  it('CM-7 splits all code points between \\s and \\S, in and out of classes', () => {
    const inside = compilePattern('^[\\s]$')!;
    const outside = compilePattern('^\\S$')!;
    const outsideInClass = compilePattern('^[\\S]$')!;
    const wrong: number[] = [];
    for (let point = 0; point <= 0xffff; point += 1) {
      const char = String.fromCharCode(point);
      const isSpace = /\s/u.test(char);
      const agrees = [inside.test(char), !outside.test(char), !outsideInClass.test(char)].every((is) => is === isSpace);
      if (!agrees) wrong.push(point);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['^\\/$', '/'],
    ['^\\-\\_\\@$', '-_@'],
    ['^\\u0041$', 'A'],
    ['^\\u{1F600}$', '😀'],
    ['^\\ud83d\\ude00$', '😀'],
    ['^[\\ud83d\\ude00-\\ud83d\\ude4f]$', '😀'],
    ['^\\x41\\x{42}$', 'AB'],
    ['^\\cA\\cz$', '\u0001\u001a'],
    ['^[\\b]$', '\b'],
    ['^\\0$', '\0'],
    ['^\\t\\n\\v\\f\\r$', '\t\n\v\f\r'],
    ['^[^]$', '\n'],
    ['^[a\\-z]+$', 'a-z'],
    ['^[\\]\\[[]+$', ']['],
    ['^[-a]+[a-]+$', '-a-'],
    ['^[\\w-]+$', 'a-b'],
    ['^[[:a]+$', '[:a'],
    ['^a{02}$', 'aa'],
    ['^(?<year>\\d{4})$', '2024'],
    ['^.$', '😀'],
    ['^(?:a|b)*?c$', 'abc'],
    ['^\\p{L}\\p{Letter}\\p{gc=Lu}\\p{General_Category=Letter}$', 'abCd'],
    ['^\\p{Script=Greek}\\p{sc=Yi}\\P{Script=Greek}$', 'αꀀa'],
    ['^[\\p{Lu}\\p{Nd}]+\\p{ASCII}\\p{Any}$', 'Ä٣a!'],
    ['^\\p{Emoji}\\P{White_Space}$', '😀a'],
    ['a{,5}', 'a{,5}'],
    ['^{"a"}$', '{"a"}'],
  ])('CM-7 finds %s in %j', (source, text) => {
    expect(finds(source, text)).toBe(true);
  });

  it.each([
    ['[]', 'a'],
    ['a[]?b', 'axb'],
    ['^[\\u{1F600}]$', '\ud83d'],
    ['^a{02}$', 'a{02}'],
    ['\\p{Lu}', 'a'],
    ['ä\\b', 'xä '],
  ])('CM-7 does not find %s in %j', (source, text) => {
    expect(finds(source, text)).toBe(false);
  });
});

describe('RE2 syntax', () => {
  it.each([
    ['\\Aab\\z', 'ab'],
    ['(?i)straße', 'STRAßE'],
    ['^(?i:k)$', '\u212a'],
    ['^\\Qa.b*\\E+$', 'a.b**'],
    ['\\Q[', '['],
    ['^[[:alpha:]]+[[:^alpha:]]$', 'ab1'],
    ['(?m)^b$', 'a\nb\nc'],
    ['^(?P<name>a)\\pL\\PL$', 'ab1'],
    ['^\\p{Greek}$', 'α'],
    ['^(?U)a+$', 'aa'],
    ['^\\a$', '\u0007'],
  ])('CM-7 finds %s in %j', (source, text) => {
    expect(finds(source, text)).toBe(true);
  });

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10',
    '(?<x>a)\\k<x>',
    '(?>a)',
    '(?#a)',
    '(?P=x)',
    '[\\1]',
    '\\01',
    '\\C',
    '\\Z',
    '\\8',
    '\\c1',
    '\\u12',
    '\\u{110000}',
    '\\u{}',
    '\\xg0',
    '\\é',
    '\\',
    '[\\',
    '[a',
    '[',
    '[z-a]',
    '[a-\\d]',
    '[a-\\s]',
    '[]a]',
    '[^]a]',
    '[[:nope:]]',
    '(',
    ')',
    '(a',
    'a)',
    'a**',
    '*a',
    'a{2}{3}',
    'a{3,2}',
    '\\p{Bidi_Control}',
    '\\p{Script=L}',
    '\\p{Script=Any}',
    '\\p{gc=Greek}',
    '\\p{Script_Extensions=Greek}',
    '\\p{L',
    '\\p1',
    '(?<a>x)(?<a>y)',
    '(?x)a',
  ])('CM-7 refuses %s', (source) => {
    expect(compilePattern(source)).toBeUndefined();
  });
});

describe('bounds', () => {
  it('CM-7 takes sources of up to 2,000 characters', () => {
    expect(compilePattern('a'.repeat(2000))?.test('a'.repeat(2000))).toBe(true);
    expect(compilePattern('a'.repeat(2001))).toBeUndefined();
  });

  it('CM-7 takes repeat counts of up to 1,000', () => {
    expect(finds('^a{1000}$', 'a'.repeat(1000))).toBe(true);
    expect(compilePattern('a{1001}')).toBeUndefined();
    expect(compilePattern('a{1,1001}')).toBeUndefined();
    expect(compilePattern(`a{${'9'.repeat(400)}}`)).toBeUndefined();
  });

  it('CM-7 says what a pattern costs for each character', () => {
    expect(compilePattern('a')!.cost).toBe(6);
    expect(compilePattern('a{1000}')!.cost).toBeGreaterThan(1000);
    expect(compilePattern('(?:a{100}){9}')!.cost).toBeGreaterThan(900);
  });
});

describe('attacks', () => {
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(x+x+)+y',
    '^(\\w+\\s?)*$',
    '(.*a){20}b',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ])('CM-7 ReDoS: %s on 100,000 characters', (source) => {
    const pattern = compilePattern(source)!;
    for (const char of ['a', 'x', 'é', '😀']) expect(pattern.test(`${char.repeat(100_000)}!\n`)).toBe(false);
  });

  it.each([
    '(a{1000}){1000}',
    '((((a{10}){10}){10}){10}){10}',
    `(${'a'.repeat(1300)}){999}`,
    '(?:(?:a{0,30}){0,30}b{500}c{1000}){2}x{1000}y{1000}z{1000}(?:[a-f]{1,9}){100}(?:u{9}){100}(?:v{9}){100}(?:q{9}){500}',
    `[${'\\pL\\p{Lo}\\PL'.repeat(150)}]`,
    Array(399).fill('\\pL').join('|'),
    `(?i)${'[B-\\x{1E942}]'.repeat(100)}`,
    `(?i)${'[\\S]'.repeat(100)}`,
  ])('CM-7 compilation bomb %#: is never compiled', (source) => {
    const compile = vi.spyOn(RE2JS, 'compile');
    expect(compilePattern(source)).toBeUndefined();
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  });

  it('CM-7 deep nesting of groups', () => {
    expect(finds(`${'('.repeat(999)}a${')'.repeat(999)}`, 'a')).toBe(true);
    expect(finds(`${'(?:'.repeat(390)}a${')?'.repeat(390)}`, 'b')).toBe(true);
    expect(compilePattern('('.repeat(2000))).toBeUndefined();
    expect(() => compilePattern(`${'('.repeat(660)}a${')*'.repeat(660)}`)).not.toThrow();
    expect(() => compilePattern(`${'(a|'.repeat(400)}b${'){2}'.repeat(400)}`)).not.toThrow();
  });

  it('CM-7 state explosion: an automaton of a million states', () => {
    const pattern = compilePattern('(a|b)*a(a|b){20}c')!;
    let text = '';
    for (let seed = 1; text.length < 50_000; seed = (seed * 48_271) % 0x7fffffff) text += seed % 2 === 0 ? 'a' : 'b';
    expect(pattern.test(text)).toBe(false);
    expect(pattern.test(`${text}a${'b'.repeat(20)}c`)).toBe(true);
  });

  it('CM-7 lone surrogates in text', () => {
    for (const source of ['^.+$', '^[^a]*$', '\\bx', '😀', '(?i)k']) {
      const pattern = compilePattern(source)!;
      for (const text of ['\ud800', '\udc00\ud800', 'a\ud83d', `${'\ud800'.repeat(1000)}x`]) {
        expect(pattern.test(text)).toBe(new RegExp(source.replace('(?i)', ''), 'u').test(text));
      }
    }
  });
});
