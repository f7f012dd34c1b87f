import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

/** Entries of the store as they will be when everything that was set is written. */
export interface HeldEntries {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string | null): void;
  /** Sets it unless it was set since `known` was read: a slow answer must not undo what a faster one has said. */
  replace(key: string, known: string | undefined, value: string): boolean;
}

export function createHeldEntries(store: Pick<Store, 'get'>, writeBuffer: WriteBuffer): HeldEntries {
  const held = new Map<string, string | null>();
  const set = (key: string, value: string | null): void => {
    held.set(key, value);
    writeBuffer.set(key, value);
    // Soon, also where nothing else is written: after a crash the server could show less than was seen.
    writeBuffer.savedLater().catch(() => {});
  };
  return {
    get: async (key) => {
      if (held.has(key)) return held.get(key) ?? undefined;
      const text = await store.get(key);
      // It may have been set during the read.
      return held.has(key) ? (held.get(key) ?? undefined) : text;
    },
    set,
    replace: (key, known, value) => {
      if (held.has(key) && (held.get(key) ?? undefined) !== known) return false;
      set(key, value);
      return true;
    },
  };
}
