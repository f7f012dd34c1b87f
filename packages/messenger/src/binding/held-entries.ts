import type { Platform } from '../platform.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

/** Entries of the store as they will be when everything that was set is written. Only what is not is in memory. */
export interface HeldEntries {
  get(key: string): Promise<string | undefined>;
  /** The same right after a `get`, at once: nothing can change between this and a `set`. */
  peek(key: string): string | undefined;
  set(key: string, value: string | null): void;
  /** Sets it unless it was set since `known` was read: a slow answer must not undo what a faster one has said. */
  replace(key: string, known: string | undefined, value: string): Promise<boolean>;
}

interface Deps {
  readonly store: Pick<Store, 'get'>;
  readonly writeBuffer: WriteBuffer;
  readonly setTimer: Platform['setTimer'];
}

export function createHeldEntries({ store, writeBuffer, setTimer }: Deps): HeldEntries {
  const held = new Map<string, string | null>();
  /** Not on disk yet. */
  const changed = new Set<string>();
  const writing = new Set<string>();
  let isTrimDue = false;

  /** In a turn of its own: nothing is dropped between a `get` and the `peek` after it. */
  const trimSoon = (): void => {
    if (isTrimDue) return;
    isTrimDue = true;
    setTimer(() => {
      isTrimDue = false;
      for (const key of held.keys()) if (!changed.has(key) && !writing.has(key)) held.delete(key);
    }, 0);
  };
  writeBuffer.afterSave(() => {
    if (writing.size > 0) trimSoon();
    writing.clear();
  });

  const peek = (key: string): string | undefined => held.get(key) ?? undefined;
  const get = async (key: string): Promise<string | undefined> => {
    if (held.has(key)) return peek(key);
    const text = await store.get(key);
    // It may have been set during the read.
    if (!held.has(key) && text !== undefined) {
      held.set(key, text);
      trimSoon();
    }
    return peek(key);
  };
  const set = (key: string, value: string | null): void => {
    held.set(key, value);
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
