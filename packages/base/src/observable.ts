import { createDeferred } from './deferred.ts';

/** A value that can be watched. React's `useSyncExternalStore` takes it as it is. Snapshots are never altered. */
export interface Readable<Value> {
  getSnapshot(): Value;
  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
}

export interface Observable<Value> extends Readable<Value> {
  set(value: Value): void;
}

export function createObservable<Value>(initial: Value): Observable<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    getSnapshot: () => current,
    subscribe(listener) {
      // A new function each time lets one listener subscribe twice.
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

/** Resolves with the first value that fits, now or later. */
export async function waitUntil<Value>(readable: Readable<Value>, fits: (value: Value) => boolean): Promise<Value> {
  if (fits(readable.getSnapshot())) return readable.getSnapshot();
  const { promise, resolve } = createDeferred<Value>();
  const stop = readable.subscribe(() => {
    const value = readable.getSnapshot();
    if (fits(value)) resolve(value);
  });
  try {
    return await promise;
  } finally {
    stop();
  }
}
