import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

describe('OP-1 OP-13 token buckets', () => {
  const size = { capacity: 10, perSecond: 5 };
  const create = (maxKeys = 100) => {
    let time = 1_000;
    const buckets = createTokenBuckets({ maxKeys, now: () => time });
    return { ...buckets, pass: (ms: number) => (time += ms) };
  };

  it('give the burst at once, then as much as flows in', () => {
    const { take, pass } = create();
    for (let count = 0; count < 10; count++) expect(take('a', 1, size)).toBe(0);
    expect(take('a', 1, size)).toBeGreaterThan(0);
    pass(1_000);
    for (let count = 0; count < 5; count++) expect(take('a', 1, size)).toBe(0);
    expect(take('a', 1, size)).toBeGreaterThan(0);
  });

  it('give more than they hold once, and say how long the debt lasts', () => {
    const { take, pass } = create();
    expect(take('a', 35, size)).toBe(0);
    expect(take('a', 1, size)).toBe(5_000);
    pass(4_999);
    expect(take('a', 1, size)).toBeGreaterThan(0);
    pass(2);
    expect(take('a', 1, size)).toBe(0);
  });

  it('lose nothing when a clock is set back all the same', () => {
    const { take, pass } = create();
    take('a', 1, size);
    pass(-300_000);
    expect(take('a', 1, size)).toBe(0);
  });

  it('take nothing where they refuse', () => {
    const { take, used } = create();
    take('a', 20, size);
    for (let count = 0; count < 100; count++) take('a', 20, size);
    expect(used('a', size)).toBe(20);
  });

  it('charge what was used already, also into debt', () => {
    const { charge, take } = create();
    charge('a', 12, size);
    charge('a', 3, size);
    expect(take('a', 1, size)).toBe(1_000);
  });

  it('count each key for itself, and never hold more than their capacity', () => {
    const { take, used, pass } = create();
    take('a', 10, size);
    expect(take('b', 1, size)).toBe(0);
    pass(3_600_000);
    expect(used('a', size)).toBe(0);
    take('a', 10, size);
    expect(take('a', 1, size)).toBeGreaterThan(0);
  });

  it('attack: keys without end do not become memory without end', () => {
    const { take, used } = create(2);
    take('a', 10, size);
    take('b', 10, size);
    take('c', 10, size);
    expect([used('a', size), used('b', size), used('c', size)]).toEqual([0, 10, 10]);
  });
});
