import { createGuardedFetch, type FetchErrorCode, isFetchError, type Resolve } from '@parley/guarded-fetch';
import { readAddress } from '../describe.ts';
import {
  decodePage,
  describeRequest,
  FETCH_TOOLS,
  fetchPage,
  NETWORK_SCOPE,
  pageEdge,
  readPageRequest,
  toPageResult,
} from '../page.ts';
import { type Executor, ExecutorError } from '../types.ts';

export interface NetworkOptions {
  /** Allows private networks and this machine: an agent can then talk to whatever listens there. */
  readonly allowPrivate?: boolean | undefined;
  readonly resolve?: Resolve | undefined;
}

/** More than an answer holds: the rest would be thrown away. */
const MAX_BYTES = 128 * 1024;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;

const MESSAGES: Readonly<Record<FetchErrorCode, string>> = {
  FETCH_BLOCKED: 'This address cannot be opened from here: only https on the public internet can.',
  FETCH_REDIRECT_REFUSED: 'The site redirects too often, or to an address that cannot be opened.',
  FETCH_TIMEOUT: 'The site took too long to answer.',
  FETCH_UNREACHABLE: 'The site cannot be reached.',
};

const NOTE = {
  en: (host: string) => `The request goes from this device to ${host}, which sees your network address.`,
  'zh-CN': (host: string) => `请求将从此设备发往 ${host}，对方会看到您的网络地址。`,
};

/**
 * Fetches pages straight from this device (CG-13), without cookies or credentials; private addresses are refused
 * (SI-6).
 */
export function fetchPageExecutors({ allowPrivate = false, resolve }: NetworkOptions = {}): readonly Executor[] {
  const fetch = createGuardedFetch({
    allowPrivate,
    allowLoopback: allowPrivate,
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: MAX_REDIRECTS,
    ...(resolve === undefined ? {} : { resolve }),
  });
  const run: Executor['run'] = async (args, context) => {
    const { signal } = context;
    const page = await fetchPage(readPageRequest(args), context, ({ url, method, headers, body }) => {
      // Nothing here unpacks what comes packed, and a small file can unpack to a very large one.
      const sent = { ...headers, 'user-agent': 'Parley', 'accept-encoding': 'identity' };
      const request = { method, headers: sent, signal, ...(body === undefined ? {} : { body }) };
      return fetch(url, { ...request, otherOrigins: 'return' }).catch((error) => {
        const code = isFetchError(error) ? error.code : 'FETCH_UNREACHABLE';
        throw new ExecutorError(MESSAGES[code], { cause: error });
      });
    });
    const encoding = page.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      throw new ExecutorError('The site sent a compressed answer although none was asked for.');
    }
    return toPageResult({ ...page, body: decodePage(page.body, String(page.headers['content-type'] ?? '')) });
  };
  const privacyNote: Executor['privacyNote'] = ({ url }, locale) => {
    const address = readAddress(url);
    return address && NOTE[locale](address.host);
  };
  return FETCH_TOOLS.map((tool) => ({
    tool,
    scope: NETWORK_SCOPE,
    sensitivity: 'medium',
    edge: pageEdge,
    run,
    privacyNote,
    describe: describeRequest,
  }));
}
