import type { FastifyRequest } from 'fastify';
import type { ServerConfig } from '../config.ts';
import { RequestError } from '../http/request-error.ts';

const NAME = 'parley_refresh';
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Headers = FastifyRequest['headers'];

/** With `value` undefined, the browser deletes the cookie. */
export function refreshCookie(config: ServerConfig, value: string | undefined, seconds: number): string {
  const { protocol, hostname } = new URL(config.publicUrl);
  const secure = protocol === 'http:' && LOOPBACK.test(hostname) ? '' : '; Secure';
  const age = value === undefined ? 0 : seconds;
  return `${NAME}=${value ?? ''}; Path=/auth; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

export function readRefreshCookie(headers: Headers): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === NAME && value) return value;
  }
  return undefined;
}

/**
 * A second defence besides SameSite=Strict, which lets other hosts of the same site through. A page cannot forge these
 * headers; a client that is no browser sends neither, and has no cookie that someone else could make it send.
 */
export function refuseCrossSite(config: ServerConfig, headers: Headers): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new RequestError('FORBIDDEN');
    return;
  }
  const { origin } = headers;
  if (origin === undefined) return;
  const host = URL.canParse(origin) ? new URL(origin).host : '';
  if (origin !== new URL(config.publicUrl).origin && host !== headers.host) throw new RequestError('FORBIDDEN');
}
