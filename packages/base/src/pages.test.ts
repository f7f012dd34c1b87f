import { describe, expect, it } from 'vitest';
import { findNextPage, type PageCursor } from './pages.ts';

describe('HS-20 pages of a list', () => {
  it('HS-20 the next one is asked for with its cursor, and the last has none', () => {
    expect(findNextPage('b', [{}])).toEqual({ cursor: 'b' });
    expect(findNextPage('c', [{}, { cursor: 'b' }])).toEqual({ cursor: 'c' });
    expect(findNextPage(null, [{}, { cursor: 'b' }])).toBe('last');
  });

  it('HS-20 a server cannot send its reader in a circle, nor on and on', () => {
    expect(findNextPage('b', [{}, { cursor: 'b' }])).toBe('endless');
    expect(findNextPage('a', [{ cursor: 'a' }, { cursor: 'b' }])).toBe('endless');
    const asked: PageCursor[] = Array.from({ length: 1_000 }, (_, number) => ({ cursor: `${number}` }));
    expect(findNextPage('new', asked)).toBe('endless');
    expect(findNextPage('new', asked.slice(1))).toEqual({ cursor: 'new' });
  });
});
