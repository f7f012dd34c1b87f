import { createBatchedStore } from './batched-store.ts';
import type { Store } from './store.ts';

/** Creates a store that is not persistent, for tests and for programs that keep nothing. */
export function createMemoryStore(entries = new Map<string, string>()): Store {
  const nothing = async () => {};
  return createBatchedStore({ location: 'memory', entries, commit: nothing, release: nothing });
}
