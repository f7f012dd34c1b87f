import { expect, test } from 'vitest';
import { displayWidth, fitText } from './fit-text.ts';
import { plainWidth } from './plain-width.ts';
import { wrapText } from './wrap-text.ts';

const wrap = (text: string, columns: number) => wrapText(text, { columns, measure: plainWidth });

test('HS-7 a Chinese character takes two columns, a colour none', () => {
  for (const measure of [displayWidth, plainWidth]) {
    expect(measure('a清单')).toBe(5);
    expect(measure('\u001b[1m清\u001b[22m')).toBe(2);
    expect(measure('“a” → … ✓ ┏')).toBe(11);
  }
});

test('HS-7 an emoji takes two columns however it is put together, a combining mark none', () => {
  expect(displayWidth('👍🏽👩‍👩‍👧🇨🇳')).toBe(6);
  expect(displayWidth('e\u0301n\u0303')).toBe(2);
  expect(displayWidth('\u200b\u0007')).toBe(0);
});

test('HS-7 help text breaks at spaces, and between Chinese characters but not before their punctuation', () => {
  expect(wrap('one two three', 8)).toBe('one two\nthree');
  expect(wrap('编写检查比较，预览', 8)).toBe('编写检查\n比较，预\n览');
  expect(wrap('默认取自 LC_ALL、LANG）', 16)).toBe('默认取自\nLC_ALL、LANG）');
  expect(wrap('kept\nas it is', 80)).toBe('kept\nas it is');
});

test('HS-7 lines wider than the terminal go on indented; others, and words that cannot be broken, stay as they are', () => {
  expect(fitText('  ✗ one two three\nshort', 12)).toBe('  ✗ one two\n      three\nshort');
  expect(fitText(`→ ${'a'.repeat(64)}`, 40)).toBe(`→\n    ${'a'.repeat(64)}`);
  expect(fitText('a'.repeat(64), 40)).toBe('a'.repeat(64));
});
