import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../width.ts';
import { clip, confine, scroll } from './clip.ts';

describe('HS-7 lines and the width of a screen', () => {
  test('HS-7 a line is cut by columns, and its colour ended', () => {
    expect(clip('short', 10)).toBe('short');
    expect(clip('中文中文中文', 6)).toBe('中文…');
    expect(clip('\u001b[31mlong red line\u001b[39m', 6)).toBe('\u001b[31mlong …\u001b[0m');
  });

  test('HS-7 what is typed is scrolled sideways, with the cursor in view', () => {
    expect(scroll('hello', 5, 20)).toEqual({ shown: 'hello', column: 5 });
    const { shown, column } = scroll('一二三四五六七八', 8, 10);
    expect(displayWidth(shown)).toBeLessThanOrEqual(10);
    expect(column).toBeLessThan(10);
    expect(shown.startsWith('…')).toBe(true);
    expect(scroll('a\nb', 3, 20).shown).toBe('a⏎b');
  });

  test('CG-10 line forging: a word wider than the screen does not go on at its edge', () => {
    const text = confine(`  agent ${'x'.repeat(50)}\nshort`, 20);
    const lines = text.split('\n');
    expect(lines.every((line) => displayWidth(line) <= 20)).toBe(true);
    expect(lines.slice(0, -1).every((line) => line.startsWith('  '))).toBe(true);
    expect(text.replaceAll(/\s/g, '')).toBe(`agent${'x'.repeat(50)}short`);
  });
});
