import type { Store } from '../store.ts';
import { createJoinedStore } from './joined.ts';

/** Gone with the process, or with the entries: for tests, and for who keeps nothing. */
export function createMemoryStore(entries = new Map<string, string>()): Store {
  const nothing = async () => {};
  return createJoinedStore({ place: 'memory', entries, commit: nothing, release: nothing });
}
