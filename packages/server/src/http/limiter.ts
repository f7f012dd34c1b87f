import { isIPv6 } from 'node:net';

/** Counters beyond this are forgotten, oldest first: a flood of addresses must not become a flood of memory. */
const MAX_COUNTERS = 100_000;

/** By what an address is counted: whoever has one IPv6 address has the other 2^64 of its network too. */
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

/** Seconds to wait before the next request under this key, 0 if it may go ahead. One minute windows, per node. */
export function createLimiter(now: () => Date): (key: string, perMinute: number) => number {
  const counters = new Map<string, { start: number; count: number }>();
  return (key, perMinute) => {
    const time = now().getTime();
    const counter = counters.get(key);
    if (counter === undefined || time - counter.start >= 60_000) {
      counters.delete(key);
      counters.set(key, { start: time, count: 1 });
      if (counters.size > MAX_COUNTERS) counters.delete(counters.keys().next().value!);
      return 0;
    }
    counter.count++;
    return counter.count > perMinute ? (counter.start + 60_000 - time) / 1_000 : 0;
  };
}
