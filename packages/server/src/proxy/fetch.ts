import { type FetchErrorCode, type GuardedFetch, isFetchError } from '@parley/guarded-fetch';
import type { BodyOf, proxyRoutes, ReplyOf } from '@parley/protocol';
import { createConcurrencyLimit } from '../http/concurrency-limit.ts';
import { RequestError } from '../http/request-error.ts';

type Route = typeof proxyRoutes.proxyFetch;

/** Request headers that are passed on. Cookies, credentials and addresses, which identify someone, are not. */
const SENT = new Set(['accept', 'accept-language', 'content-type', 'if-modified-since', 'if-none-match']);
/** Response headers that are passed on: they describe the text and its freshness, and no browser acts on them. */
const GIVEN = ['content-type', 'content-language', 'date', 'etag', 'last-modified', 'retry-after'];
/** Each fetch may take a megabyte and half a minute. */
const LIMITS = { total: 64, perCaller: 4 };

export type ProxyFetch = (accountId: string, wanted: BodyOf<Route>) => Promise<ReplyOf<Route>>;

/** Fetches pages for browsers. Neither the address nor the content is stored or logged. */
export function createProxyFetch(fetch: GuardedFetch): ProxyFetch {
  const limited = createConcurrencyLimit(LIMITS);
  return async (accountId, { url, method, headers = {}, body }) => {
    if (body !== undefined && method !== 'POST') throw new RequestError('BAD_REQUEST');
    return limited(accountId, async () => {
      try {
        const sent = { method, headers: pickSent(headers), ...(body === undefined ? {} : { body }) };
        // Whether to go on to another host is decided on the device (CG-15).
        const page = await fetch(url, { ...sent, otherOrigins: 'return' });
        const { status, headers: given, body: bytes, truncated, redirect } = page;
        return {
          status_code: status,
          headers: pickGiven(given),
          body: decode(bytes, given['content-type']),
          truncated,
          ...(redirect === undefined ? {} : { redirect }),
        };
      } catch (error) {
        throw toRequestError(error);
      }
    });
  };
}

function pickSent(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => SENT.has(name.toLowerCase()));
  // Nothing here decompresses a response.
  return { ...Object.fromEntries(kept), 'user-agent': 'Parley', 'accept-encoding': 'identity' };
}

function pickGiven(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    GIVEN.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

function decode(bytes: Uint8Array, contentType: string | string[] | undefined): string {
  const charset = /;\s*charset="?([A-Za-z0-9_:.-]{1,40})/i.exec(String(contentType ?? ''))?.[1];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // The charset is unknown.
    return new TextDecoder().decode(bytes);
  }
}

const FAILURES: Readonly<Record<FetchErrorCode, 'ADDRESS_BLOCKED' | 'PAGE_UNREACHABLE' | 'PAGE_TIMEOUT'>> = {
  FETCH_BLOCKED: 'ADDRESS_BLOCKED',
  FETCH_REDIRECT_REFUSED: 'PAGE_UNREACHABLE',
  FETCH_UNREACHABLE: 'PAGE_UNREACHABLE',
  FETCH_TIMEOUT: 'PAGE_TIMEOUT',
};

/** Drops the cause, which may name the address. */
function toRequestError(error: unknown): unknown {
  return isFetchError(error) ? new RequestError(FAILURES[error.code]) : error;
}
