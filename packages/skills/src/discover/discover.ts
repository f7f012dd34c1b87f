import { isJsonObject, type Json } from '@parley/documents';
import {
  type CapabilityType,
  findIncompatibility,
  isJsonType,
  parseDescriptor,
  readSkillIndex,
  readSkillList,
  type SkillDescriptor,
  type SkillIndex,
  type SkillIndexEntry,
  type Violation,
} from '@parley/documents/skill';
import type { GuardedResponse } from '@parley/guarded-fetch';
import type { CredentialStore } from '../credentials/store.ts';
import type { GetCached } from '../http/cache.ts';
import { header, readJson, toSkillError } from '../http/read-response.ts';
import { createRedactor } from '../http/redact.ts';
import { checkDescriptor } from '../invoke/prepare.ts';
import { SkillError } from '../skill-error.ts';

export interface DiscoverParts {
  readonly get: GetCached;
  readonly development: boolean;
}

export interface ReadOptions {
  /** Its `bearer` is sent to the origins that it has one for. */
  readonly credentials?: CredentialStore;
  readonly signal?: AbortSignal;
}

export interface Discovery {
  readonly index: SkillIndex;
  /** Entries that were left out, and why. */
  readonly problems: readonly Violation[];
}

export interface SearchQuery {
  readonly q?: string;
  readonly type?: CapabilityType;
  readonly tag?: string;
  readonly provider?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface SearchResult {
  readonly skills: readonly SkillIndexEntry[];
  readonly problems: readonly Violation[];
  readonly nextCursor?: string;
}

/** Finds the skills of a host (SD-8). `domain` is a name such as `example.com`, or an origin. */
export async function discover(parts: DiscoverParts, domain: string, options: ReadOptions): Promise<Discovery> {
  const origin = /^https?:\/\//i.test(domain) ? domain : `https://${domain}`;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (
    url === undefined ||
    url.origin === 'null' ||
    (url.pathname !== '/' && url.pathname !== '') ||
    url.search !== ''
  ) {
    throw new TypeError('discover: domain must be a host name such as "example.com"');
  }
  const body = await readBody(parts, `${url.origin}/.well-known/skill-sharing`, options);
  const { index, problems } = readSkillIndex(body, parts);
  if (index === undefined) throw unreadable(problems);
  const incompatibility = findIncompatibility(index.protocol);
  if (incompatibility !== undefined) {
    throw new SkillError('VERSION_INCOMPATIBLE', { params: { ...incompatibility }, details: { ...incompatibility } });
  }
  return { index, problems };
}

/** Fetches one page of a registry's search results (SD-8). `/skills` is appended to the address `registry`. */
export async function search(
  parts: DiscoverParts,
  { registry, query }: { registry: string; query: SearchQuery },
  options: ReadOptions,
): Promise<SearchResult> {
  if (!URL.canParse(registry)) throw new TypeError('search: registry must be an address');
  const url = new URL(registry);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/skills`;
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  const body = await readBody(parts, url.href, options);
  if (!isJsonObject(body) || !Array.isArray(body.skills)) throw unreadable(readSkillList(body, parts).problems);
  const { skills, problems } = readSkillList(body, parts);
  const next = body.next_cursor;
  return { skills, problems, ...(typeof next === 'string' ? { nextCursor: next } : {}) };
}

/** Fetches a descriptor from its own address and checks it (SD-1…6). */
export async function fetchDescriptor(
  parts: DiscoverParts,
  url: string,
  options: ReadOptions,
): Promise<SkillDescriptor> {
  const response = await readAnswer(parts, url, options);
  const reason = response.truncated
    ? 'too_large'
    : isJsonType(header(response, 'content-type') ?? '')
      ? ''
      : 'content_type';
  if (reason !== '') throw new SkillError('OUTPUT_INVALID', { details: { reason } });
  const parsed = parseDescriptor(response.body);
  if (!parsed.ok) throw unreadable(parsed.violations);
  return checkDescriptor(parsed.value, parts.development);
}

async function readBody(parts: DiscoverParts, url: string, options: ReadOptions): Promise<Json> {
  const body = readJson(await readAnswer(parts, url, options));
  if (body === undefined) throw new SkillError('OUTPUT_INVALID', { details: { reason: 'content_type' } });
  return body;
}

async function readAnswer(parts: DiscoverParts, url: string, options: ReadOptions): Promise<GuardedResponse> {
  const { credentials, signal } = options;
  const bearer = URL.canParse(url) ? (await credentials?.find(new URL(url).origin))?.bearer : undefined;
  const response = await parts.get({
    url,
    ...(bearer === undefined ? {} : { bearer }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.status === 200) return response;
  const redact = createRedactor();
  if (bearer !== undefined) redact.add(bearer);
  throw toSkillError({ status: response.status, body: readJson(response) }, redact);
}

function unreadable(violations: readonly Violation[]): SkillError {
  const params = { violation_count: violations.length };
  return new SkillError('VALIDATION_ERROR', { params, details: { violations } });
}
