import { type Selectable, sql } from 'kysely';
import { type Page, takePage } from '../http/page.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';

export type WebhookRow = Selectable<Database['webhooks']>;
export type DeliveryRow = Selectable<Database['webhook_deliveries']>;
export type LoggedDelivery = Omit<DeliveryRow, 'agent_id' | 'body' | 'expires_at'>;

export function findWebhook(db: Db | Trx, agentId: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('agent_id', '=', agentId).executeTakeFirst();
}

/** A delivery with everything that an attempt needs. */
export interface Attemptable extends DeliveryRow {
  readonly owner_id: string;
  readonly allowed: boolean;
  readonly url: string | null;
  readonly secret: string | null;
  readonly previous_secret: string | null;
  readonly previous_until: Date | null;
  readonly paused_until: Date | null;
}

export async function findAttemptable(db: Db, deliveryId: string): Promise<Attemptable | undefined> {
  const { rows } = await sql<Attemptable>`
    select d.*, a.owner_id, a.status in ('active', 'suspended') and o.status = 'active' as allowed,
      w.url, w.secret, w.previous_secret, w.previous_until, w.paused_until
    from webhook_deliveries d
    join agents a on a.id = d.agent_id
    join accounts o on o.id = a.owner_id
    left join webhooks w on w.agent_id = d.agent_id
    where d.id = ${deliveryId} and d.status = 'pending'
  `.execute(db);
  return rows[0];
}

export type DeliveryChange = Partial<Omit<DeliveryRow, 'id' | 'agent_id'>>;

/** Returns false if the delivery changed since it was read: it was sent again, or its webhook removed. */
export async function updateAttempted(
  trx: Db | Trx,
  { id, attempts, expires_at: expiresAt }: Pick<DeliveryRow, 'id' | 'attempts' | 'expires_at'>,
  change: DeliveryChange,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_deliveries')
    .set(change)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    // A redelivery starts counting again, and has a new end.
    .where('expires_at', '=', expiresAt)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const PAGE = 50;

interface LogQuery {
  readonly agentId: string;
  readonly status?: DeliveryRow['status'];
  /** Only rows older than this one. */
  readonly cursor?: string;
}

/** Lists the newest first: the ids of deliveries sort by time. */
export async function listDeliveries(db: Db, { agentId, status, cursor }: LogQuery): Promise<Page<LoggedDelivery>> {
  let query = db
    .selectFrom('webhook_deliveries')
    .select(['id', 'event_type', 'status', 'attempts', 'last_status', 'last_error'])
    .select(['next_at', 'created_at', 'delivered_at'])
    .where('agent_id', '=', agentId)
    .orderBy('id', 'desc')
    .limit(PAGE + 1);
  if (status !== undefined) query = query.where('status', '=', status);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  return takePage(await query.execute(), PAGE);
}

const PRUNED_AT_ONCE = 10_000;

/** Deletes delivered and failed ones; pending ones expire long before the retention ends. */
export async function pruneDeliveries(db: Db, before: Date): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where created_at < ${before} and status <> 'pending' limit ${PRUNED_AT_ONCE}
      )`.execute(db);
    if (numAffectedRows < PRUNED_AT_ONCE) return;
  }
}
