import { createDeferred, type Deferred } from './deferred.ts';
import { type Admission, createFairQueue, type FairQueueOptions } from './fair-queue.ts';

/**
 * Joins writes of which only the highest counts: what arrives during one flush is written by the next, once for each
 * key, in turns by account.
 */
export interface Coalescer<Write> {
  /** Resolves when this write, or a higher one of its key, is stored. */
  add(account: string, key: string, write: Write): Promise<void>;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

export interface CoalescerOptions<Write> extends Pick<FairQueueOptions, 'max' | 'maxOfOne'> {
  /** Of two writes of one key the one with the higher rank is stored. */
  rank(write: Write): number;
  /** Stores writes of different keys. One flush runs at a time; one that fails rejects its writes. */
  flush(writes: readonly Write[]): Promise<void>;
  /** Did it fail because of single writes? Then the others are stored without them. */
  isAboutSome?(error: unknown): boolean;
  /** The most writes in one flush. */
  readonly size: number;
  refuse(reason: Exclude<Admission, 'added'>): Error;
  /** Awaited before the first flush, so that writes of one packet share it. */
  gather(): Promise<void>;
}

interface Entry<Write> extends Deferred<void> {
  readonly key: string;
  write: Write;
}

export function createCoalescer<Write>(options: CoalescerOptions<Write>): Coalescer<Write> {
  const { rank, flush, size, refuse, gather, max, maxOfOne, isAboutSome = () => false } = options;
  const queue = createFairQueue<Entry<Write>>({ turn: 1, max, maxOfOne });
  const waiting = new Map<string, Entry<Write>>();
  let running: Promise<void> | undefined;

  const flushNext = async (): Promise<void> => {
    const batch = queue.takeBatch({ count: size, cost: Number.POSITIVE_INFINITY });
    for (const { key } of batch) waiting.delete(key);
    await store(batch);
  };
  const store = async (batch: readonly Entry<Write>[]): Promise<void> => {
    try {
      await flush(batch.map(({ write }) => write));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length > 1 && isAboutSome(error)) {
        const half = batch.length >> 1;
        await store(batch.slice(0, half));
        await store(batch.slice(half));
      } else for (const { reject } of batch) reject(error);
    }
  };
  const drain = async (): Promise<void> => {
    await gather();
    while (queue.size > 0) await flushNext();
    running = undefined;
  };

  return {
    add: (account, key, write) => {
      const known = waiting.get(key);
      if (known !== undefined) {
        if (rank(write) > rank(known.write)) known.write = write;
        return known.promise;
      }
      const entry: Entry<Write> = { ...createDeferred(), key, write };
      const admission = queue.add(account, entry);
      if (admission !== 'added') return Promise.reject(refuse(admission));
      waiting.set(key, entry);
      running ??= drain();
      return entry.promise;
    },
    idle: async () => {
      await running;
    },
  };
}
