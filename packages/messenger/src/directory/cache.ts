interface CacheEntry<V> {
  readonly promise: Promise<V>;
  value: V | undefined;
  readonly from: number;
  until: number;
}

/** Caches answers of the server for a while. Concurrent callers share one request. */
export interface Cache<V> {
  /** Returns only what is cached already. */
  peek(id: string): V | undefined;
  get(id: string): Promise<V>;
  forget(id: string): void;
  clear(): void;
}

interface CacheOptions<V> {
  readonly now: () => Date;
  readonly maxAgeMs: number;
  readonly size: number;
  /** Says of an answer that was refused, or that takes someone away: it is soon asked for again (EE-24). */
  readonly isDoubtful?: (value: V) => boolean;
}

const DOUBTFUL_MS = 10_000;

export function createCache<V>(
  load: (id: string) => Promise<V>,
  { now, maxAgeMs, size, isDoubtful = () => false }: CacheOptions<V>,
): Cache<V> {
  const entries = new Map<string, CacheEntry<V>>();

  const fresh = (id: string): CacheEntry<V> | undefined => {
    const entry = entries.get(id);
    const time = now().getTime();
    // Nothing is fresh from the future: the clock was put back.
    return entry !== undefined && entry.from <= time && time < entry.until ? entry : undefined;
  };
  const start = (id: string): CacheEntry<V> => {
    const from = now().getTime();
    const entry: CacheEntry<V> = { promise: load(id), value: undefined, from, until: from + maxAgeMs };
    entries.delete(id);
    entries.set(id, entry);
    if (entries.size > size) entries.delete(entries.keys().next().value!);
    entry.promise.then(
      (value) => {
        entry.value = value;
        if (isDoubtful(value)) entry.until = Math.min(entry.until, from + DOUBTFUL_MS);
      },
      () => {
        if (entries.get(id) === entry) entries.delete(id);
      },
    );
    return entry;
  };

  return {
    peek: (id) => fresh(id)?.value,
    get: (id) => (fresh(id) ?? start(id)).promise,
    // Callers that wait already still get the pending answer; later callers ask again.
    forget: (id) => void entries.delete(id),
    clear: () => entries.clear(),
  };
}
