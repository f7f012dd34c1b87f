import { describe, expect, it } from 'vitest';
import { createRateWindow } from './index.ts';

function setUp(maxKeys = 100) {
  const clock = { now: 0 };
  return { clock, window: createRateWindow({ windowMs: 60_000, maxKeys, now: () => clock.now }) };
}

describe('HS-20 rate windows', () => {
  it('HS-20 so many in a window, each key for itself; beyond it the rest of the window is told', () => {
    const { clock, window } = setUp();
    expect([window.take('a', 2), window.take('a', 2)]).toEqual([0, 0]);
    clock.now = 20_000;
    expect(window.take('a', 2)).toBe(40_000);
    expect(window.take('b', 2)).toBe(0);
    clock.now = 60_000;
    expect(window.take('a', 2)).toBe(0);
  });

  it('HS-20 a clock that is put back does not hold a window open', () => {
    const { clock, window } = setUp();
    clock.now = 1_000_000;
    expect([window.take('a', 1), window.take('a', 1)]).toEqual([0, 60_000]);
    clock.now = 0;
    expect(window.take('a', 1)).toBe(0);
  });

  it('HS-20 flood of keys: the oldest counters are forgotten, the newest stay', () => {
    const { window } = setUp(2);
    for (const key of ['a', 'b', 'c']) window.take(key, 1);
    expect([window.take('b', 1), window.take('c', 1)]).toEqual([60_000, 60_000]);
    expect(window.take('a', 1)).toBe(0);
  });
});
