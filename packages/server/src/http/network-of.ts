import { isIPv6 } from 'node:net';

/**
 * Returns the network that requests are counted by: whoever has one IPv6 address has the other 2^64 of its network too.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(gap).fill('0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}

/** The network of a whole site: an IPv6 provider gives a home or an office up to 2^16 of those above (RFC 6177). */
export function siteOf(network: string): string {
  return network.includes(':') && !network.includes('.') ? network.split(':').slice(0, 3).join(':') : network;
}
