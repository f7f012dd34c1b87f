import { describe, expect, it } from 'vitest';
import { dayOf, longDay, nameDay, timeOfDay } from './day.ts';

/** In whatever time zone this runs. */
const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts);

describe('WC-36 days', () => {
  it.each([
    ['today', at(2026, 2, 29, 0, 1), at(2026, 2, 29, 23, 59)],
    ['yesterday', at(2026, 2, 28, 23, 59), at(2026, 2, 29, 0, 1)],
    ['yesterday', at(2025, 11, 31, 12), at(2026, 0, 1, 0, 1)],
    ['other', at(2026, 2, 27, 23, 59), at(2026, 2, 29, 0, 1)],
    ['other', at(2026, 2, 30), at(2026, 2, 29)],
  ])('%s', (name, day, now) => {
    expect(nameDay(day.toISOString(), now)).toBe(name);
  });

  it('the year is told of another year only', () => {
    const day = at(2026, 2, 5).toISOString();
    expect(longDay(day, at(2026, 5, 1))).toBe('Thursday, March 5');
    expect(longDay(day, at(2027, 5, 1))).toBe('Thursday, March 5, 2026');
  });

  it('a time as people write it, and nothing for what is none', () => {
    expect(timeOfDay(at(2026, 2, 5, 18, 5).toISOString())).toMatch(/^6:05\sPM$/);
    expect(timeOfDay('soon')).toBe('');
    expect(dayOf('soon')).toBeUndefined();
  });
});
