/** What a screen can draw from: React's `useSyncExternalStore` takes it as it is. Snapshots are never altered. */
export interface Readable<T> {
  getSnapshot(): T;
  /** The answer ends it. */
  subscribe(listener: () => void): () => void;
}

export interface Observable<T> extends Readable<T> {
  set(value: T): void;
}

export function createObservable<T>(initial: T): Observable<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    getSnapshot: () => current,
    subscribe(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** The first value that fits, now or later. */
export function waitUntil<T>(readable: Readable<T>, fits: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const value = readable.getSnapshot();
      if (!fits(value)) return false;
      stop?.();
      resolve(value);
      return true;
    };
    let stop: (() => void) | undefined;
    if (!look()) stop = readable.subscribe(look);
  });
}
