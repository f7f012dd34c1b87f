import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

/** Entries of the store as they will be when everything that was set is written. */
export interface HeldEntries {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string | null): void;
}

export function createHeldEntries(store: Pick<Store, 'get'>, writeBuffer: WriteBuffer): HeldEntries {
  const held = new Map<string, string | null>();
  return {
    get: async (key) => {
      if (held.has(key)) return held.get(key) ?? undefined;
      const text = await store.get(key);
      // It may have been set during the read.
      return held.has(key) ? (held.get(key) ?? undefined) : text;
    },
    set: (key, value) => {
      held.set(key, value);
      writeBuffer.set(key, value);
    },
  };
}
