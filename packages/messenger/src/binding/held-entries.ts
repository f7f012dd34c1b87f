import type { Platform } from '../platform.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

/**
 * Entries of the store as they will be when everything that was set is written. What is not written yet is in memory,
 * and of the rest what was used last.
 */
export interface HeldEntries {
  get(key: string): Promise<string | undefined>;
  /**
   * The same right after a `get`, at once: nothing can change between this and a `set`. Throws if it is not in memory,
   * which must not look as if there were none: whoever pins would replace the pin.
   */
  peek(key: string): string | undefined;
  set(key: string, value: string | null): void;
  /** Sets it unless it was set since `known` was read: a slow answer must not undo what a faster one has said. */
  replace(key: string, known: string | undefined, value: string): Promise<boolean>;
}

interface Deps {
  readonly store: Pick<Store, 'get'>;
  readonly writeBuffer: WriteBuffer;
  readonly setTimer: Platform['setTimer'];
  /** How much of what is on disk stays in memory, in characters. */
  readonly maxLength?: number;
}

/** In characters. */
const MAX_LENGTH = 1 << 20;

export function createHeldEntries({ store, writeBuffer, setTimer, maxLength = MAX_LENGTH }: Deps): HeldEntries {
  const held = new Map<string, string | null>();
  /** Not on disk yet. */
  const changed = new Set<string>();
  const writing = new Set<string>();
  /** Dropped only when they were read: the read may have begun before the last change. */
  const reading = new Map<string, Promise<void>>();
  let isTrimDue = false;
  let length = 0;

  const put = (key: string, value: string | null): void => {
    remove(key);
    held.set(key, value);
    length += lengthOf(key, value);
  };
  const remove = (key: string): void => {
    const value = held.get(key);
    if (value !== undefined && held.delete(key)) length -= lengthOf(key, value);
  };
  const isNeeded = (key: string) => changed.has(key) || writing.has(key) || reading.has(key);
  /** In a turn of its own: nothing is dropped between a `get` and the `peek` after it. */
  const trimSoon = (): void => {
    if (isTrimDue || length <= maxLength) return;
    isTrimDue = true;
    setTimer(() => {
      isTrimDue = false;
      for (const key of held.keys()) {
        if (length <= maxLength) return;
        if (!isNeeded(key)) remove(key);
      }
    }, 0);
  };
  writeBuffer.afterSave(() => {
    if (writing.size > 0) trimSoon();
    writing.clear();
  });

  const peek = (key: string): string | undefined => {
    const value = held.get(key);
    if (value === undefined) throw new TypeError('peek needs a get right before it');
    return value ?? undefined;
  };
  const read = async (key: string): Promise<void> => {
    try {
      const text = await store.get(key);
      // It may have been set during the read.
      if (!held.has(key)) put(key, text ?? null);
    } finally {
      reading.delete(key);
      trimSoon();
    }
  };
  const get = async (key: string): Promise<string | undefined> => {
    if (!held.has(key)) {
      const done = reading.get(key) ?? read(key);
      reading.set(key, done);
      await done;
    }
    const value = peek(key);
    // From now on it is the one that was used last.
    put(key, value ?? null);
    return value;
  };
  const set = (key: string, value: string | null): void => {
    put(key, value);
    changed.add(key);
    writeBuffer.set(key, () => {
      changed.delete(key);
      writing.add(key);
      return held.get(key) ?? null;
    });
    // Soon, also where nothing else is written: after a crash the server could show less than was seen.
    writeBuffer.savedLater().catch(() => {});
  };
  return {
    get,
    peek,
    set,
    replace: async (key, known, value) => {
      await get(key);
      if (peek(key) !== known) return false;
      set(key, value);
      return true;
    },
  };
}

const lengthOf = (key: string, value: string | null): number => key.length + (value?.length ?? 0);
