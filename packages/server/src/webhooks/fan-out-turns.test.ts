import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFanOutTurns, type Waiting } from './fan-out-turns.ts';

const event = (id: number, account_id: string, deliveries: number): Waiting => ({ id, account_id, deliveries });

describe('OP-3 turns of events for webhooks', () => {
  it('OP-3 attack: events of one account that go to 400 webhooks each: the one of another is in the first round', () => {
    const turns = createFanOutTurns();
    const flood = Array.from({ length: 100 }, (_, n) => event(n, 'eve', 400));
    const taken = turns.take([...flood, event(1_000, 'ivy', 1)], 1_000);
    expect(taken.map(({ id }) => id)).toContain(1_000);
    expect(taken.length).toBeLessThan(6);
  });

  it('OP-3 what was larger than a turn is paid for in the rounds that follow', () => {
    const turns = createFanOutTurns();
    const waiting = { eve: 100, ivy: 1_000 };
    const made = { eve: 0, ivy: 0 };
    for (let round = 0; round < 40; round++) {
      const heads = [
        ...Array.from({ length: Math.min(10, waiting.eve) }, (_, n) => event(n, 'eve', 400)),
        ...Array.from({ length: 100 }, (_, n) => event(1_000 + n, 'ivy', 10)),
      ];
      for (const { account_id, deliveries } of turns.take(heads, 300)) {
        made[account_id as 'eve' | 'ivy'] += deliveries;
        waiting[account_id as 'eve' | 'ivy']--;
      }
    }
    expect(made.eve / made.ivy).toBeGreaterThan(0.7);
    expect(made.eve / made.ivy).toBeLessThan(1.4);
  });

  it('OP-3 nothing is lost or doubled, and what one account sends keeps its order', () => {
    const one = fc.record({ account: fc.constantFrom('a', 'b', 'c'), deliveries: fc.integer({ min: 0, max: 900 }) });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 100 }), fc.integer({ min: 1, max: 1_500 }), (list, most) => {
        const turns = createFanOutTurns();
        let waiting = list
          .map(({ account, deliveries }, id) => event(id, account, deliveries))
          .sort((a, b) => a.account_id.localeCompare(b.account_id) || a.id - b.id);
        const taken: Waiting[] = [];
        while (waiting.length > 0) {
          const some = turns.take(waiting, most);
          expect(some.length).toBeGreaterThan(0);
          expect(turns.last).toBe(some.at(-1)!.account_id);
          taken.push(...some);
          waiting = waiting.filter((one) => !some.includes(one));
        }
        for (const account of ['a', 'b', 'c']) {
          const ids = list.flatMap((one, id) => (one.account === account ? [id] : []));
          expect(taken.filter(({ account_id }) => account_id === account).map(({ id }) => id)).toEqual(ids);
        }
      }),
    );
  });
});
