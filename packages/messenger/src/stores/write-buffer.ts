import { isParleyError } from '@parley/base';
import { wipe } from '@parley/e2ee';
import type { Platform } from '../platform.ts';
import type { Store } from './store.ts';

/** A function is called when the batch is written, so that a value that changes several times is serialised once. */
type Entry = string | null | (() => string | null);

/**
 * Writes to the store, one batch at a time. Changes during a write go into the next batch, with only the last value of
 * each key.
 */
export interface WriteBuffer {
  set(key: string, value: Entry): void;
  /** Keys that are no longer used; they are overwritten once the state without them is on disk. */
  wipe(keys: readonly Uint8Array[]): void;
  /** Removes a change that no batch has written yet. */
  drop(key: string): void;
  /**
   * Writes at once; resolves when everything set so far is on disk. On a full disk it rejects with STORE_FULL; what was
   * set stays due, and is written when there is space.
   */
  saved(): Promise<void>;
  /**
   * Does the same for writes that nobody waits for: they join the next batch, or make one a little later. On a full
   * disk it goes on waiting.
   */
  savedLater(): Promise<void>;
  /** Called after each batch that was written. */
  afterSave(listener: () => void): void;
}

/** How long to wait on a full disk. */
const FULL_MS = 2_000;
/** Long enough for another batch to come first, which is the usual case. */
const LATER_MS = 50;

interface Deps {
  readonly store: Store;
  readonly setTimer: Platform['setTimer'];
  /** Called once if nothing can be written any more, and once each time the disk is full. */
  readonly onBroken: (error: unknown) => void;
}

export function createWriteBuffer({ store, setTimer, onBroken }: Deps): WriteBuffer {
  let pending = new Map<string, Entry>();
  let used: Uint8Array[] = [];
  let next: Promise<void> | undefined;
  let later: { readonly promise: Promise<void>; start(): void } | undefined;
  let running: Promise<void> = Promise.resolve();
  let broken: { readonly error: unknown } | undefined;
  const listeners: (() => void)[] = [];
  let isShort = false;

  /** It is said when the reserve comes into use, which is before anything fails. */
  const tellShortage = (): void => {
    const shortage = store.shortage?.();
    if (shortage !== undefined && !isShort) onBroken(shortage.error);
    isShort = shortage !== undefined;
  };

  const write = async (): Promise<void> => {
    next = undefined;
    // Memory stays ahead of the disk, so nothing may be sent any more.
    if (broken !== undefined) throw broken.error;
    const [entries, keys] = [pending, used];
    pending = new Map();
    used = [];
    if (entries.size === 0) return wipe(keys);
    try {
      const batch = new Map<string, string | null>();
      // A state that cannot be written stops everything: its keys must not be used twice. What may fail by itself, such
      // as a message from someone else, must not throw here (EE-26).
      for (const [key, entry] of entries) batch.set(key, typeof entry === 'function' ? entry() : entry);
      await store.write(batch);
    } catch (error) {
      if (isParleyError(error, 'STORE_FULL')) {
        // Nothing was written. What was set meanwhile is newer.
        pending = new Map([...entries, ...pending]);
        used.push(...keys);
        savedAfter(FULL_MS).catch(() => {});
        tellShortage();
      } else {
        broken = { error };
        onBroken(error);
      }
      throw error;
    }
    tellShortage();
    wipe(keys);
    for (const listener of listeners) listener();
  };

  const saved = (): Promise<void> => {
    if (next === undefined) {
      next = running.then(write);
      running = next.catch(() => {});
    }
    later?.start();
    return next;
  };
  const savedAfter = (ms: number): Promise<void> => {
    if (later === undefined) {
      let start = () => {};
      const promise = new Promise<void>((resolve, reject) => {
        start = () => {
          stop();
          later = undefined;
          orWhenThereIsSpace(saved()).then(resolve, reject);
        };
      });
      const stop = setTimer(() => start(), ms);
      later = { promise, start };
    }
    return later.promise;
  };
  const orWhenThereIsSpace = (written: Promise<void>): Promise<void> =>
    written.catch((error: unknown) => {
      if (isParleyError(error, 'STORE_FULL')) return savedAfter(FULL_MS);
      throw error;
    });
  const savedLater = (): Promise<void> => (next === undefined ? savedAfter(LATER_MS) : orWhenThereIsSpace(next));

  return {
    set: (key, value) => {
      pending.set(key, value);
    },
    drop: (key) => {
      pending.delete(key);
    },
    wipe: (keys) => {
      for (const key of keys) used.push(key);
    },
    saved,
    savedLater,
    afterSave: (listener) => {
      listeners.push(listener);
    },
  };
}
