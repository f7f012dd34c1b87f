import { sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';
import type { Budgets } from './index.ts';

/**
 * How many wait, for whoever looks: those to one's own webhooks, or those that one's own messages cause and that are not made
 * yet (OP-4), whichever are more. Of each, no more are made at the limit.
 */
export async function readWaiting(db: Db | Trx, accountId: string): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    select coalesce(sum(deliveries), 0)::int as deliveries from webhook_events
    where account_id = ${accountId} and agent_ids is not null`.execute(db);
  return Math.max(rows[0]!.deliveries, await countAll(db, accountId));
}

/** Refuses one that its owner asks for, if too many wait already. */
export async function requireRoomForDelivery(
  { db, budgets }: { readonly db: Db; readonly budgets: Budgets },
  accountId: string,
): Promise<void> {
  const used = await countAll(db, accountId);
  budgets.requireRoom(accountId, 'waiting_deliveries', { used, adding: 1 });
}

interface Waiting {
  readonly owner_id: string;
  readonly sender_id: string;
  readonly count: number;
}

export async function countWaiting(trx: Db | Trx, accountIds: readonly string[]): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select a.owner_id, d.sender_id, count(*)::integer as count from agents a
    join webhook_deliveries d on d.agent_id = a.id and d.status = 'pending'
    where a.owner_id = any(${accountIds}::uuid[]) group by 1, 2`.execute(trx);
  return rows;
}

async function countAll(trx: Db | Trx, accountId: string): Promise<number> {
  const waiting = await countWaiting(trx, [accountId]);
  return waiting.reduce((sum, { count }) => sum + count, 0);
}
