import { describe, expect, it } from 'vitest';
import { addJitter, createRetrier } from './index.ts';

function setUp() {
  const timers: { ms: number; run(): void }[] = [];
  const retrier = createRetrier({
    delaysMs: [1_000, 2_000],
    random: () => 1,
    setTimer: (run, ms) => {
      const timer = { ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
  });
  return { timers, retrier };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const always = () => true;

describe('HS-20 retries', () => {
  it('HS-20 a task is repeated after longer and longer delays until it succeeds', async () => {
    const { timers, retrier } = setUp();
    const delays: number[] = [];
    let failures = 4;
    const outcome = retrier.run(async () => {
      if (failures-- > 0) throw new Error('not yet');
      return 'done';
    }, always);
    for (let attempt = 0; attempt < 4; attempt++) {
      await turn();
      delays.push(timers[0]!.ms);
      timers[0]!.run();
    }
    expect(await outcome).toBe('done');
    expect(delays).toEqual([1_000, 2_000, 2_000, 2_000]);
    expect(timers).toEqual([]);
  });

  it('HS-20 an error that is not temporary is thrown at once', async () => {
    const { timers, retrier } = setUp();
    await expect(
      retrier.run(
        () => Promise.reject(new Error('final')),
        () => false,
      ),
    ).rejects.toThrow('final');
    expect(timers).toEqual([]);
  });

  it('HS-20 what waits can be woken, and stopped for good', async () => {
    const { timers, retrier } = setUp();
    let attempts = 0;
    const outcome = retrier.run(() => Promise.reject(new Error(String(++attempts))), always);
    const stopped = expect(outcome).rejects.toThrow('stopped');
    await turn();
    retrier.wake();
    await turn();
    expect(attempts).toBe(2);
    retrier.stop(new Error('stopped'));
    await stopped;
    expect(timers).toEqual([]);
    await expect(retrier.run(async () => 1, always)).rejects.toThrow('stopped');
  });

  it('HS-20 jitter keeps at least half of the delay', () => {
    expect([addJitter(1_000, 0), addJitter(1_000, 0.5), addJitter(1_000, 1)]).toEqual([500, 750, 1_000]);
  });
});
