interface Held<V> {
  readonly promise: Promise<V>;
  value: V | undefined;
  readonly until: number;
}

/** Answers of the server, kept for a while. Concurrent callers share one request. */
export interface Cache<V> {
  /** Only what is known already. */
  peek(id: string): V | undefined;
  get(id: string): Promise<V>;
  forget(id: string): void;
  clear(): void;
}

export function createCache<V>(
  load: (id: string) => Promise<V>,
  { now, life, size }: { readonly now: () => Date; readonly life: number; readonly size: number },
): Cache<V> {
  const entries = new Map<string, Held<V>>();

  const fresh = (id: string): Held<V> | undefined => {
    const held = entries.get(id);
    return held !== undefined && held.until > now().getTime() ? held : undefined;
  };
  const start = (id: string): Held<V> => {
    const held: Held<V> = { promise: load(id), value: undefined, until: now().getTime() + life };
    entries.delete(id);
    entries.set(id, held);
    if (entries.size > size) entries.delete(entries.keys().next().value!);
    held.promise.then(
      (value) => {
        held.value = value;
      },
      () => {
        if (entries.get(id) === held) entries.delete(id);
      },
    );
    return held;
  };

  return {
    peek: (id) => fresh(id)?.value,
    get: (id) => (fresh(id) ?? start(id)).promise,
    // Those who wait already still get the answer that is on its way; later callers ask again.
    forget: (id) => void entries.delete(id),
    clear: () => entries.clear(),
  };
}
