import { createLru } from '@parley/base';
import { countWaiting } from '../budgets/waiting-deliveries.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';

/** How many deliveries of an account wait, as far as its budget needs to know (OP-1). */
export interface WaitingRoom {
  /** Returns how many of these each account may add, by account. Call `add` with what was added. */
  findRoom(trx: Trx, wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
  add(accountId: string, count: number): void;
}

interface Estimate {
  /** Never less than what waits: deliveries that end are noticed when it is counted again. */
  waiting: number;
  readonly countedAt: number;
}

const MAX_ACCOUNTS = 10_000;
/** An account at its limit is counted again after this time. */
const RECOUNT_MS = 1_000;

export function createWaitingRoom({ budgets, elapsed }: Pick<Platform, 'budgets' | 'elapsed'>): WaitingRoom {
  const estimates = createLru<string, Estimate>(MAX_ACCOUNTS);
  const limitOf = (accountId: string) => budgets.limitOf(accountId, 'waiting_deliveries');
  const needsCount = (accountId: string, wanted: number): boolean => {
    if (limitOf(accountId) === Number.POSITIVE_INFINITY) return false;
    const estimate = estimates.get(accountId);
    if (estimate === undefined) return true;
    return estimate.waiting + wanted > limitOf(accountId) && elapsed() - estimate.countedAt >= RECOUNT_MS;
  };
  return {
    findRoom: async (trx, wanted) => {
      const unsure = [...wanted].filter(([accountId, count]) => needsCount(accountId, count)).map(([id]) => id);
      if (unsure.length > 0) {
        const counts = await countWaiting(trx, unsure);
        for (const id of unsure) estimates.set(id, { waiting: counts.get(id) ?? 0, countedAt: elapsed() });
      }
      const room = (accountId: string) => limitOf(accountId) - (estimates.get(accountId)?.waiting ?? 0);
      return new Map([...wanted.keys()].map((accountId) => [accountId, Math.max(0, room(accountId))]));
    },
    add: (accountId, count) => {
      const estimate = estimates.get(accountId);
      if (estimate !== undefined) estimate.waiting += count;
    },
  };
}
