import { createLru } from '@parley/base';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Db, Trx } from '../storage/database.ts';

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

/**
 * How many wait, for whoever looks: those to one's own webhooks, or those that one's own messages cause and that are not made
 * yet (OP-4), whichever are more. Of each, no more are made at the limit.
 */
export async function readWaiting(db: Db | Trx, accountId: string): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    select coalesce(sum(deliveries), 0)::int as deliveries from webhook_events
    where account_id = ${accountId} and agent_ids is not null`.execute(db);
  return Math.max(rows[0]!.deliveries, (await countWaiting(db, [accountId])).get(accountId) ?? 0);
}

/** Refuses one that its owner asks for, if too many wait already. */
export async function requireRoomForDelivery(
  { db, budgets }: Pick<Platform, 'db' | 'budgets'>,
  accountId: string,
): Promise<void> {
  const used = (await countWaiting(db, [accountId])).get(accountId) ?? 0;
  budgets.requireRoom(accountId, 'waiting_deliveries', { used, adding: 1 });
}

async function countWaiting(trx: Db | Trx, accountIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ owner_id: string; count: number }>`
    select a.owner_id, count(*)::integer as count from agents a
    join webhook_deliveries d on d.agent_id = a.id and d.status = 'pending'
    where a.owner_id = any(${accountIds}::uuid[]) group by a.owner_id`.execute(trx);
  return new Map(rows.map(({ owner_id, count }) => [owner_id, count]));
}
