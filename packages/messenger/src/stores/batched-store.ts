import { createDeferred, isParleyError, type ParleyError } from '@parley/base';
import { messengerError } from '../errors.ts';
import type { Store, StoreBatch, StoreChanges, StoreEntry } from './store.ts';

export interface Storage {
  /** Named in error messages. */
  readonly location: string;
  /** The stored entries. From now on the map belongs to the store. */
  readonly entries: Map<string, string>;
  /**
   * Writes all changes or none; they are on disk when it resolves. It is not called again before it resolves, nor after
   * it failed.
   */
  commit(changes: StoreChanges): Promise<void>;
  /** Awaited before each commit: batches that arrive meanwhile join it. */
  gather?(): Promise<void>;
  /** Called after the last commit. */
  release(): Promise<void>;
}

interface Group {
  readonly batch: Map<string, StoreEntry>;
  readonly done: Promise<void>;
  settle(result: { error?: unknown }): void;
}

/**
 * Creates a store that holds its content in memory. Batches that arrive during a commit become one: a commit is all or
 * nothing, so only the last value of a key has to be written.
 */
export function createBatchedStore({ location, entries, commit, gather = nextTurn, release }: Storage): Store {
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
        const changes = finish(group.batch);
        await commit(changes);
        apply(entries, changes);
        group.settle({});
      } catch (error) {
        // It is unknown what reached the disk, so nothing more may be written.
        stopped ??= toStoreError(error, location);
        group.settle({ error: stopped });
      }
    }
    running = undefined;
  }

  return {
    async get(key) {
      check();
      return entries.get(key);
    },
    async list(prefix) {
      check();
      return [...entries].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
    },
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
    close() {
      closing ??= (async () => {
        await running;
        stopped ??= messengerError('STORE_CLOSED', { params: { location } });
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

export function apply(entries: Map<string, string>, changes: StoreChanges): void {
  for (const [key, value] of changes) {
    if (value === null) entries.delete(key);
    else entries.set(key, value);
  }
}

function toStoreError(error: unknown, location: string): ParleyError {
  if (isParleyError(error)) return error;
  const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
  return messengerError('STORE_FAILED', { params: { location, reason }, cause: error });
}
