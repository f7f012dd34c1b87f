import { browserCrypto } from '@parley/e2ee/browser';
import type { Platform, Socket } from '../platform.ts';

export { deleteIndexedDbStore, type IndexedDbOptions, openIndexedDbStore } from '../stores/indexed-db.ts';

export function createBrowserPlatform(): Platform {
  return {
    crypto: browserCrypto,
    // The browser's fetch refuses to be called as a method of another object.
    fetch: (input, init) => globalThis.fetch(input, init),
    openSocket: (url) => new WebSocket(url) as Socket,
    now: () => new Date(),
    setTimer: (callback, ms) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}
