interface Held<V> {
  readonly promise: Promise<V>;
  value: V | undefined;
  readonly until: number;
}

/** What was learnt from the server, asked for once by all who want it at the same time. */
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
    // Whoever waits gets what is on its way; nobody after them does.
    forget: (id) => void entries.delete(id),
    clear: () => entries.clear(),
  };
}
