import { describe, expect, it } from 'vitest';
import { DELIVERY_LIFETIME_MS } from '../events/webhook-outbox.ts';
import { nextAttempt, pauseAfter } from './schedule.ts';

const START = new Date('2026-01-01T00:00:00Z');
const expiresAt = new Date(START.getTime() + DELIVERY_LIFETIME_MS);

/** Seconds after the start at which attempts are made that all fail. */
function attemptTimes(random: () => number): number[] {
  const times = [0];
  let now = START;
  for (let attempts = 1; ; attempts++) {
    const next = nextAttempt({ attempts, now, expiresAt, believed: true }, random());
    if (next === undefined) return times;
    times.push((next.getTime() - START.getTime()) / 1_000);
    now = next;
  }
}

describe('TR-6 when deliveries are tried again', () => {
  it('TR-6 soon at first, then ever more rarely, the last time after exactly a day', () => {
    expect(attemptTimes(() => 0.5).map(Math.round)).toEqual([
      0, 5, 20, 65, 200, 605, 1820, 5465, 16400, 38000, 59600, 81200, 86400,
    ]);
  });

  it.each([0, 0.999])('TR-6 with jitter at %d the day is still used up and never exceeded', (random) => {
    const times = attemptTimes(() => random);
    expect(times.at(-1)).toBe(86_400);
    expect(times.length).toBeGreaterThan(10);
    expect(times.every((time, index) => index === 0 || time > times[index - 1]!)).toBe(true);
  });

  it('OP-13 while the clock is not believed, the number of attempts ends it', () => {
    const later = new Date(expiresAt.getTime() + 31 * 86_400_000);
    const next = (attempts: number) => nextAttempt({ attempts, now: later, expiresAt, believed: false }, 0.5);
    expect(next(1)).toEqual(new Date(later.getTime() + 5_000));
    expect(next(13)).toEqual(new Date(later.getTime() + 6 * 3_600_000));
    expect(next(14)).toBeUndefined();
  });

  it('TR-6 the pause of an endpoint grows with its failures, to five minutes at most', () => {
    expect([1, 2, 5, 8, 9, 1_000].map(pauseAfter)).toEqual([2_000, 4_000, 32_000, 256_000, 300_000, 300_000]);
  });
});
