import type { StoreChanges } from './store.ts';

/** The part of a storage that holds all entries in memory. */
export interface EntryMap {
  get(key: string): Promise<string | undefined>;
  list(prefix: string): Promise<(readonly [string, string])[]>;
}

export function createEntryMap(entries: ReadonlyMap<string, string>): EntryMap {
  return {
    get: async (key) => entries.get(key),
    list: async (prefix) => [...entries].filter(([key]) => key.startsWith(prefix)),
  };
}

export function applyChanges(entries: Map<string, string>, changes: StoreChanges): void {
  for (const [key, value] of changes) {
    if (value === null) entries.delete(key);
    else entries.set(key, value);
  }
}
