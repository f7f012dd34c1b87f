// EE-11: remembers which messages of one sender in one conversation were opened. It remembers the last ones by name;
// for anything older it remembers a time, and refuses messages from then or before. So it is bounded, exact, and needs
// no clock. It is kept per conversation, because after a long absence they are read one after the other, each from its
// beginning.

const BUCKET = 16;
const BUCKETS = 16;

interface Bucket {
  readonly names: ReadonlySet<string>;
  readonly latest: string;
}

export interface ReplayGuard {
  /** Any message created at this time or earlier counts as seen. */
  readonly floor: string;
  readonly buckets: readonly Bucket[];
}

export const NOTHING_SEEN: ReplayGuard = { floor: '', buckets: [] };

export interface Seen {
  readonly name: string;
  /** RFC 3339 in the one spelling of the header, which sorts as text. */
  readonly createdAt: string;
}

export function wasSeen({ floor, buckets }: ReplayGuard, { name, createdAt }: Seen): boolean {
  return createdAt <= floor || buckets.some(({ names }) => names.has(name));
}

/** Call it only for a message that opened: a forged one must not make us refuse the real one. */
export function remember({ floor, buckets }: ReplayGuard, { name, createdAt }: Seen): ReplayGuard {
  const last = buckets.at(-1);
  if (last !== undefined && last.names.size < BUCKET) {
    const grown = { names: new Set(last.names).add(name), latest: later(last.latest, createdAt) };
    return { floor, buckets: [...buckets.slice(0, -1), grown] };
  }
  const added = [...buckets, { names: new Set([name]), latest: createdAt }];
  if (added.length <= BUCKETS) return { floor, buckets: added };
  return { floor: later(floor, added[0]!.latest), buckets: added.slice(1) };
}

const later = (a: string, b: string) => (a > b ? a : b);
