import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';

/** Is this the address of a proxy whose forwarded headers are trusted? */
export type IsProxy = (address: string) => boolean;

export function createProxyCheck(trustedProxies: readonly string[]): IsProxy {
  const proxies = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/');
    if (prefix === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => proxies.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** A socket that listens for both families shows an IPv4 address within IPv6. */
const unmap = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

export function readAddress({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return unmap(remoteAddress);
}

/** Finds the client behind trusted proxies, for requests that do not go through the router. */
export function clientAddress({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>, isProxy: IsProxy) {
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => unmap(hop.trim()))
    .filter((hop) => hop !== '');
  let address = readAddress(socket);
  while (isProxy(address) && hops.length > 0) address = hops.pop()!;
  return address;
}
