import { describe, expect, it } from 'vitest';
import { createDeferred, createKeyedQueue } from './index.ts';

describe('HS-20 the keyed queue', () => {
  it('HS-20 tasks of one key run in order, those of others do not wait for them', async () => {
    const queue = createKeyedQueue();
    const gate = createDeferred();
    const log: string[] = [];
    const first = queue.run('a', async () => {
      await gate.promise;
      log.push('a1');
    });
    const second = queue.run('a', async () => void log.push('a2'));
    await queue.run('b', async () => void log.push('b1'));
    expect([log, queue.count('a'), queue.count('b')]).toEqual([['b1'], 2, 0]);
    gate.resolve();
    await Promise.all([first, second]);
    expect(log).toEqual(['b1', 'a1', 'a2']);
  });

  it('HS-20 a task that fails tells its caller and lets the next one run', async () => {
    const queue = createKeyedQueue();
    const failed = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('HS-20 keys without tasks are forgotten, and idle waits for what is added meanwhile', async () => {
    const queue = createKeyedQueue();
    const log: string[] = [];
    const one = queue.run('a', async () => {
      void queue.run('b', async () => void log.push('late'));
    });
    await queue.idle();
    await one;
    expect([log, queue.count('a'), queue.count('b')]).toEqual([['late'], 0, 0]);
  });
});
