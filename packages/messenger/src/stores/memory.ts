import { createBatchedStore } from './batched-store.ts';
import { applyChanges, createEntryMap } from './entry-map.ts';
import type { Store } from './store.ts';

/** Creates a store that is not persistent, for tests and for programs that keep nothing. */
export function createMemoryStore(entries = new Map<string, string>()): Store {
  return createBatchedStore({
    location: 'memory',
    ...createEntryMap(entries),
    commit: async (changes) => applyChanges(entries, changes),
    release: async () => {},
  });
}
