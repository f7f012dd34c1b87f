import type { Locale, Texts } from '@parley/base';

/**
 * Why a host could not be reached. Only these sentences are shown: the platform's own message may hold an address or a
 * secret.
 */
const NETWORK_FAILURES = {
  refused: {
    en: 'The connection was refused: nothing listens at this address and port.',
    'zh-CN': '连接被拒绝：该地址和端口上没有服务。',
  },
  name_unknown: { en: 'The host name wasn’t found.', 'zh-CN': '找不到该主机名。' },
  tls: {
    en: 'No secure connection could be made: the certificate or the TLS version wasn’t accepted.',
    'zh-CN': '无法建立安全连接：证书或 TLS 版本未被接受。',
  },
  hung_up: { en: 'The connection was closed before the answer was complete.', 'zh-CN': '在回复完成之前连接已关闭。' },
  timed_out: { en: 'There was no answer in time.', 'zh-CN': '未在规定时间内收到回复。' },
  no_route: { en: 'This address can’t be reached from this network.', 'zh-CN': '从当前网络无法访问该地址。' },
  redirected: {
    en: 'The answer was a redirect, which isn’t followed. Use the address it points to.',
    'zh-CN': '回复是重定向，不会跟随。请使用其指向的地址。',
  },
} as const satisfies Readonly<Record<string, Texts>>;

export type NetworkFailure = keyof typeof NETWORK_FAILURES;

/** Codes of Node and its HTTP client. Browsers give no reason. */
const CODES: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ENOTFOUND|EAI_\w+|ENODATA)$/, 'name_unknown'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO)/, 'tls'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timed_out'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, 'no_route'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED)$/, 'hung_up'],
];
const MAX_DEPTH = 8;

/** Finds out why a request failed by the codes of its causes; undefined where there is none. */
export function classifyNetworkFailure(error: unknown, depth = 0): NetworkFailure | undefined {
  if (!(error instanceof Error) || depth === MAX_DEPTH) return undefined;
  const { code } = error as { code?: unknown };
  const known = typeof code === 'string' ? CODES.find(([pattern]) => pattern.test(code))?.[1] : undefined;
  if (known !== undefined) return known;
  const several = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  for (const cause of [error.cause, ...several]) {
    const found = classifyNetworkFailure(cause, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const networkText = (failure: NetworkFailure, locale: Locale): string => NETWORK_FAILURES[failure][locale];
