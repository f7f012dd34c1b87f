import { type Api, ApiError } from '@parley/messenger';
import { proxyRoutes } from '@parley/protocol';
import { readAddress } from '../describe.ts';
import {
  describeRequest,
  FETCH_TOOLS,
  fetchPage,
  NETWORK_SCOPE,
  pageEdge,
  readPageRequest,
  toPageResult,
} from '../page.ts';
import { type Executor, ExecutorError } from '../types.ts';

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['ADDRESS_BLOCKED', 'This address cannot be opened: only https on the public internet can.'],
  ['PAGE_UNREACHABLE', 'The site cannot be reached.'],
  ['PAGE_TIMEOUT', 'The site took too long to answer.'],
]);
const OTHER = 'The page could not be fetched.';

const NOTE = {
  en: (host: string) =>
    `Your Parley server fetches this from ${host}, because a browser can’t. The server sees the address and the page.`,
  'zh-CN': (host: string) => `浏览器无法直接访问 ${host}，由您的 Parley 服务器代为访问。服务器会看到网址和内容。`,
};

/** Fetches pages through the server's guarded proxy (CG-13). */
export function fetchPageExecutors(api: Pick<Api, 'call'> | undefined): readonly Executor[] {
  if (api === undefined) return [];
  const run: Executor['run'] = async (args, context) => {
    const { signal } = context;
    const page = await fetchPage(readPageRequest(args), context, (body) =>
      api.call(proxyRoutes.proxyFetch, { body, signal }).catch((error) => {
        const known = error instanceof ApiError ? MESSAGES.get(error.code) : undefined;
        throw new ExecutorError(known ?? OTHER, { cause: error });
      }),
    );
    return toPageResult({ ...page, status: page.status_code });
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
