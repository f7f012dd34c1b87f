interface CacheEntry<V> {
  readonly promise: Promise<V>;
  value: V | undefined;
  readonly until: number;
}

/** Caches answers of the server for a while. Concurrent callers share one request. */
export interface Cache<V> {
  /** Returns only what is cached already. */
  peek(id: string): V | undefined;
  get(id: string): Promise<V>;
  forget(id: string): void;
  clear(): void;
}

export function createCache<V>(
  load: (id: string) => Promise<V>,
  { now, maxAgeMs, size }: { readonly now: () => Date; readonly maxAgeMs: number; readonly size: number },
): Cache<V> {
  const entries = new Map<string, CacheEntry<V>>();

  const fresh = (id: string): CacheEntry<V> | undefined => {
    const entry = entries.get(id);
    return entry !== undefined && entry.until > now().getTime() ? entry : undefined;
  };
  const start = (id: string): CacheEntry<V> => {
    const entry: CacheEntry<V> = { promise: load(id), value: undefined, until: now().getTime() + maxAgeMs };
    entries.delete(id);
    entries.set(id, entry);
    if (entries.size > size) entries.delete(entries.keys().next().value!);
    entry.promise.then(
      (value) => {
        entry.value = value;
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
