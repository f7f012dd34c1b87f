import type { EventType } from '@parley/protocol';
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Recipient } from './events.ts';

export interface StoredEvent {
  readonly position: number;
  /** Only these types are ever stored. */
  readonly type: EventType;
  readonly payload: Record<string, unknown>;
}

/**
 * Reads the events of a recipient after a position, in an order that never changes: nothing ever appears before what
 * was read.
 */
export async function readEvents(
  db: Db,
  { kind, id }: Recipient,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredEvent[]> {
  const { rows: fresh } = await sql`select 1 from events
    where recipient_kind = ${kind} and recipient_id = ${id} and position is null limit 1`.execute(db);
  if (fresh.length > 0) await db.transaction().execute((trx) => givePositions(trx, { kind, id }));
  const { rows } = await sql<StoredEvent>`select position, type, payload from events
    where recipient_kind = ${kind} and recipient_id = ${id} and position > ${after}
    order by position limit ${limit}`.execute(db);
  return rows;
}

/**
 * Take it before many events of one recipient are changed: two transactions might lock their rows in different orders.
 */
export async function lockEvents(trx: Trx, recipientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.events}, hashtext(${recipientId}))`.execute(trx);
}

async function givePositions(trx: Trx, { kind, id }: Recipient): Promise<void> {
  await lockEvents(trx, id);
  await sql`with fresh as (
      select id from events where recipient_kind = ${kind} and recipient_id = ${id} and position is null order by id),
    placed as (select id, nextval('event_positions') as position from fresh)
    update events set position = placed.position from placed where events.id = placed.id`.execute(trx);
}

/** Reads how far a device or agent has acknowledged its events. */
export async function readEventCursor(db: Db, kind: 'device' | 'agent', id: string): Promise<number> {
  const row = await db
    .selectFrom('event_cursors')
    .select('event_id')
    .where('consumer_kind', '=', kind)
    .where('consumer_id', '=', id)
    .executeTakeFirst();
  return row?.event_id ?? 0;
}

/** Is there an event at this position or later? A client cannot have what does not exist. */
export async function hasEventFrom(db: Db, { kind, id }: Recipient, position: number): Promise<boolean> {
  const { rows } = await sql`select 1 from events
    where recipient_kind = ${kind} and recipient_id = ${id} and position >= ${position} limit 1`.execute(db);
  return rows.length > 0;
}

/** The cursor never moves back or past the last event: a wrong number must not hide events to come. */
export async function moveEventCursor(
  db: Db,
  consumer: { readonly kind: 'device' | 'agent'; readonly id: string },
  { recipient, position }: { readonly recipient: Recipient; readonly position: number },
): Promise<void> {
  await sql`insert into event_cursors (consumer_kind, consumer_id, event_id)
    select ${consumer.kind}::text, ${consumer.id}::uuid, max(position) from events
    where recipient_kind = ${recipient.kind} and recipient_id = ${recipient.id} and position <= ${position}
    having max(position) is not null
    on conflict (consumer_kind, consumer_id)
    do update set event_id = greatest(event_cursors.event_id, excluded.event_id)`.execute(db);
}
