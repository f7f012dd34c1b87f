import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue, type FairQueue } from './index.ts';

const NO_LIMIT = { count: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };
const create = <Item>(turn = 1): FairQueue<Item> => createFairQueue<Item>({ turn, max: NO_LIMIT, maxOfOne: NO_LIMIT });
const drain = <Item>(queue: FairQueue<Item>): Item[] => queue.takeBatch(NO_LIMIT);

const work = fc.array(
  fc.record({ account: fc.constantFrom('a', 'b', 'c', 'd'), cost: fc.integer({ min: 1, max: 50 }) }),
  { maxLength: 200 },
);

describe('OP-3 the fair queue', () => {
  it('OP-3 attack: one account with 5,000 waiting items delays another by one turn', () => {
    const queue = create<string>(10);
    for (let n = 0; n < 5_000; n++) queue.add('flood', `flood ${n}`);
    queue.add('innocent', 'hello');
    expect(queue.takeBatch({ count: 11, cost: NO_LIMIT.cost })).toContain('hello');
  });

  it('OP-3 whoever sends large items has fewer of them in a turn', () => {
    const queue = create<string>(100);
    for (let n = 0; n < 50; n++) {
      queue.add('large', 'large', 100);
      queue.add('small', 'small', 10);
    }
    const first = queue.takeBatch({ count: 22, cost: NO_LIMIT.cost });
    expect(first.filter((item) => item === 'small')).toHaveLength(20);
  });

  it('OP-3 nothing is lost or doubled, and the items of one account keep their order', () => {
    fc.assert(
      fc.property(work, fc.integer({ min: 1, max: 100 }), fc.infiniteStream(fc.nat(3)), (items, turn, takes) => {
        const queue = create<{ account: string; n: number }>(turn);
        const taken: { account: string; n: number }[] = [];
        items.forEach(({ account, cost }, n) => {
          queue.add(account, { account, n }, cost);
          if (takes.next().value === 0) taken.push(...queue.takeBatch({ count: takes.next().value, cost: 80 }));
        });
        taken.push(...drain(queue));
        expect(taken.map(({ n }) => n).sort((a, b) => a - b)).toEqual(items.map((_, n) => n));
        for (const account of ['a', 'b', 'c', 'd']) {
          const numbers = taken.filter((item) => item.account === account).map(({ n }) => n);
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        }
        expect([queue.size, queue.cost, queue.count('a')]).toEqual([0, 0, 0]);
      }),
    );
  });

  it('OP-3 while two accounts wait, neither spends more than the other by over a turn and one item', () => {
    fc.assert(
      fc.property(work, fc.integer({ min: 1, max: 100 }), (items, turn) => {
        const queue = create<{ account: string; cost: number }>(turn);
        const left = new Map<string, number>();
        for (const { account, cost } of items) {
          queue.add(account, { account, cost }, cost);
          left.set(account, (left.get(account) ?? 0) + 1);
        }
        const spent = new Map([...left.keys()].map((account) => [account, 0]));
        while ([...left.values()].every((count) => count > 0) && queue.size > 0) {
          const { account, cost } = queue.take()!;
          spent.set(account, spent.get(account)! + cost);
          left.set(account, left.get(account)! - 1);
          const sums = [...spent.values()];
          expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(turn + 2 * 50);
        }
      }),
    );
  });

  it('OP-3 passes over accounts that are not ready, which keep their place', () => {
    const queue = create<string>();
    for (const account of ['a', 'a', 'b', 'c']) queue.add(account, account);
    expect(queue.take((account) => account !== 'a')).toBe('b');
    expect(queue.take(() => false)).toBeUndefined();
    expect(drain(queue).sort()).toEqual(['a', 'a', 'c']);
  });

  it('OP-3 is bounded for one account and for all, by count and by cost', () => {
    const queue = createFairQueue<number>({
      turn: 1,
      max: { count: 5, cost: 100 },
      maxOfOne: { count: 2, cost: 50 },
    });
    expect(queue.add('a', 1, 50)).toBe('added');
    expect(queue.add('a', 2, 1)).toBe('account_full');
    expect([queue.add('b', 3), queue.add('b', 4), queue.add('b', 5)]).toEqual(['added', 'added', 'account_full']);
    expect(queue.add('c', 6, 48)).toBe('added');
    expect(queue.add('d', 7)).toBe('full');
    expect(queue.size).toBe(4);
    drain(queue);
    expect(queue.add('a', 8)).toBe('added');
  });

  it('OP-3 a batch stops at its limits, and takes one item that exceeds them alone', () => {
    const queue = create<number>(1_000);
    for (const cost of [500, 60, 30, 20]) queue.add('a', cost, cost);
    const limit = { count: 10, cost: 100 };
    expect([queue.takeBatch(limit), queue.takeBatch(limit), queue.takeBatch(limit)]).toEqual([[500], [60, 30], [20]]);
  });

  it('OP-3 refuses a turn or a cost of nothing, which would never end', () => {
    expect(() => create(0)).toThrow(TypeError);
    expect(() => create<number>().add('a', 1, 0)).toThrow(TypeError);
  });
});
