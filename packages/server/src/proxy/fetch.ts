import { type FetchErrorCode, type GuardedFetch, isFetchError } from '@parley/guarded-fetch';
import type { BodyOf, proxyRoutes, ReplyOf } from '@parley/protocol';
import { Failure } from '../http/failure.ts';
import { createSlots } from '../http/slots.ts';

type Route = typeof proxyRoutes.proxyFetch;

/** What a page may be told by its reader. Whatever proves who someone is stays here: cookies, credentials, addresses. */
const SENT = new Set(['accept', 'accept-language', 'content-type', 'if-modified-since', 'if-none-match']);
/** What a reader is told of a page: what its text is, and whether it has changed. Nothing that a browser would act on. */
const GIVEN = ['content-type', 'content-language', 'date', 'etag', 'last-modified', 'retry-after'];
/** Each may take a megabyte and half a minute. */
const SLOTS = { together: 64, ofOne: 4 };

export type ProxyFetch = (accountId: string, wanted: BodyOf<Route>) => Promise<ReplyOf<Route>>;

/** Fetches pages for browsers. Neither the address nor what was said is kept or logged. */
export function createProxyFetch(fetch: GuardedFetch): ProxyFetch {
  const inSlot = createSlots(SLOTS);
  return async (accountId, { url, method, headers = {}, body }) => {
    if (body !== undefined && method !== 'POST') throw new Failure('BAD_REQUEST');
    return inSlot(accountId, async () => {
      try {
        const request = { method, headers: pickSent(headers), ...(body === undefined ? {} : { body }) };
        const { status, headers: given, body: bytes, truncated } = await fetch(url, request);
        return {
          status_code: status,
          headers: pickGiven(given),
          body: decode(bytes, given['content-type']),
          truncated,
        };
      } catch (error) {
        throw toFailure(error);
      }
    });
  };
}

function pickSent(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => SENT.has(name.toLowerCase()));
  // Nothing here unpacks what comes packed.
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

function decode(bytes: Buffer, contentType: string | string[] | undefined): string {
  const charset = /;\s*charset="?([A-Za-z0-9_:.-]{1,40})/i.exec(String(contentType ?? ''))?.[1];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A charset that nobody knows.
    return new TextDecoder().decode(bytes);
  }
}

const FAILURES: Readonly<Record<FetchErrorCode, 'ADDRESS_BLOCKED' | 'PAGE_UNREACHABLE' | 'PAGE_TIMEOUT'>> = {
  ADDRESS_BLOCKED: 'ADDRESS_BLOCKED',
  REDIRECT_REFUSED: 'PAGE_UNREACHABLE',
  UNREACHABLE: 'PAGE_UNREACHABLE',
  TIMEOUT: 'PAGE_TIMEOUT',
};

/** Without its cause, which may name the address. */
function toFailure(error: unknown): unknown {
  return isFetchError(error) ? new Failure(FAILURES[error.code]) : error;
}
