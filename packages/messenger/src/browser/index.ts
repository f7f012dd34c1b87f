import { browserCrypto } from '@parley/e2ee/browser';
import type { Platform, Socket } from '../platform.ts';

export { type IndexedDbOptions, openIndexedDbStore } from '../stores/indexed-db.ts';

export function createBrowserPlatform(): Platform {
  return {
    crypto: browserCrypto,
    // Called as a method of anything else, the browser's own refuses.
    fetch: (input, init) => globalThis.fetch(input, init),
    openSocket: (url) => new WebSocket(url) as Socket,
    now: () => new Date(),
    setTimer: (callback, ms) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}
