import { lookup as lookupDns } from 'node:dns/promises';
import { EventEmitter } from 'node:events';
import { isIP, type LookupFunction } from 'node:net';
import type { ParleyError } from '@parley/base';
import type { buildConnector, Dispatcher } from 'undici';
import { type FetchErrorCode, fetchError, isFetchError } from './errors.ts';
import { type GuardPolicy, mayConnect, parseGuardedUrl } from './guard-policy.ts';

export type Resolve = (hostname: string) => Promise<readonly { address: string; family: number }[]>;

export interface GuardOptions extends GuardPolicy {
  /** The most bytes of a response that are read. */
  readonly maxBytes: number;
  /** Covers everything together: names, connections, redirects and the body. */
  readonly timeoutMs: number;
  /** With 0, a redirect is returned like any other response. */
  readonly maxRedirects: number;
  /** How long an idle connection is kept. One second by default. */
  readonly keepAliveMs?: number;
  readonly resolve?: Resolve;
}

export interface GuardedRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Aborts the request; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Replaces the general time-out for this request. */
  readonly timeoutMs?: number;
  /** With `return`, a redirect to another origin is not followed but returned as `redirect`. */
  readonly otherOrigins?: 'follow' | 'return';
}

export interface GuardedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
  /** True if the body was longer than `maxBytes`. */
  readonly truncated: boolean;
  /** The address of the response, after redirects. */
  readonly url: string;
  /** Where a redirect to another origin leads, for whoever has to decide about it first. The body is not read. */
  readonly redirect?: string;
}

export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<GuardedResponse>;

/** Makes requests to addresses that someone else chose (SI-6). */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const { maxBytes, maxRedirects } = options;
  let opening: Promise<Transport> | undefined;
  const check = createUrlCheck(options);
  return async (url, request = {}) => {
    request.signal?.throwIfAborted();
    const limit = limitTime(request.timeoutMs ?? options.timeoutMs, request.signal);
    try {
      let target = check(url);
      let current = request;
      opening ??= openTransport(options);
      const transport = await opening;
      for (let redirects = 0; ; redirects++) {
        const response = await sendOnce(target, current, transport, limit);
        const location = response.headers.location;
        if (maxRedirects === 0 || !REDIRECTS.has(response.statusCode) || typeof location !== 'string') {
          return { ...(await readBody(response, maxBytes)), url: target.href };
        }
        response.body.on('error', () => {}).destroy();
        if (redirects === maxRedirects || !URL.canParse(location, target.href))
          throw fetchError('FETCH_REDIRECT_REFUSED');
        const next = check(new URL(location, target).href);
        current = redirect(current, response.statusCode, next.origin === target.origin);
        if (request.otherOrigins === 'return' && next.origin !== target.origin) {
          const { statusCode: status, headers } = response;
          return { status, headers, body: new Uint8Array(), truncated: false, url: target.href, redirect: next.href };
        }
        target = next;
      }
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      throw toFetchError(error, limit);
    } finally {
      limit.release();
    }
  };
}

interface Transport {
  readonly dispatcher: Dispatcher;
  readonly send: typeof import('undici').request;
}

/** undici is loaded with the first request: it is a megabyte, and most commands make no request. */
async function openTransport(options: GuardOptions): Promise<Transport> {
  const { Agent, buildConnector, request } = await import('undici');
  const dispatcher = new Agent({
    connect: guardConnections(options, buildConnector),
    keepAliveTimeout: options.keepAliveMs ?? 1_000,
    // One limit covers everything together instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { dispatcher, send: request };
}

interface Limit {
  /** The signal for undici. It is an emitter, because an AbortSignal costs a quarter of a small request. */
  readonly signal: EventEmitter;
  isOver(): boolean;
  release(): void;
}

/** Ends after a time or when the caller aborts. Leaves no listener on the caller's signal. */
function limitTime(timeoutMs: number, outer?: AbortSignal): Limit {
  const signal = new EventEmitter();
  let over = false;
  const end = () => {
    over = true;
    signal.emit('abort');
  };
  const timer = setTimeout(end, timeoutMs);
  outer?.addEventListener('abort', end, { once: true });
  const release = () => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', end);
  };
  return { signal, isOver: () => over, release };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Only these headers are sent to another origin; any other may be a credential. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent']);

function redirect(request: GuardedRequest, status: number, sameOrigin: boolean): GuardedRequest {
  const { method = 'GET', headers = {}, body } = request;
  const reads = method === 'GET' || method === 'HEAD';
  if (!reads && !sameOrigin) throw fetchError('FETCH_REDIRECT_REFUSED');
  const kept = sameOrigin
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name.toLowerCase())));
  if (reads) return { method, headers: kept };
  // Only 307 and 308 repeat the same request (RFC 9110, section 15.4).
  if (status === 307 || status === 308) return { method, headers: kept, ...(body === undefined ? {} : { body }) };
  const unbodied = Object.entries(kept).filter(([name]) => !name.toLowerCase().startsWith('content-'));
  return { method: 'GET', headers: Object.fromEntries(unbodied) };
}

