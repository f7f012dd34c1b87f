import { nodeCrypto } from '@parley/e2ee/node';
import WebSocket from 'ws';
import type { Platform, Socket } from '../types.ts';

export { type FileStoreOptions, openFileStore } from '../stores/file.ts';

const MAX_FRAME = 1024 * 1024;
const HANDSHAKE_MS = 10_000;

export function createNodePlatform(): Platform {
  return {
    crypto: nodeCrypto,
    fetch: globalThis.fetch,
    openSocket: (url) =>
      new WebSocket(url, {
        maxPayload: MAX_FRAME,
        handshakeTimeout: HANDSHAKE_MS,
        perMessageDeflate: false,
        followRedirects: false,
      }) as unknown as Socket,
    now: () => new Date(),
    setTimer: (callback, ms) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}
