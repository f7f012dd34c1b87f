import { describe, expect, it } from 'vitest';
import { createCache } from './cache.ts';

function start(isDoubtful?: (value: number) => boolean) {
  let time = 0;
  let asked = 0;
  const options = { now: () => new Date(time), maxAgeMs: 600_000, size: 10, ...(isDoubtful && { isDoubtful }) };
  const cache = createCache(async () => ++asked, options);
  const at = async (ms: number) => {
    time = ms;
    return cache.get('a');
  };
  return { at };
}

describe('EE-24 what the server said', () => {
  it('EE-24 is kept for its time, but what was refused is soon asked again', async () => {
    const { at } = start((value) => value === 1);
    expect(await at(0)).toBe(1);
    expect(await at(9_999)).toBe(1);
    expect(await at(10_000)).toBe(2);
    expect(await at(609_999)).toBe(2);
    expect(await at(610_000)).toBe(3);
  });

  it('EE-25 is not kept longer because the clock was put back', async () => {
    const { at } = start();
    expect(await at(1_000_000)).toBe(1);
    expect(await at(0)).toBe(2);
  });
});
