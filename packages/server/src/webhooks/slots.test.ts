import { describe, expect, it } from 'vitest';
import { createSlots, SLOT_LIMITS, type Slots } from './slots.ts';

const takeMany = (slots: Slots, count: number, route: (n: number) => { accountId: string; host: string }) =>
  Array.from({ length: count }, (_, n) => slots.take(route(n))).filter(Boolean).length;

describe('OP-4 the slots of deliveries', () => {
  it('OP-4 attack: one account with a thousand webhooks on as many hosts takes a few slots', () => {
    const slots = createSlots();
    expect(takeMany(slots, 1_000, (n) => ({ accountId: 'eve', host: `h${n}` }))).toBe(SLOT_LIMITS.ofAccount);
    expect(slots.take({ accountId: 'ann', host: 'h1' })).toBe(true);
  });

  it('OP-4 attack: a thousand accounts with webhooks on one host take a few slots', () => {
    const slots = createSlots();
    expect(takeMany(slots, 1_000, (n) => ({ accountId: `a${n}`, host: 'one' }))).toBe(SLOT_LIMITS.ofHost.all);
    expect(slots.take({ accountId: 'ann', host: 'another' })).toBe(true);
  });

  it('OP-4 attack: hosts that answer 200 after 9.5 seconds get fewer slots, each and together', () => {
    const slots = createSlots();
    for (let n = 0; n < 100; n++) slots.note(`slow${n}`, 9_500);
    expect(takeMany(slots, 10, (n) => ({ accountId: `a${n}`, host: 'slow0' }))).toBe(SLOT_LIMITS.ofSlowHost.all);
    expect(slots.take({ accountId: 'a0', host: 'slow0' })).toBe(false);
    expect(takeMany(slots, 100, (n) => ({ accountId: `b${n}`, host: `slow${n}` }))).toBe(
      SLOT_LIMITS.slow - SLOT_LIMITS.ofSlowHost.all,
    );
    expect(slots.isFull).toBe(false);
    expect(slots.take({ accountId: 'ann', host: 'quick' })).toBe(true);
  });

  it('OP-4 a host that was slow and answers quickly again has its slots back', () => {
    const slots = createSlots();
    slots.note('host', 9_500);
    const route = { accountId: 'a', host: 'host' };
    expect([slots.take(route), slots.take(route)]).toEqual([true, false]);
    slots.free(route);
    for (let n = 0; n < 20; n++) slots.note('host', 20);
    expect(takeMany(slots, 10, () => route)).toBe(SLOT_LIMITS.ofHost.ofAccount);
  });

  it('OP-4 all slots together are limited, and what is freed can be taken again', () => {
    const slots = createSlots();
    const route = (n: number) => ({ accountId: `a${n}`, host: `h${n}` });
    expect(takeMany(slots, 100, route)).toBe(SLOT_LIMITS.all);
    expect(slots.isFull).toBe(true);
    slots.free(route(0));
    expect(slots.take(route(200))).toBe(true);
  });
});
