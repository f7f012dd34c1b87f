import { isIP } from 'node:net';
import { classifyAddress } from './address.ts';

/** Where requests on someone's behalf may go (SI-6). Public addresses over HTTPS are always allowed. */
export interface GuardPolicy {
  /**
   * Allows private networks and loopback, also without TLS. For operators who trust everyone that can set an address.
   */
  readonly allowPrivate: boolean;
  /** Allows loopback, also without TLS. For development. */
  readonly allowLoopback: boolean;
}

/** May a connection be made to this resolved address? Plain HTTP is limited to the networks that were allowed. */
export function mayConnect({ allowPrivate, allowLoopback }: GuardPolicy, protocol: string, address: string): boolean {
  switch (classifyAddress(address)) {
    case 'public':
      return protocol === 'https:';
    case 'loopback':
      return allowPrivate || allowLoopback;
    case 'private':
      return allowPrivate;
    case 'never':
      return false;
  }
}

/**
 * Returns the parsed URL, or undefined if it can be refused without asking DNS. The URL parser has already turned
 * decimal, octal and hexadecimal spellings of an address into the usual one.
 */
export function parseGuardedUrl(policy: GuardPolicy, text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  if (username !== '' || password !== '') return undefined;
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(host) !== 0) return mayConnect(policy, protocol, host) ? url : undefined;
  // RFC 6761, section 6.3: these names are loopback whatever a resolver says.
  if (/(^|\.)localhost\.?$/.test(host)) return mayConnect(policy, protocol, '127.0.0.1') ? url : undefined;
  return protocol === 'https:' || policy.allowPrivate ? url : undefined;
}
