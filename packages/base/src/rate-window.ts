/** Counts per key in windows of fixed length. Other processes have counters of their own. */
export interface RateWindow {
  /** Counts one. Returns 0 if it is within the limit, otherwise the milliseconds until the window ends. */
  take(key: string, limit: number): number;
}

export interface RateWindowOptions {
  readonly windowMs: number;
  /** Beyond this the oldest counters are forgotten: a flood of keys must not become a flood of memory. */
  readonly maxKeys: number;
  /** Milliseconds of a monotonic clock (OP-13). */
  readonly now: () => number;
}

export function createRateWindow({ windowMs, maxKeys, now }: RateWindowOptions): RateWindow {
  const counters = new Map<string, { readonly start: number; count: number }>();
  return {
    take: (key, limit) => {
      const time = now();
      const known = counters.get(key);
      // A clock that was set back would otherwise keep the window open.
      const isOver = known === undefined || time - known.start >= windowMs || time < known.start;
      const counter = isOver ? { start: time, count: 0 } : known;
      if (isOver) {
        // The key is removed first, so that the map stays in the order of the windows.
        counters.delete(key);
        counters.set(key, counter);
        if (counters.size > maxKeys) counters.delete(counters.keys().next().value!);
      }
      counter.count++;
      return counter.count > limit ? Math.ceil(windowMs - (time - counter.start)) : 0;
    },
  };
}
