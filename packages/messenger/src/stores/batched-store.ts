import { createDeferred, isParleyError, type ParleyError } from '@parley/base';
import { messengerError } from '../errors.ts';
import type { Store, StoreBatch, StoreChanges, StoreEntry } from './store.ts';

export interface Storage {
  /** Named in error messages. */
  readonly location: string;
  /** The stored entries. The map belongs to the store from now on. */
  readonly entries: Map<string, string>;
  /** All or nothing, on disk when it resolves. Never called again before it has, nor after it has failed. */
  commit(changes: StoreChanges): Promise<void>;
  /** Awaited before each commit: batches that arrive meanwhile join it. */
  gather?(): Promise<void>;
  /** After the last commit. */
  release(): Promise<void>;
}

interface Group {
  readonly batch: Map<string, StoreEntry>;
  readonly done: Promise<void>;
  settle(result: { error?: unknown }): void;
}

/**
 * A store whose content is in memory. Batches that arrive while a commit is in progress become one: as all of it is
 * kept or nothing, only the last value of a key has to be written.
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
        // What reached the disk is not known any more, so nothing may be built upon it.
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
