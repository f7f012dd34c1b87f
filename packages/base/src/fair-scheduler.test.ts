import { describe, expect, it } from 'vitest';
import { createDeferred, createFairScheduler } from './index.ts';

const LIMITS = {
  max: { count: 100, cost: 1e6 },
  maxOfOne: { count: 3, cost: 1e6 },
  refuse: (why: string) => new Error(why),
};

describe('OP-3 the fair scheduler', () => {
  it('OP-3 runs a few tasks at a time, and of one account fewer', async () => {
    const scheduler = createFairScheduler({ ...LIMITS, concurrency: 3, concurrencyOfOne: 2 });
    const gate = createDeferred();
    const started: string[] = [];
    const run = (account: string, name: string) =>
      scheduler.run(account, async () => {
        started.push(name);
        await gate.promise;
        return name;
      });
    const results = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('c', 'c1')];
    await new Promise(setImmediate);
    expect(started).toEqual(['a1', 'a2', 'b1']);
    expect([scheduler.count('a'), scheduler.waiting]).toEqual([3, 2]);
    gate.resolve();
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
    await scheduler.idle();
    expect([scheduler.count('a'), scheduler.waiting]).toEqual([0, 0]);
  });

  it('OP-3 attack: an account that waits with many tasks is refused more, and others are not', async () => {
    const scheduler = createFairScheduler({ ...LIMITS, concurrency: 1, concurrencyOfOne: 1 });
    const gate = createDeferred();
    const order: string[] = [];
    const run = (account: string) =>
      scheduler.run(account, async () => {
        await gate.promise;
        order.push(account);
      });
    const flood = Array.from({ length: 5 }, () => run('flood'));
    const innocent = run('innocent');
    await expect(flood[4]).rejects.toThrow('account_full');
    gate.resolve();
    await innocent;
    expect(order.length).toBeLessThanOrEqual(3);
    await Promise.all(flood.slice(0, 4));
  });

  it('OP-3 a task that fails tells its caller and lets the next one run', async () => {
    const scheduler = createFairScheduler({ ...LIMITS, concurrency: 1, concurrencyOfOne: 1 });
    const failed = scheduler.run('a', () => {
      throw new Error('no');
    });
    const next = scheduler.run('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
