import type { GuardedResponse } from '@parley/guarded-fetch';
import CachePolicy from 'http-cache-semantics';
import { fromFetchError } from './fetch-error.ts';
import type { Http } from './http.ts';

const MAX_ENTRIES = 500;
const MAX_BYTES = 32 * 1024 * 1024;

interface CachedGet {
  readonly url: string;
  readonly bearer?: string;
  readonly signal?: AbortSignal;
}

export type GetCached = (request: CachedGet) => Promise<GuardedResponse>;

interface Entry {
  readonly policy: CachePolicy;
  readonly response: GuardedResponse;
}

/** Sends GET requests through a private HTTP cache (RFC 9111). Each credential has a cache of its own. */
export function createCachedGet({ fetch }: Pick<Http, 'fetch'>): GetCached {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  const forget = (key: string) => {
    bytes -= entries.get(key)?.response.body.length ?? 0;
    entries.delete(key);
  };
  const keep = (key: string, entry: Entry) => {
    forget(key);
    if (!entry.policy.storable() || entry.response.truncated) return;
    entries.set(key, entry);
    bytes += entry.response.body.length;
    // The least recently used entries are removed first: a map keeps the order of insertion.
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_ENTRIES && bytes <= MAX_BYTES) break;
      forget(oldest);
    }
  };

  return async ({ url, bearer, signal }) => {
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const asked = { url, method: 'GET', headers: { accept: 'application/json', ...authorization } };
    const key = JSON.stringify([url, bearer ?? '']);
    const known = entries.get(key);
    if (known?.policy.satisfiesWithoutRevalidation(asked)) {
      entries.delete(key);
      entries.set(key, known);
      return known.response;
    }
    const headers =
      known === undefined ? asked.headers : { ...asked.headers, ...known.policy.revalidationHeaders(asked) };
    const response = await request(url, headers, signal);
    if (known !== undefined && response.status === 304) {
      const { policy } = known.policy.revalidatedPolicy(asked, response);
      keep(key, { policy, response: known.response });
      return known.response;
    }
    keep(key, { policy: new CachePolicy(asked, response, { shared: false }), response });
    return response;
  };

  async function request(url: string, headers: Readonly<Record<string, string>>, signal?: AbortSignal) {
    try {
      return await fetch(url, { headers, ...(signal === undefined ? {} : { signal }) });
    } catch (cause) {
      throw fromFetchError(cause);
    }
  }
}
