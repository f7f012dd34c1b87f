import type { Crypto } from '@parley/e2ee';

/** What differs between Node and the browser, and what tests set by hand. */
export interface Platform {
  readonly crypto: Crypto;
  readonly fetch: typeof fetch;
  openSocket(url: string): Socket;
  now(): Date;
  setTimer(callback: () => void, ms: number): () => void;
}

/** The part of a WebSocket that is used; `ws` and the browser's own both have it. */
export interface Socket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'close', listener: (event?: unknown) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}
