import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayLines, displayText, displayValue, isPrintable } from './display-text.ts';

describe('CM-12 untrusted text on a screen', () => {
  it.each([
    ['plain text of any script', 'Read files 读取文件 קרא ملف 😀 ❤️ é', 'Read files 读取文件 קרא ملف 😀 ❤️ é'],
    ['a line break, which could fake a line', 'Safe\n[x] Allowed', 'Safe␊[x] Allowed'],
    ['a terminal escape', '\u001b[2Jgone\u0007', '␛[2Jgone␇'],
    ['delete and C1 controls', 'a\u007fb\u009bc', 'a␡b[U+009B]c'],
    ['a bidi override', 'file\u202Egnp.exe', 'file[U+202E]gnp.exe'],
    ['a bidi isolate', '\u2066a\u2069', '[U+2066]a[U+2069]'],
    ['zero-width characters', 'pay\u200bpal\u200d\ufeff', 'pay[U+200B]pal[U+200D][U+FEFF]'],
    ['fillers that look like nothing', '\u3164\u2800\u115f', '[U+3164][U+2800][U+115F]'],
    ['tag characters', 'a\u{e0041}', 'a[U+E0041]'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a[U+2028]b[U+2029]c'],
    ['a lone surrogate', 'a\ud800b', 'a[U+D800]b'],
    ['private use', '\ue000', '[U+E000]'],
    ['spaces that push text out of sight', `a${' '.repeat(50)}b\u00a0\u3000c  `, 'a b c'],
    ['marks stacked over other lines', `a${'\u0301'.repeat(40)}b`, `a${'\u0301'.repeat(4)}b`],
  ])('shows %s', (_, text, shown) => {
    expect(displayText(text)).toBe(shown);
  });

  it('is cut to its length, not within a surrogate pair', () => {
    expect(displayText('a'.repeat(200))).toBe('a'.repeat(200));
    expect(displayText('a'.repeat(201))).toBe(`${'a'.repeat(199)}…`);
    expect(displayText('😀'.repeat(10), 8)).toBe('😀😀😀…');
    expect(displayText(`${' '.repeat(10_000)}a`, 10)).toBe('…');
  });

  it('is bounded, free of hidden characters, and stable', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 60 }), (raw, max) => {
        const shown = displayText(raw, max);
        expect(shown.length).toBeLessThanOrEqual(max);
        expect(isPrintable(shown.replaceAll(/ |\ufe0e|\ufe0f/g, ''))).toBe(true);
        expect(displayText(shown, max)).toBe(shown);
      }),
      { numRuns: 300 },
    );
  });
});

describe('CG-10 a value that someone decides about', () => {
  it.each([
    ['plain text', 'notes/todo.txt 读取 😀', 'notes/todo.txt 读取 😀'],
    ['hidden characters, by their names', 'pay\u200bpal\u202e\n', 'pay[U+200B]pal[U+202E]␊'],
    ['a few spaces, also at the ends', ' a  b ', ' a  b '],
    ['spaces that push text out of sight, by their number', `a${' '.repeat(50)}b`, 'a[50 × U+0020]b'],
    ['a space that only looks like one', 'a\u00a0b', 'a[U+00A0]b'],
    ['marks stacked on one letter', `a${'\u0301'.repeat(6)}b`, `a${'\u0301'.repeat(4)}[U+0301][U+0301]b`],
  ])('shows %s', (_, value, text) => {
    expect(displayValue(value, 200)).toEqual({ text, cut: 0 });
  });

  it('CG-10 attack: zero-width characters push the tail out: what is cut is counted, in characters', () => {
    const tail = 'and delete everything 😀';
    expect(displayValue(`${'\u200b'.repeat(10)}${tail}`, 40)).toEqual({ text: '[U+200B]'.repeat(5), cut: 5 + 23 });
    expect(displayValue('a'.repeat(41), 40)).toEqual({ text: 'a'.repeat(40), cut: 1 });
    expect(displayValue(`${'a'.repeat(39)}😀b`, 40)).toEqual({ text: 'a'.repeat(39), cut: 2 });
  });

  it('every character is shown or counted, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), fc.integer({ min: 0, max: 60 }), (value, max) => {
        const { text, cut } = displayValue(value, max);
        expect(text.length).toBeLessThanOrEqual(max);
        expect(displayValue([...value].slice(0, [...value].length - cut).join(''), 10_000)).toEqual({ text, cut: 0 });
      }),
      { numRuns: 300 },
    );
  });
});

describe('CM-9 printable characters', () => {
  it.each(['a', 'ä', '中', '😀', 'é', '\u{1fae8}', '~!@#'])('%s is printable', (text) => {
    expect(isPrintable(text)).toBe(true);
  });

  it.each(['\0', '\u0085', ' ', '\u2003', '\u200e', '\u2061', '\ufff9', '\uffff', '\ud800', '\u{f0000}', '\ufe0f'])(
    '%j is not',
    (character) => {
      expect(isPrintable(`a${character}b`)).toBe(false);
    },
  );
});

describe('WC-30 a message as it was typed', () => {
  it.each([
    ['lines, tabs and spaces', '  a\n\n\tb  c ', '  a\n\n\tb  c '],
    ['line breaks of other systems', 'a\r\nb\rc', 'a\nb\nc'],
    ['marks of a markup language', '__init__ *a* # b', '__init__ *a* # b'],
    ['an emoji that is joined of two', '👩🏽‍💻 ❤️‍🔥', '👩🏽‍💻 ❤️‍🔥'],
    ['a word that needs a joiner', 'می‌خواهم', 'می‌خواهم'],
    ['attack: a bidi override', 'file\u202Egnp.exe', 'file[U+202E]gnp.exe'],
    ['attack: a joiner that joins nothing', 'pay\u200dpal\u200b', 'pay[U+200D]pal[U+200B]'],
    ['attack: marks stacked over other lines', `a${'\u0301'.repeat(5)}b`, `a${'\u0301'.repeat(4)}[U+0301]b`],
  ])('shows %s', (_, text, shown) => {
    expect(displayLines(text)).toBe(shown);
  });

  it('attack: a hundred thousand hidden characters', () => {
    expect(displayLines('\u200b'.repeat(100_000))).toHaveLength(800_000);
  });
});
