import { expect, test } from 'vitest';
import { displayWidth, fit, wrap } from './width.ts';

test('HS-7 a Chinese character takes two columns, a colour none', () => {
  expect(displayWidth('a清单')).toBe(5);
  expect(displayWidth('\u001b[1m清\u001b[22m')).toBe(2);
});

test('HS-7 help text breaks at spaces, and between Chinese characters but not before their punctuation', () => {
  expect(wrap('one two three', 8)).toBe('one two\nthree');
  expect(wrap('编写检查比较，预览', 8)).toBe('编写检查\n比较，预\n览');
  expect(wrap('默认取自 LC_ALL、LANG）', 16)).toBe('默认取自\nLC_ALL、LANG）');
  expect(wrap('kept\nas it is', 80)).toBe('kept\nas it is');
});

test('HS-7 lines wider than the terminal go on indented; others, and words that cannot be broken, stay as they are', () => {
  expect(fit('  ✗ one two three\nshort', 12)).toBe('  ✗ one two\n      three\nshort');
  expect(fit(`→ ${'a'.repeat(64)}`, 40)).toBe(`→\n    ${'a'.repeat(64)}`);
  expect(fit('a'.repeat(64), 40)).toBe('a'.repeat(64));
});
