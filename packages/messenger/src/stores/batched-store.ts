import { createDeferred, isParleyError, type ParleyError } from '@parley/base';
import { messengerError } from '../errors.ts';
import type { Store, StoreBatch, StoreChanges, StoreEntry } from './store.ts';

export interface Storage {
  /** Named in error messages. */
  readonly location: string;
  get(key: string): Promise<string | undefined>;
  /** Returns them in any order. */
  list(prefix: string): Promise<(readonly [key: string, value: string])[]>;
  /**
   * Writes all changes or none; when it resolves, they are on disk and are read. It is not called again before it
   * resolves, nor after it failed with anything but STORE_FULL.
   */
  commit(changes: StoreChanges): Promise<void>;
  /** Awaited before each commit: batches that arrive meanwhile join it. */
  gather?(): Promise<void>;
  shortage?: Store['shortage'];
  /** Called after the last commit and the last read. */
  release(): Promise<void>;
}

interface Group {
  readonly batch: Map<string, StoreEntry>;
  readonly done: Promise<void>;
  settle(result: { error?: unknown }): void;
}

/**
 * Batches that arrive during a commit become one: a commit is all or nothing, so only the last value of a key has to be
 * written.
 */
export function createBatchedStore(storage: Storage): Store {
  const { location, commit, gather = nextTurn, release } = storage;
  const reading = new Set<Promise<unknown>>();
  let waiting: Group | undefined;
  let running: Promise<void> | undefined;
  let stopped: ParleyError | undefined;
  let closing: Promise<void> | undefined;

  const check = () => {
    if (stopped !== undefined) throw stopped;
  };

  async function run(): Promise<void> {
    while (waiting !== undefined) {
      await gather();
      const group = waiting;
      waiting = undefined;
      try {
        check();
        await commit(finish(group.batch));
        group.settle({});
      } catch (error) {
        // Otherwise it is unknown what reached the disk, so nothing more may be written.
        if (!isParleyError(error, 'STORE_FULL')) stopped ??= toStoreError(error, location);
        group.settle({ error: stopped ?? error });
      }
    }
    running = undefined;
  }

  /** What is read must not be closed meanwhile. */
  async function read<Result>(work: () => Promise<Result>): Promise<Result> {
    check();
    const result = work();
    reading.add(result);
    try {
      return await result;
    } finally {
      reading.delete(result);
    }
  }

  return {
    get: (key) => read(() => storage.get(key)),
    list: async (prefix) => (await read(() => storage.list(prefix))).sort(([a], [b]) => (a < b ? -1 : 1)),
    async write(batch) {
      check();
      if (closing !== undefined) throw messengerError('STORE_CLOSED', { params: { location } });
      if (batch.size === 0) return;
      waiting ??= createGroup();
      for (const [key, value] of batch) waiting.batch.set(key, value);
      const { done } = waiting;
      running ??= run();
      await done;
    },
    ...(storage.shortage && { shortage: storage.shortage }),
    close() {
      closing ??= (async () => {
        await running;
        stopped ??= messengerError('STORE_CLOSED', { params: { location } });
        await Promise.allSettled(reading);
        await release();
      })();
      return closing;
    },
  };
}

function createGroup(): Group {
  const { promise, resolve, reject } = createDeferred();
  const settle: Group['settle'] = (result) => ('error' in result ? reject(result.error) : resolve());
  return { batch: new Map(), done: promise, settle };
}

/** Joins the batches of one turn. */
const nextTurn = () => Promise.resolve();

function finish(batch: StoreBatch): StoreChanges {
  const changes = new Map<string, string | null>();
  for (const [key, value] of batch) changes.set(key, typeof value === 'function' ? value() : value);
  return changes;
}

function toStoreError(error: unknown, location: string): ParleyError {
  if (isParleyError(error)) return error;
  const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
  return messengerError('STORE_FAILED', { params: { location, reason }, cause: error });
}
