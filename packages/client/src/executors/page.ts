import { displayText, type Json, type JsonObject } from '@parley/documents';
import { defineArguments } from './arguments.ts';
import { cutToFit, sizeInJson } from './content.ts';
import { describePage, describeUpload, readAddress } from './describe.ts';
import { type Edge, type ExecutionContext, type Executor, ExecutorError } from './types.ts';

// What `fetch_url` and `fetch_web_page` take and give, in Node and in the browser.

export const FETCH_TOOLS = ['fetch_url', 'fetch_web_page'] as const;
export const NETWORK_SCOPE = 'network:http';

/** The headers that may be sent. Any other may be a credential, or an instruction to a proxy on the way. */
const SENT = ['accept', 'accept-language', 'content-type', 'if-modified-since', 'if-none-match'];
/** What another host gets after a redirect: nothing that was meant for the first one. */
const SENT_ELSEWHERE = new Set(['accept', 'accept-language']);
const MAX_REDIRECTS = 5;
const MAX_HEADERS = 60;
const MAX_VALUE = 1_000;
/** Cookies are credentials: whoever has them can act as their owner. */
const WITHHELD = new Set(['set-cookie', 'set-cookie2']);

export interface PageRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const readArguments = defineArguments<Partial<PageRequest> & { url: string }>(
  {
    url: { type: 'string', minLength: 1, maxLength: 8_192 },
    method: { enum: ['GET', 'POST'] },
    headers: {
      type: 'object',
      maxProperties: SENT.length,
      // No line break can end a header and begin another.
      additionalProperties: { type: 'string', maxLength: 4_096, pattern: '^[\\t\\x20-\\x7e]*$' },
    },
    body: { type: 'string', maxLength: 256 * 1024 },
  },
  ['url'],
);

export function readPageRequest(args: JsonObject): PageRequest {
  const { url, method = 'GET', headers = {}, body } = readArguments(args);
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (names.some((name) => !SENT.includes(name)) || new Set(names).size < names.length) {
    throw new ExecutorError(`Only these headers can be set, each once: ${SENT.join(', ')}.`, {
      code: 'TOOL_INVALID_ARGUMENTS',
    });
  }
  if (body !== undefined && method !== 'POST') {
    throw new ExecutorError('Only POST has a body.', { code: 'TOOL_INVALID_ARGUMENTS' });
  }
  return { url, method, headers, ...(body === undefined ? {} : { body }) };
}

/**
 * The edge of a request is its host (CG-15), with what is unusual about it: plain HTTP, another port. Whoever let pages be
 * opened has not let data be sent there.
 */
function hostEdge(url: string, method: PageRequest['method'] = 'GET'): Edge | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return undefined;
  const { protocol, host, origin } = parsed;
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const shown = displayText(protocol === 'https:' ? host : origin, 300);
  if (method === 'POST')
    return { id: `post ${origin}`, text: { en: `data sent to ${shown}`, 'zh-CN': `发往 ${shown} 的数据` } };
  return { id: `host ${origin}`, text: { en: `requests to ${shown}`, 'zh-CN': `发往 ${shown} 的请求` } };
}

export function pageEdge(args: JsonObject): Edge {
  const { url, method } = readPageRequest(args);
  const edge = hostEdge(url, method);
  if (edge === undefined) throw new ExecutorError('This is no web address.', { code: 'TOOL_INVALID_ARGUMENTS' });
  return edge;
}

/** Names the host first, because it decides who is asked. */
export const describeRequest: NonNullable<Executor['describe']> = ({ url, method }, locale) => {
  const address = readAddress(url);
  return address && (method === 'POST' ? describeUpload : describePage)(locale, address.host, address.path);
};

/** Follows redirects to other hosts, each only after the person's answer covers it (CG-15). */
export async function fetchPage<P extends { readonly redirect?: string | undefined }>(
  first: PageRequest,
  { enter }: Pick<ExecutionContext, 'enter'>,
  fetch: (request: PageRequest) => Promise<P>,
): Promise<P> {
  let request = first;
  for (let redirects = 0; ; redirects++) {
    const page = await fetch(request);
    if (page.redirect === undefined) return page;
    const edge = redirects === MAX_REDIRECTS ? undefined : hostEdge(page.redirect);
    if (edge === undefined) {
      throw new ExecutorError('The site redirects too often, or to an address that cannot be opened.');
    }
    await enter(edge);
    const headers = Object.entries(request.headers).filter(([name]) => SENT_ELSEWHERE.has(name.toLowerCase()));
    request = { url: page.redirect, method: 'GET', headers: Object.fromEntries(headers) };
  }
}

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly truncated: boolean;
}

/** `truncated` is present only if something is missing. */
export function toPageResult({ status, headers, body, truncated }: Page): Json {
  const shown = Object.entries(headers)
    .filter(([name, value]) => value !== undefined && !WITHHELD.has(name.toLowerCase()))
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [name.toLowerCase(), String(value).slice(0, MAX_VALUE)]);
  const kept: Record<string, string> = Object.fromEntries(shown);
  const { text, cut } = cutToFit(body, sizeInJson(kept));
  return { body: text, headers: kept, status_code: status, ...(truncated || cut ? { truncated: true } : {}) };
}

/** Decodes with the charset that the site names; half a character at the end is dropped. */
export function decodePage(bytes: Uint8Array, contentType: string | undefined): string {
  const charset = /;\s*charset="?([A-Za-z0-9_:.-]{1,40})/i.exec(contentType ?? '')?.[1];
  return createDecoder(charset).decode(bytes, { stream: true });
}

function createDecoder(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // The charset is unknown.
    return new TextDecoder();
  }
}
