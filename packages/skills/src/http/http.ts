import { createGuardedFetch, type GuardedFetch, type GuardPolicy, type Resolve } from '@parley/guarded-fetch';

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** The status of an execution is polled every few seconds, so the connection is worth keeping. */
const KEEP_ALIVE_MS = 10_000;

export interface HttpOptions extends Partial<GuardPolicy> {
  /** The most bytes of an answer that are read. 10 MiB by default. */
  readonly maxBytes?: number;
  readonly resolve?: Resolve;
}

export interface Http {
  readonly fetch: GuardedFetch;
  readonly maxBytes: number;
  /** Whether addresses of this machine are allowed, also without TLS. */
  readonly development: boolean;
}

/** Sends all requests of a client through one guard (SI-6). It follows redirects as SI-3 says. */
export function createHttp(options: HttpOptions): Http {
  const { maxBytes = MAX_BYTES, allowPrivate = false, allowLoopback = false, resolve } = options;
  const fetch = createGuardedFetch({
    allowPrivate,
    allowLoopback,
    maxBytes,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: 3,
    keepAliveMs: KEEP_ALIVE_MS,
    ...(resolve === undefined ? {} : { resolve }),
  });
  return { fetch, maxBytes, development: allowPrivate || allowLoopback };
}
