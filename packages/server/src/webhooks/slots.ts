import { createLru } from '@parley/base';

/** Whose delivery it is, and where it goes. */
export interface Route {
  readonly accountId: string;
  /** With the port. */
  readonly host: string;
}

/**
 * How many endpoints are delivered to at the same time, on one node: few of one account and of one host, so that there are
 * always slots for the others; fewer of a host that answers slowly (OP-4).
 */
export interface Slots {
  /** Returns false, and takes nothing, if the limits are reached. */
  take(route: Route): boolean;
  free(route: Route): void;
  /** Notes how long a host took to answer, whatever it answered. */
  note(host: string, tookMs: number): void;
  readonly isFull: boolean;
}

export interface SlotLimits {
  readonly all: number;
  /** Of all, those that slow hosts may take. */
  readonly slow: number;
  readonly ofAccount: number;
  /** Of one host: in all, and of one account. */
  readonly ofHost: { readonly all: number; readonly ofAccount: number };
  readonly ofSlowHost: { readonly all: number; readonly ofAccount: number };
}

export const SLOT_LIMITS: SlotLimits = {
  all: 32,
  slow: 16,
  ofAccount: 4,
  ofHost: { all: 8, ofAccount: 4 },
  ofSlowHost: { all: 2, ofAccount: 1 },
};

const SLOW_MS = 1_000;
/** How much the last answer counts against those before it. */
const WEIGHT = 0.3;
const MAX_HOSTS = 10_000;

export function createSlots(limits: SlotLimits = SLOT_LIMITS): Slots {
  const averages = createLru<string, number>(MAX_HOSTS);
  const taken = new Map<string, number>();
  const count = (key: string) => taken.get(key) ?? 0;
  const change = (key: string, by: 1 | -1): void => {
    const next = count(key) + by;
    if (next === 0) taken.delete(key);
    else taken.set(key, next);
  };
  const isSlow = (host: string) => (averages.get(host) ?? 0) >= SLOW_MS;
  const keysOf = ({ accountId, host }: Route) => [
    'all',
    `account ${accountId}`,
    `host ${host}`,
    `${accountId} ${host}`,
  ];
  const slowTaken = () => {
    let sum = 0;
    for (const [key, value] of taken) if (key.startsWith('host ') && isSlow(key.slice(5))) sum += value;
    return sum;
  };

  return {
    get isFull() {
      return count('all') >= limits.all;
    },
    take: (route) => {
      const { host } = route;
      const slow = isSlow(host);
      const ofHost = slow ? limits.ofSlowHost : limits.ofHost;
      const keys = keysOf(route);
      const highest = [limits.all, limits.ofAccount, ofHost.all, ofHost.ofAccount];
      if (keys.some((key, index) => count(key) >= highest[index]!)) return false;
      if (slow && slowTaken() >= limits.slow) return false;
      for (const key of keys) change(key, 1);
      return true;
    },
    free: (route) => {
      for (const key of keysOf(route)) change(key, -1);
    },
    note: (host, tookMs) => {
      const before = averages.get(host) ?? tookMs;
      averages.set(host, before + WEIGHT * (tookMs - before));
    },
  };
}
