import type { SkillDescriptor } from '@parley/documents/skill';
import {
  type Discovery,
  discover,
  fetchDescriptor,
  type ReadOptions,
  type SearchQuery,
  type SearchResult,
  search,
} from './discover/discover.ts';
import { createCachedGet } from './http/cache.ts';
import { createHttp, type HttpOptions } from './http/http.ts';
import { type InvokeOptions, type InvokeResult, invoke } from './invoke/invoke.ts';
import { createPreparer } from './invoke/prepare.ts';
import { type AuthoriseOptions, authorise } from './oauth2/authorise.ts';
import { createTokenSource } from './oauth2/tokens.ts';

export interface SkillClientOptions extends HttpOptions {
  /** Used for the jitter of retries. */
  readonly random?: () => number;
}

/** Finds and calls skills. One client has one connection pool, one cache and its own compiled schemas. */
export interface SkillClient {
  discover(domain: string, options?: ReadOptions): Promise<Discovery>;
  fetchDescriptor(url: string, options?: ReadOptions): Promise<SkillDescriptor>;
  search(registry: string, query: SearchQuery, options?: ReadOptions): Promise<SearchResult>;
  invoke(
    descriptor: SkillDescriptor,
    inputs: Readonly<Record<string, unknown>>,
    options?: InvokeOptions,
  ): Promise<InvokeResult>;
  /** Asks a person for an OAuth 2.0 authorization; `invoke` uses the tokens from then on. */
  authorise(descriptor: SkillDescriptor, options: AuthoriseOptions): Promise<void>;
}

export function createSkillClient(options: SkillClientOptions = {}): SkillClient {
  const { random = Math.random, ...rest } = options;
  const http = createHttp(rest);
  const prepare = createPreparer(http.development);
  const parts = { get: createCachedGet(http), development: http.development };
  const getAccessToken = createTokenSource(http);
  return {
    discover: (domain, read = {}) => discover(parts, domain, read),
    fetchDescriptor: (url, read = {}) => fetchDescriptor(parts, url, read),
    search: (registry, query, read = {}) => search(parts, { registry, query }, read),
    invoke: (descriptor, inputs, call = {}) =>
      invoke({ http, prepare, getAccessToken, random }, { descriptor, inputs }, call),
    authorise: (descriptor, ask) => authorise(http, prepare(descriptor).descriptor, ask),
  };
}
