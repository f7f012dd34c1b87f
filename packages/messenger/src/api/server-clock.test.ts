import { describe, expect, it } from 'vitest';
import { createServerClock } from './server-clock.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-05-15T10:00:00.000Z');

function start() {
  let time = START;
  const clock = createServerClock(() => new Date(time));
  const states: string[] = [];
  clock.subscribe(() => states.push(clock.getSnapshot().state));
  return {
    clock,
    states,
    hear: (offset: number) => clock.hear(new Date(START + offset)),
    set: (offset: number) => (time = START + offset),
    old: () => clock.pruningTime() && clock.pruningTime()!.getTime() - START,
  };
}

describe('EE-25 whether the clock of a device can be trusted', () => {
  it('EE-25 nothing may be removed before a server was heard', () => {
    expect(start().old()).toBeUndefined();
  });

  it('EE-25 within a day, the earlier of the two counts: both call it old', () => {
    const { hear, set, old } = start();
    hear(-DAY);
    expect(old()).toBe(-DAY);
    hear(DAY);
    expect(old()).toBe(0);
    hear(DAY + 1);
    expect(old()).toBeUndefined();
    set(2 * HOUR);
    hear(0);
    expect(old()).toBe(0);
  });

  it('EE-25 attack: a clock that jumps after the server was heard is not believed either', () => {
    const { hear, set, old } = start();
    hear(0);
    set(40 * DAY);
    expect(old()).toBeUndefined();
    set(-40 * DAY);
    expect(old()).toBeUndefined();
    set(HOUR);
    expect(old()).toBe(0);
  });

  it('EE-25 it is told once that they differ, and when they agree again', () => {
    const { clock, states, hear } = start();
    hear(-40 * DAY);
    hear(-40 * DAY + HOUR);
    expect(clock.getSnapshot()).toEqual({ state: 'differs', byMs: 40 * DAY });
    hear(0);
    hear(HOUR);
    hear(Number.NaN);
    expect(states).toEqual(['differs', 'agrees']);
  });
});
