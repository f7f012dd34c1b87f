import { describe, expect, test } from 'vitest';
import { EMPTY_LINE, edit, insert, type Key, type Line, lineOf } from './edit.ts';

const press = (line: Line, ...keys: Key[]): Line => keys.reduce<Line>((now, key) => edit(now, key) ?? now, line);

describe('HS-7 the line that is typed', () => {
  test('HS-7 characters go in at the cursor, whole ones come out', () => {
    const typed = press(EMPTY_LINE, { sequence: 'a' }, { sequence: '中' }, { sequence: '👨‍👩‍👧' });
    expect(typed.text).toBe('a中👨‍👩‍👧');
    expect(press(typed, { name: 'backspace' }).text).toBe('a中');
    expect(press(typed, { name: 'left' }, { name: 'left' }, { name: 'delete' }).text).toBe('a👨‍👩‍👧');
  });

  test('HS-7 words, halves and ends', () => {
    const line = lineOf('one two three');
    expect(press(line, { name: 'w', ctrl: true }).text).toBe('one two ');
    expect(press(line, { name: 'u', ctrl: true })).toEqual(EMPTY_LINE);
    expect(press(line, { name: 'home' }, { name: 'right' }, { name: 'k', ctrl: true }).text).toBe('o');
    expect(press(line, { name: 'a', ctrl: true }, { sequence: 'x' }, { name: 'end' }).text).toBe('xone two three');
  });

  test('HS-7 keys that type nothing, and controls in what is pasted, change nothing', () => {
    expect(edit(EMPTY_LINE, { name: 'f5', sequence: '\u001b[15~' })).toBeUndefined();
    expect(edit(EMPTY_LINE, { name: 'x', meta: true, sequence: 'x' })).toBeUndefined();
    expect(insert(EMPTY_LINE, 'a\r\nb\u0007\u001b[31m\u202ec\t').text).toBe('a\nb[31mc  ');
  });
});
