import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../fit-text.ts';
import { confine, scrollToCursor, truncate } from './fit-line.ts';

describe('HS-7 lines and the width of a screen', () => {
  test('HS-7 a line is cut by columns, and its colour ended', () => {
    expect(truncate('short', 10)).toBe('short');
    expect(truncate('中文中文中文', 6)).toBe('中文…');
    expect(truncate('\u001b[31mlong red line\u001b[39m', 6)).toBe('\u001b[31mlong \u001b[39m…');
    expect(truncate('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5)).toBe('👩‍👩‍👧👩‍👩‍👧…');
    expect(truncate(`${'e\u0301'.repeat(9)}`, 5)).toBe('éééé…');
  });

  test('HS-7 what is typed is scrolled sideways, with the cursor in view', () => {
    expect(scrollToCursor('hello', 5, 20)).toEqual({ shown: 'hello', column: 5 });
    const { shown, column } = scrollToCursor('一二三四五六七八', 8, 10);
    expect(displayWidth(shown)).toBeLessThanOrEqual(10);
    expect(column).toBeLessThan(10);
    expect(shown.startsWith('…')).toBe(true);
    expect(scrollToCursor('a\nb', 3, 20).shown).toBe('a⏎b');
    expect(scrollToCursor('👩‍👩‍👧'.repeat(6), '👩‍👩‍👧'.repeat(6).length, 8)).toEqual({
      shown: `…${'👩‍👩‍👧'.repeat(3)}`,
      column: 7,
    });
  });

  test('CG-10 line forging: a word wider than the screen does not go on at its edge', () => {
    const text = confine(`  agent ${'x'.repeat(50)}\nshort`, 20);
    const lines = text.split('\n');
    expect(lines.every((line) => displayWidth(line) <= 20)).toBe(true);
    expect(lines.slice(0, -1).every((line) => line.startsWith('  '))).toBe(true);
    expect(text.replaceAll(/\s/g, '')).toBe(`agent${'x'.repeat(50)}short`);
  });
});
