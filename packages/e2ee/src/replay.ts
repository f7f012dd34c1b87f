// EE-11, EE-25: remembers which messages of one sender in one conversation were opened. A name that is remembered is a
// repetition, whatever else is true. For names that are forgotten, something else decides: the ratchet, which opens a
// message once; the number that a sender gives each message under a group key; and only where there is neither, time:
// a message from before the last one that was forgotten may be a repetition. It is refused, and the receiver is told.
// So the memory is bounded, needs no clock, and no clock that was put right loses a message.

const BUCKET = 16;
const BUCKETS = 16;
/** How many numbers that have not arrived are remembered of a group key. */
const MAX_MISSING = 1_000;

interface Bucket {
  readonly names: ReadonlySet<string>;
  readonly latest: string;
}

/** Which numbers of one sender have arrived under one group key. */
interface Count {
  readonly key: string;
  readonly next: number;
  /** Numbers before `next` that have not arrived. */
  readonly missing: readonly number[];
  /** Of numbers before this one it is not known whether they have arrived, unless they are among `missing`. */
  readonly unknown: number;
}

export interface ReplayGuard {
  /** The latest time among the messages whose names are forgotten. */
  readonly floor: string;
  readonly buckets: readonly Bucket[];
  readonly counts?: readonly Count[];
}

export const NOTHING_SEEN: ReplayGuard = { floor: '', buckets: [] };

/** A message, and what tells whether it is a repetition once its name is forgotten. */
export interface Seen {
  readonly name: string;
  /** RFC 3339 in the one spelling of the header, which sorts as text. */
  readonly createdAt: string;
  readonly by: 'ratchet' | 'time' | { readonly key: string; readonly n: number };
}

/** `replayed`: it was opened before; `stale`: it may have been. */
export function findRepetition(guard: ReplayGuard, { name, createdAt, by }: Seen): 'replayed' | 'stale' | undefined {
  if (guard.buckets.some(({ names }) => names.has(name))) return 'replayed';
  if (by === 'ratchet') return undefined;
  if (by === 'time') return createdAt <= guard.floor ? 'stale' : undefined;
  const count = guard.counts?.find(({ key }) => key === by.key);
  if (count === undefined || by.n >= count.next || count.missing.includes(by.n)) return undefined;
  return by.n < count.unknown ? 'stale' : 'replayed';
}

/**
 * Call it only for a message that opened: a forged one must not make us refuse the real one. `held` are the group keys
 * that can still open something.
 */
export function remember(guard: ReplayGuard, seen: Seen, held: readonly string[] = []): ReplayGuard {
  const named = rememberName(guard, seen);
  const counts = (guard.counts ?? []).filter(({ key }) => held.includes(key));
  if (typeof seen.by !== 'object') return counts.length === 0 ? named : { ...named, counts };
  return { ...named, counts: rememberNumber(counts, seen.by) };
}

function rememberName({ floor, buckets }: ReplayGuard, { name, createdAt }: Seen): ReplayGuard {
  const last = buckets.at(-1);
  if (last !== undefined && last.names.size < BUCKET) {
    const grown = { names: new Set(last.names).add(name), latest: later(last.latest, createdAt) };
    return { floor, buckets: [...buckets.slice(0, -1), grown] };
  }
  const added = [...buckets, { names: new Set([name]), latest: createdAt }];
  if (added.length <= BUCKETS) return { floor, buckets: added };
  return { floor: later(floor, added[0]!.latest), buckets: added.slice(1) };
}

function rememberNumber(counts: readonly Count[], { key, n }: { key: string; n: number }): readonly Count[] {
  const known = counts.find((count) => count.key === key) ?? { key, next: 0, missing: [], unknown: 0 };
  const others = counts.filter((count) => count.key !== key);
  if (n < known.next) return [...others, { ...known, missing: known.missing.filter((one) => one !== n) }];
  const first = Math.max(known.next, n - MAX_MISSING);
  const skipped = Array.from({ length: n - first }, (_, index) => first + index);
  const missing = [...known.missing, ...skipped].slice(-MAX_MISSING);
  const isCut = first > known.next || missing.length < known.missing.length + skipped.length;
  return [...others, { key, next: n + 1, missing, unknown: isCut ? missing[0]! : known.unknown }];
}

const later = (a: string, b: string) => (a > b ? a : b);
