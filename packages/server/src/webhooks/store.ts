import { type Selectable, sql } from 'kysely';
import { scheduleAgent } from '../events/webhook-outbox.ts';
import { type Page, takePage } from '../http/page.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';
import { isClockBelieved } from '../trusted-clock.ts';
import { isDue } from './due.ts';
import { LONGEST_PAUSE_MS, LONGEST_WAIT_MS } from './schedule.ts';

export type WebhookRow = Selectable<Database['webhooks']>;
export type DeliveryRow = Selectable<Database['webhook_deliveries']>;
const LOGGED = [
  'id',
  'event_type',
  'status',
  'attempts',
  'last_status',
  'last_error',
  'next_at',
  'created_at',
  'delivered_at',
] as const satisfies readonly (keyof DeliveryRow)[];
export type LoggedDelivery = Pick<DeliveryRow, (typeof LOGGED)[number]>;

export function findWebhook(db: Db | Trx, agentId: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('agent_id', '=', agentId).executeTakeFirst();
}

/** So many of the newest deliveries say how an endpoint does; an agent may have any number. */
const NEWEST = 1_000;

/** What the endpoint did last. What was before the last change of the webhook says nothing about it. */
export async function findOutcomes(
  db: Db | Trx,
  { agent_id: agentId, updated_at: since }: Pick<WebhookRow, 'agent_id' | 'updated_at'>,
): Promise<{ readonly answeredAt: Date | null; readonly ping: LoggedDelivery | undefined }> {
  const newest = db
    .selectFrom('webhook_deliveries')
    .select(LOGGED)
    .where('agent_id', '=', agentId)
    .orderBy('id', 'desc')
    .limit(NEWEST)
    .as('newest');
  const [answered, ping] = await Promise.all([
    db
      .selectFrom(newest)
      .select(({ fn }) => fn.max('delivered_at').as('at'))
      .where('status', '=', 'delivered')
      .where('delivered_at', '>=', since)
      .executeTakeFirst(),
    db
      .selectFrom(newest)
      .selectAll()
      .where('event_type', '=', 'ping')
      .where('created_at', '>=', since)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return { answeredAt: answered?.at ?? null, ping };
}

/** A delivery with everything that an attempt needs. */
export interface Attemptable extends DeliveryRow {
  readonly owner_id: string;
  readonly allowed: boolean;
  readonly url: string | null;
  readonly secret: string | null;
  readonly previous_secret: string | null;
  readonly previous_until: Date | null;
  readonly webhook_updated_at: Date | null;
  readonly is_paused: boolean;
  /** Of the database. What is due, paused or over is judged by its clock only, which all nodes share. */
  readonly read_at: Date;
  readonly is_clock_believed: boolean;
  /** Of the event that it belongs to, if it does. */
  readonly event_created_at: Date | null;
  readonly payload: string | null;
  readonly is_message: boolean;
  readonly envelope: string | null;
}

export async function findAttemptable(db: Db, deliveryId: string): Promise<Attemptable | undefined> {
  const { rows } = await sql<Attemptable>`
    select d.*, a.owner_id, a.status in ('active', 'suspended') and o.status = 'active' as allowed,
      w.url, w.secret, w.previous_secret, w.previous_until, w.updated_at as webhook_updated_at,
      w.paused_until is not null and not ${isDue('w.paused_until', LONGEST_PAUSE_MS)} as is_paused,
      clock_timestamp() as read_at, ${isClockBelieved} as is_clock_believed,
      e.created_at as event_created_at, e.payload, e.conversation_id is not null as is_message,
      coalesce(m.envelope, e.envelope) as envelope
    from webhook_deliveries d
    join agents a on a.id = d.agent_id
    join accounts o on o.id = a.owner_id
    left join webhooks w on w.agent_id = d.agent_id
    left join webhook_events e on e.id = d.event_id
    left join messages m on m.conversation_id = e.conversation_id and m.seq = e.seq
    where d.id = ${deliveryId} and d.status = 'pending'
  `.execute(db);
  return rows[0];
}

/** The agent of this delivery is looked at as soon as possible. */
export async function scheduleDelivery(db: Db, deliveryId: string): Promise<void> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('agent_id')
    .where('id', '=', deliveryId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (row !== undefined) await scheduleAgent(db, row.agent_id);
}

/**
 * Lists what of an agent's deliveries is due, in turns by who caused them (OP-3): the first of each sender, then the second
 * of each, and so on. Those of one sender are in their order. It takes as long as there are senders, however much waits.
 */
export async function listDue(db: Db, agentId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive senders as (
      (select sender_id from webhook_deliveries where agent_id = ${agentId} and status = 'pending'
        order by sender_id limit 1)
      union all
      select (select d.sender_id from webhook_deliveries d where d.agent_id = ${agentId} and d.status = 'pending'
        and d.sender_id > senders.sender_id order by d.sender_id limit 1)
      from senders where senders.sender_id is not null)
    select id from senders cross join lateral (
      select id, next_at, event_id, row_number() over (order by next_at, event_id, id) as turn from webhook_deliveries d
      where d.agent_id = ${agentId} and d.sender_id = senders.sender_id and d.status = 'pending'
        and ${isDue('next_at', LONGEST_WAIT_MS)}
      order by next_at, event_id, id limit ${limit}) as due
    order by turn, next_at, event_id, id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
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
    .select(LOGGED)
    .where('agent_id', '=', agentId)
    .orderBy('id', 'desc')
    .limit(PAGE + 1);
  if (status !== undefined) query = query.where('status', '=', status);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  return takePage(await query.execute(), PAGE);
}

const PRUNED_AT_ONCE = 10_000;

/** Deletes delivered and failed ones; pending ones expire long before the retention ends. Then events without any. */
export async function pruneDeliveries(db: Db, before: Date): Promise<void> {
  await changePortions(
    db,
    sql`delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < ${before} and status <> 'pending' limit ${PRUNED_AT_ONCE})`,
  );
  await changePortions(
    db,
    sql`delete from webhook_events where id in (
      select e.id from webhook_events e where e.created_at < ${before} and e.agent_ids is null
        and not exists (select 1 from webhook_deliveries d where d.event_id = e.id) limit ${PRUNED_AT_ONCE})`,
  );
}

/**
 * Forgets the envelopes of messages that every webhook has had since before this time: they count for their sender
 * (OP-2). Until then the owner can have them sent again, and those that were given up for as long as the log goes back.
 */
export async function forgetEnvelopes(db: Db, before: Date): Promise<void> {
  await changePortions(
    db,
    sql`update webhook_events set envelope = null where id in (
      select e.id from webhook_events e
      where e.created_at < ${before} and e.envelope is not null and e.agent_ids is null and not exists (
        select 1 from webhook_deliveries d where d.event_id = e.id
          and (d.status <> 'delivered' or d.delivered_at >= ${before})) limit ${PRUNED_AT_ONCE})`,
  );
}

async function changePortions(db: Db, portion: ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await portion.execute(db);
    if (numAffectedRows < PRUNED_AT_ONCE) return;
  }
}