const MAX_REMEMBERED = 100;

/**
 * Remembers addresses that passed, because many requests go to the same one. What a name resolves to is checked each
 * time.
 */
function createUrlCheck(policy: GuardPolicy): (text: string) => URL {
  const passed = new Map<string, URL>();
  return (text) => {
    const known = passed.get(text);
    if (known !== undefined) return known;
    const url = parseGuardedUrl(policy, text);
    if (url === undefined) throw fetchError('FETCH_BLOCKED');
    if (passed.size >= MAX_REMEMBERED) passed.clear();
    passed.set(text, url);
    return url;
  };
}

function sendOnce(url: URL, request: GuardedRequest, { send, dispatcher }: Transport, limit: Limit) {
  // The limit may have ended between two requests, when nobody was listening.
  if (limit.isOver()) throw fetchError('FETCH_TIMEOUT');
  const { method = 'GET', headers = {}, body } = request;
  return send(url, { method, headers, body: body ?? null, dispatcher, signal: limit.signal });
}

async function readBody({ statusCode: status, headers, body }: Dispatcher.ResponseData, maxBytes: number) {
  const length = headers['content-length'];
  // The body cannot be longer than this header says.
  if (typeof length === 'string' && /^\d{1,15}$/.test(length) && Number(length) <= maxBytes) {
    return { status, headers, body: Buffer.from(await body.arrayBuffer()), truncated: false };
  }
  return { status, headers, ...(await readUpTo(body, maxBytes)) };
}

/** Reads by events: an iterator over the body costs a fifth of a small request. */
function readUpTo(body: Dispatcher.ResponseData['body'], maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise<Pick<GuardedResponse, 'body' | 'truncated'>>((resolve, reject) => {
    body.on('data', (chunk: Buffer) => {
      if (size > maxBytes) return;
      chunks.push(chunk.length > maxBytes - size ? chunk.subarray(0, maxBytes - size) : chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      resolve({ body: Buffer.concat(chunks), truncated: true });
      body.destroy();
    });
    body.on('end', () => resolve({ body: Buffer.concat(chunks), truncated: false }));
    body.on('error', reject);
    // A connection that is lost in the middle of a body need not raise an error on the stream.
    body.on('close', () => {
      if (!body.readableEnded) reject(fetchError('FETCH_UNREACHABLE', { cause: withCode('ECONNRESET') }));
    });
  });
}

/**
 * Names are resolved here, and the connection goes to the very addresses that were checked. So a name that resolves
 * differently the second time (DNS rebinding) gains nothing.
 */
function guardConnections(options: GuardOptions, build: typeof buildConnector): buildConnector.connector {
  const resolve = options.resolve ?? resolveAll;
  const connectors = new Map(
    ['http:', 'https:'].map((protocol) => {
      const allowed = (address: string) => mayConnect(options, protocol, address);
      const connect = build({ lookup: guardLookup(resolve, allowed), timeout: options.timeoutMs });
      return [protocol, { allowed, connect }];
    }),
  );
  return (target, callback) => {
    const { allowed, connect } = connectors.get(target.protocol)!;
    // A literal address is never looked up, so it is checked here.
    if (isIP(target.hostname) !== 0 && !allowed(target.hostname)) {
      callback(fetchError('FETCH_BLOCKED'), null);
      return;
    }
    connect(target, callback);
  };
}

function guardLookup(resolve: Resolve, allowed: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(fetchError('FETCH_UNREACHABLE', { cause: withCode('ENOTFOUND') }), []);
        else if (!addresses.every(({ address }) => allowed(address))) callback(fetchError('FETCH_BLOCKED'), []);
        else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

/** Imitates the platform's own error. */
const withCode = (code: 'ECONNRESET' | 'ENOTFOUND') => Object.assign(new Error(code), { code });

const resolveAll: Resolve = (hostname) => lookupDns(hostname, { all: true });

function toFetchError(error: unknown, limit: Limit): ParleyError<FetchErrorCode> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (isFetchError(cause)) return cause;
  return fetchError(limit.isOver() ? 'FETCH_TIMEOUT' : 'FETCH_UNREACHABLE', { cause: error });
}
