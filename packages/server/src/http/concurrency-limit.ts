import { rateLimited } from './request-error.ts';

interface Slots {
  readonly together: number;
  readonly ofOne: number;
}

/** For work that takes long and memory: so much of it at the same time, and so much of one caller's. */
export function createSlots({ together, ofOne }: Slots): <T>(who: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, number>();
  let total = 0;
  return async (who, work) => {
    const mine = running.get(who) ?? 0;
    if (mine >= ofOne || total >= together) throw rateLimited(1);
    running.set(who, mine + 1);
    total++;
    try {
      return await work();
    } finally {
      total--;
      const left = running.get(who)! - 1;
      if (left === 0) running.delete(who);
      else running.set(who, left);
    }
  };
}
