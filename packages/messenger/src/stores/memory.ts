import { createBatchedStore } from './batched-store.ts';
import type { Store } from './store.ts';

/** Not persistent: for tests, and for programs that store nothing. */
export function createMemoryStore(entries = new Map<string, string>()): Store {
  const nothing = async () => {};
  return createBatchedStore({ location: 'memory', entries, commit: nothing, release: nothing });
}
