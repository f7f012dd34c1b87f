import { describe, expect, it } from 'vitest';
import { createHeldMessages, type Holdable } from './held-messages.ts';

const item = (account: string, conversation: string, n: number) => ({ account, conversation, cost: 10, n });
const ALL = { count: 100, cost: 1_000 };

describe('OP-3 held messages', () => {
  it('OP-3 those of a conversation keep their order, taken in part and put back', () => {
    const held = createHeldMessages<Holdable & { readonly n: number }>();
    for (let n = 1; n <= 4; n++) held.add(item('eve', 'a', n));
    const some = held.take({ count: 2, cost: 1_000 });
    expect(some.map(({ n }) => n)).toEqual([1, 2]);
    held.add(item('ann', 'a', 5));
    held.putBack(some);
    expect(held.take(ALL).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
    expect([held.size, held.cost, held.has('a')]).toEqual([0, 0, false]);
  });

  it('OP-3 a conversation with many leaves the next turn to the others', () => {
    const held = createHeldMessages<Holdable & { readonly n: number }>();
    for (let n = 1; n <= 4; n++) held.add(item('eve', 'a', n));
    held.add(item('ann', 'b', 1));
    expect(held.take({ count: 2, cost: 1_000 }).map(({ conversation }) => conversation)).toEqual(['a', 'a']);
    expect(held.take({ count: 100, cost: 20 }).map(({ conversation }) => conversation)).toEqual(['b', 'a']);
    expect([held.of('eve'), held.of('ann')]).toEqual([
      { count: 1, cost: 10 },
      { count: 0, cost: 0 },
    ]);
  });
});
