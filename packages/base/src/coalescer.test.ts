import { describe, expect, it } from 'vitest';
import { createCoalescer, createDeferred } from './index.ts';

interface Move {
  readonly key: string;
  readonly seq: number;
}
const setUp = (size = 100) => {
  const flushed: Move[][] = [];
  let gate = createDeferred();
  const coalescer = createCoalescer<Move>({
    rank: ({ seq }) => seq,
    flush: async (moves) => {
      flushed.push([...moves]);
      await gate.promise;
    },
    size,
    max: { count: 200, cost: 1e6 },
    maxOfOne: { count: 150, cost: 1e6 },
    refuse: (reason) => new Error(reason),
    gather: () => Promise.resolve(),
  });
  const add = (account: string, key: string, seq: number) => coalescer.add(account, key, { key, seq });
  return {
    coalescer,
    flushed,
    add,
    open: () => gate.resolve(),
    fail: () => {
      gate.reject(new Error('no database'));
      gate = createDeferred();
      gate.resolve();
    },
  };
};

describe('OP-3 the coalescer', () => {
  it('OP-3 attack: a million acknowledgements of one consumer are one write for each flush, the highest', async () => {
    const { add, flushed, open, coalescer } = setUp();
    const first = add('a', 'k', 1);
    await new Promise(setImmediate);
    for (let n = 0; n < 1_000_000; n++) void add('a', 'k', (n * 7919) % 1_000_000);
    open();
    await Promise.all([first, add('a', 'k', 5), coalescer.idle()]);
    expect(flushed).toEqual([[{ key: 'k', seq: 1 }], [{ key: 'k', seq: 999_999 }]]);
  });

  it('OP-3 attack: an account that moves many keys leaves the others their place in the next flush', async () => {
    const { add, flushed, open, coalescer } = setUp(10);
    for (let n = 0; n < 100; n++) void add('flood', `flood ${n}`, n);
    void add('innocent', 'mine', 1);
    open();
    await coalescer.idle();
    expect(flushed[0]).toContainEqual({ key: 'mine', seq: 1 });
    expect(flushed).toHaveLength(11);
  });

  it('OP-3 a flush that fails rejects its own writes, and the next goes on', async () => {
    const { add, fail, flushed } = setUp();
    const first = add('a', 'k', 1);
    await new Promise(setImmediate);
    const second = add('a', 'k', 2);
    fail();
    await expect(first).rejects.toThrow('no database');
    await second;
    expect(flushed).toHaveLength(2);
  });

  it('OP-3 is bounded for one account and for all', async () => {
    const { add, open, coalescer } = setUp();
    for (let n = 0; n < 150; n++) void add('a', `a ${n}`, n);
    const ofOne = add('a', 'more', 1);
    for (let n = 0; n < 50; n++) void add('b', `b ${n}`, n);
    const ofAll = add('c', 'another', 1);
    ofAll.catch(() => {});
    await expect(ofOne).rejects.toThrow(/^account_full$/);
    await expect(ofAll).rejects.toThrow(/^full$/);
    open();
    await coalescer.idle();
    await add('a', 'more', 1);
  });

  it('OP-3 attack: a write that cannot be stored fails alone', async () => {
    const coalescer = createCoalescer<Move>({
      rank: ({ seq }) => seq,
      flush: async (moves) => {
        if (moves.some(({ key }) => key === 'k7')) throw new Error('locked');
      },
      isAboutSome: (error) => (error as Error).message === 'locked',
      size: 100,
      max: { count: 200, cost: 1e6 },
      maxOfOne: { count: 150, cost: 1e6 },
      refuse: (reason) => new Error(reason),
      gather: () => Promise.resolve(),
    });
    const moves = Array.from({ length: 20 }, (_, n) => coalescer.add(`a${n}`, `k${n}`, { key: `k${n}`, seq: 1 }));
    const outcomes = (await Promise.allSettled(moves)).map(({ status }) => status);
    expect(outcomes.indexOf('rejected')).toBe(7);
    expect(outcomes.lastIndexOf('rejected')).toBe(7);
  });
});
