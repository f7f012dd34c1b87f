import type { Store } from '../store.ts';
import { createJoinedStore } from './joined.ts';

/** Gone with the process: for tests, and for who keeps nothing. */
export function createMemoryStore(): Store {
  const nothing = async () => {};
  return createJoinedStore({ place: 'memory', entries: new Map(), commit: nothing, release: nothing });
}
