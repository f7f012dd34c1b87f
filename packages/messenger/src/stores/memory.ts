import { createJoinedStore } from './joined.ts';
import type { Store } from './store.ts';

/** Gone with the process, or with the entries: for tests, and for who keeps nothing. */
export function createMemoryStore(entries = new Map<string, string>()): Store {
  const nothing = async () => {};
  return createJoinedStore({ location: 'memory', entries, commit: nothing, release: nothing });
}
