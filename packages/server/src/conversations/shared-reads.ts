import { createFairScheduler } from '@parley/base';

/** Reads of the database that sockets and polls cause: a few at a time, in turns by account (OP-3). */
export interface SharedReads {
  /**
   * Those of one key that wait are one read: it begins after each of them was asked for, so it has what they were woken for.
   * A read must not wait for another one: it holds one of the few places.
   */
  run<Result>(account: string, key: string, read: () => Promise<Result>): Promise<Result>;
}

/** Each socket and poll waits for one at a time, and there are limits on those. */
const NO_LIMIT = { count: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };

/** The rest of the pool is for requests and jobs, whatever is read. */
export function createSharedReads(poolSize: number): SharedReads {
  const concurrency = Math.max(1, Math.floor(0.4 * poolSize));
  const scheduler = createFairScheduler({
    concurrency,
    concurrencyOfOne: Math.max(1, Math.floor(concurrency / 2)),
    max: NO_LIMIT,
    maxOfOne: NO_LIMIT,
    refuse: (reason) => new Error(`reads have no limit: ${reason}`),
  });
  const waiting = new Map<string, Promise<unknown>>();
  return {
    run: <Result>(account: string, key: string, read: () => Promise<Result>) => {
      const known = waiting.get(key);
      if (known !== undefined) return known as Promise<Result>;
      const result = scheduler.run(account, () => {
        waiting.delete(key);
        return read();
      });
      waiting.set(key, result);
      return result;
    },
  };
}
