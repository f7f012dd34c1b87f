import { describe, expect, it } from 'vitest';
import { createLru } from './index.ts';

describe('HS-20 the LRU', () => {
  it('HS-20 drops what was not used for the longest time, and never holds more than its maximum', () => {
    const lru = createLru<string, number>(3);
    for (const [at, key] of ['a', 'b', 'c'].entries()) lru.set(key, at);
    expect(lru.get('a')).toBe(0);
    expect(lru.has('b')).toBe(true);
    lru.set('d', 3);
    expect(['a', 'b', 'c', 'd'].filter(lru.has)).toEqual(['a', 'c', 'd']);
    lru.set('c', 4);
    lru.set('e', 5);
    expect([lru.get('a'), lru.get('c'), lru.get('e'), lru.size]).toEqual([undefined, 4, 5, 3]);
    for (let key = 0; key < 1_000; key++) lru.set(`${key}`, key);
    expect(lru.size).toBe(3);
  });

  it('HS-20 a value that is undefined is held like any other; what is deleted or cleared makes room', () => {
    const lru = createLru<string, number | undefined>(2);
    lru.set('a', undefined);
    lru.set('b', 1);
    expect(lru.get('a')).toBeUndefined();
    lru.set('c', 2);
    expect([lru.has('a'), lru.has('b')]).toEqual([true, false]);
    lru.delete('a');
    lru.set('d', 3);
    expect([lru.get('c'), lru.get('d')]).toEqual([2, 3]);
    lru.clear();
    expect([lru.size, lru.get('c')]).toEqual([0, undefined]);
  });
});
