import { BlockList, isIP } from 'node:net';

/**
 * `never`: no operator can allow it. These are metadata services, multicast, and addresses that stand for other
 * addresses.
 */
export type AddressKind = 'public' | 'loopback' | 'private' | 'never';

type Subnet = readonly [network: string, prefix: number];

// One list per family: node:net compares an IPv4 address with IPv6 rules as ::ffff:a.b.c.d, so that in a common list
// the rule for mapped addresses would match all of IPv4.
const IPV4 = {
  never: list('ipv4', [
    ['0.0.0.0', 8],
    ['100.100.100.200', 32], // Alibaba's metadata service, in the range of carriers
    ['168.63.129.16', 32], // the host of Azure's machines, in a public range
    ['169.254.0.0', 16],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ]),
  loopback: list('ipv4', [['127.0.0.0', 8]]),
  private: list('ipv4', [
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
  ]),
};

const IPV6 = {
  never: list('ipv6', [
    ['fd00:ec2::254', 128], // Amazon's metadata service
    ['fd20:ce::254', 128], // Google's metadata service
    ['2001::', 23], // protocol assignments, Teredo among them
    ['2001:db8::', 32],
    ['2002::', 16], // 6to4
    ['3fff::', 20],
  ]),
  loopback: list('ipv6', [['::1', 128]]),
  private: list('ipv6', [['fc00::', 7]]),
  global: list('ipv6', [['2000::', 3]]),
  nat64: list('ipv6', [['64:ff9b::', 96]]),
};

/** Says how an address is reached from this machine. Anything but a plain address is `never`. */
export function classifyAddress(address: string): AddressKind {
  // A zone (fe80::1%eth0) only makes sense for link-local addresses.
  if (address.includes('%')) return 'never';
  switch (isIP(address)) {
    case 4:
      return classifyIPv4(address);
    case 6:
      return classifyIPv6(address);
    default:
      return 'never';
  }
}

function classifyIPv4(address: string): AddressKind {
  if (IPV4.never.check(address, 'ipv4')) return 'never';
  if (IPV4.loopback.check(address, 'ipv4')) return 'loopback';
  return IPV4.private.check(address, 'ipv4') ? 'private' : 'public';
}

/** Only 2000::/3 is public; mapped and compatible IPv4 addresses are outside of it. */
function classifyIPv6(address: string): AddressKind {
  if (IPV6.never.check(address, 'ipv6')) return 'never';
  if (IPV6.loopback.check(address, 'ipv6')) return 'loopback';
  if (IPV6.private.check(address, 'ipv6')) return 'private';
  if (IPV6.global.check(address, 'ipv6')) return 'public';
  // RFC 6052: a translator on the route turns the last 32 bits into an IPv4 address.
  if (IPV6.nat64.check(address, 'ipv6')) return classifyIPv4(lastIPv4(address)) === 'public' ? 'public' : 'never';
  return 'never';
}

function lastIPv4(address: string): string {
  // The URL parser writes every form of an IPv6 address the same way, without dots.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':');
  const [high = '', low = ''] = groups.slice(-2);
  const bits = (Number.parseInt(high || '0', 16) << 16) | Number.parseInt(low || '0', 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}

function list(family: 'ipv4' | 'ipv6', subnets: readonly Subnet[]): BlockList {
  const blockList = new BlockList();
  for (const [network, prefix] of subnets) blockList.addSubnet(network, prefix, family);
  return blockList;
}
