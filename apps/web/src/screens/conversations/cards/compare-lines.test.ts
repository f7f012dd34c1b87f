import { describe, expect, it } from 'vitest';
import { compareLines } from './compare-lines.ts';

const MARKS = { same: ' ', added: '+', removed: '-' };
const compare = (before: string, after: string) =>
  compareLines(before.split(' '), after.split(' '))
    .map(({ kind, text }) => MARKS[kind] + text)
    .join(' ');

describe('WC-26 the lines of two revisions', () => {
  it.each([
    ['a b c', 'a b c', ' a  b  c'],
    ['a b c', 'a x c', ' a -b +x  c'],
    ['a b c', 'a c', ' a -b  c'],
    ['a c', 'a b c', ' a +b  c'],
    ['a b c d', 'b c x d a', '-a  b  c +x  d +a'],
    ['a a', 'a a a', ' a  a +a'],
    ['a', 'b', '-a +b'],
  ])('WC-26 from "%s" to "%s"', (before, after, result) => {
    expect(compare(before, after)).toBe(result);
  });

  it('WC-26 attack: two cards of very many different lines take no longer than a moment', () => {
    const many = (prefix: string) => Array.from({ length: 20_000 }, (_, n) => `${prefix}${n}`);
    expect(compareLines(many('a'), many('b'))).toHaveLength(40_000);
  });
});
