import { rateLimited } from './request-error.ts';

interface Limits {
  readonly total: number;
  readonly perCaller: number;
}

/** Limits how much slow or memory-intensive work runs at the same time, in total and for one caller. */
export function createConcurrencyLimit({
  total,
  perCaller,
}: Limits): <T>(who: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, number>();
  let count = 0;
  return async (who, work) => {
    const own = running.get(who) ?? 0;
    if (own >= perCaller || count >= total) throw rateLimited(1, 'concurrency');
    running.set(who, own + 1);
    count++;
    try {
      return await work();
    } finally {
      count--;
      const left = running.get(who)! - 1;
      if (left === 0) running.delete(who);
      else running.set(who, left);
    }
  };
}
