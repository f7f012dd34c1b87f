/** A map that keeps at most `max` entries: beyond that, the one that was not used for the longest time is dropped. */
export interface Lru<Key, Value> {
  readonly size: number;
  /** Counts as a use. */
  get(key: Key): Value | undefined;
  /** Does not count as a use. */
  has(key: Key): boolean;
  /** Counts as a use. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

export function createLru<Key, Value>(max: number): Lru<Key, Value> {
  // A Map is in the order in which its keys were added, so a use adds its key again.
  const entries = new Map<Key, Value>();
  return {
    get size() {
      return entries.size;
    },
    get: (key) => {
      if (!entries.has(key)) return undefined;
      const value = entries.get(key) as Value;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    has: (key) => entries.has(key),
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > max) entries.delete(entries.keys().next().value as Key);
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
