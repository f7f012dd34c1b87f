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
  return Math.max(rows[0]!.deliveries, (await countWaiting(db, [accountId])).get(accountId) ?? 0);
}

/** Refuses one that its owner asks for, if too many wait already. */
export async function requireRoomForDelivery(
  { db, budgets }: { readonly db: Db; readonly budgets: Budgets },
  accountId: string,
): Promise<void> {
  const used = (await countWaiting(db, [accountId])).get(accountId) ?? 0;
  budgets.requireRoom(accountId, 'waiting_deliveries', { used, adding: 1 });
}

export async function countWaiting(trx: Db | Trx, accountIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ owner_id: string; count: number }>`
    select a.owner_id, count(*)::integer as count from agents a
    join webhook_deliveries d on d.agent_id = a.id and d.status = 'pending'
    where a.owner_id = any(${accountIds}::uuid[]) group by a.owner_id`.execute(trx);
  return new Map(rows.map(({ owner_id, count }) => [owner_id, count]));
}
