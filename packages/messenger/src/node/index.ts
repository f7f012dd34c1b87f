import { nodeCrypto } from '@parley/e2ee/node';
import type { Platform } from '../platform.ts';
import { openSocket } from './open-socket.ts';

export { type FileStoreOptions, openFileStore } from '../stores/file.ts';
export { readFileStore, type StoreEntries, writeFileStore } from '../stores/snapshot.ts';

export function createNodePlatform(): Platform {
  return {
    crypto: nodeCrypto,
    // Looked up at each call: naming the global loads Node's HTTP client.
    fetch: (input, init) => fetch(input, init),
    openSocket,
    now: () => new Date(),
    setTimer: (callback, ms) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}
