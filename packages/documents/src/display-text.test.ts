import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayText, isPrintable } from './display-text.ts';

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
