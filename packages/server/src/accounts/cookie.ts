import type { FastifyRequest } from 'fastify';
import { KNOWN_DEVICE_SECONDS } from '../auth/known-device.ts';
import type { ServerConfig } from '../config.ts';
import { RequestError } from '../http/request-error.ts';

const REFRESH = 'parley_refresh';
const KNOWN_DEVICE = 'parley_known_device';
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Headers = FastifyRequest['headers'];

/** With `value` undefined, the browser deletes the cookie. */
export function refreshCookie(config: ServerConfig, value: string | undefined, seconds: number): string {
  return makeCookie(config, REFRESH, { value, seconds });
}

/** It stays when the person signs out: it only says that they were signed in here before (AC-1). */
export function knownDeviceCookie(config: ServerConfig, value: string): string {
  return makeCookie(config, KNOWN_DEVICE, { value, seconds: KNOWN_DEVICE_SECONDS });
}

interface CookieValue {
  readonly value: string | undefined;
  readonly seconds: number;
}

function makeCookie(config: ServerConfig, name: string, { value, seconds }: CookieValue): string {
  const { protocol, hostname } = new URL(config.publicUrl);
  const secure = protocol === 'http:' && LOOPBACK.test(hostname) ? '' : '; Secure';
  const age = value === undefined ? 0 : seconds;
  return `${name}=${value ?? ''}; Path=/auth; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

export const readRefreshCookie = (headers: Headers) => readCookie(headers, REFRESH);
export const readKnownDeviceCookie = (headers: Headers) => readCookie(headers, KNOWN_DEVICE);

function readCookie(headers: Headers, wanted: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value) return value;
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
