import type { EventType } from '@parley/protocol';
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Pipe } from '../storage/pipeline.ts';
import { giveConversationPositions, lockPositions } from './conversation-events.ts';
import type { Recipient } from './events.ts';

export interface StoredEvent {
  readonly position: number;
  /** Only these types are ever stored. */
  readonly type: EventType;
  readonly payload: Record<string, unknown>;
}

/** Gives a position to each event that the recipient can read and that has none. */
export async function placeEvents(db: Db, { kind, id }: Recipient): Promise<void> {
  const { rows: fresh } = await sql<{ whose: 'own' | 'shared' }>`
    select 'own' as whose where exists (
      select 1 from events where recipient_kind = ${kind} and recipient_id = ${id} and position is null)
    union all
    select 'shared' where exists (select 1 from conversation_events where position is null)`.execute(db);
  for (const { whose } of fresh) {
    if (whose === 'shared') await giveConversationPositions(db);
    else await db.transaction().execute((trx) => givePositions(trx, { kind, id }));
  }
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
  await placeEvents(db, { kind, id });
  const { rows } = await sql<StoredEvent>`
    (select position, type, payload from events
      where recipient_kind = ${kind} and recipient_id = ${id} and position > ${after}
      order by position limit ${limit})
    union all
    (select e.position, e.type, e.payload from members m
      join conversation_events e on e.conversation_id = m.conversation_id and e.id > m.joined_event
      where m.member_kind = ${kind} and m.member_id = ${id} and m.left_at is null and e.position > ${after}
      order by e.position limit ${limit})
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
  await lockPositions(trx);
  await sql`with fresh as (
      select id from events where recipient_kind = ${kind} and recipient_id = ${id} and position is null order by id),
    placed as (select id, nextval('event_positions') as position from fresh)
    update events set position = placed.position from placed where events.id = placed.id`.execute(trx);
}

/** Reads how far a device or agent has acknowledged its events. */
async function readEventCursor(db: Db, kind: 'device' | 'agent', id: string): Promise<number> {
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
  const { rows } = await sql`
    (select 1 from events where recipient_kind = ${kind} and recipient_id = ${id} and position >= ${position} limit 1)
    union all
    (select 1 from members m
      join conversation_events e on e.conversation_id = m.conversation_id and e.id > m.joined_event
      where m.member_kind = ${kind} and m.member_id = ${id} and m.left_at is null and e.position >= ${position} limit 1)
    limit 1`.execute(db);
  return rows.length > 0;
}

interface EventPosition {
  /** How far was pushed before; undefined: as far as was acknowledged. */
  readonly known: number | undefined;
  /** What the client says it has. */
  readonly claimed: number | undefined;
}

/** Reads what comes next for a device of a person, an agent, or a session without a device, which has no cursor. */
export async function readNextEvents(
  db: Db,
  { kind, id, deviceId }: Recipient & { readonly deviceId?: string },
  { known, claimed, limit }: EventPosition & { readonly limit: number },
): Promise<{ after: number; events: StoredEvent[] }> {
  const findAcknowledged = async () => {
    if (kind === 'agent') return readEventCursor(db, 'agent', id);
    return deviceId === undefined ? 0 : readEventCursor(db, 'device', deviceId);
  };
  const least = known ?? (await findAcknowledged());
  const isAhead = claimed !== undefined && claimed > least && (await hasEventFrom(db, { kind, id }, claimed));
  const after = isAhead ? claimed : least;
  return { after, events: await readEvents(db, { kind, id }, { after, limit }) };
}

/** How far a consumer has acknowledged its events. */
export interface EventMove {
  readonly kind: Recipient['kind'];
  /** A device of a person, or the agent itself. */
  readonly consumerId: string;
  readonly position: number;
}

/** How long it waits for a cursor that someone else has locked: all others of the statement wait with it. */
const LOCK_MS = 50;

/** For a statement that moves cursors. Its first parameter says whether the commit waits for the disk. */
export const MOVE_SETTINGS = `
  select set_config('synchronous_commit', case when $1::boolean then current_setting('synchronous_commit') else 'off' end, true),
    set_config('lock_timeout', '${LOCK_MS}', true)`;

/**
 * A cursor never moves back or past the last position that was given to anybody: a wrong number must not hide events to
 * come. Asking for the consumer's own last event would cost a look into each of its conversations, in a statement in
 * which everyone waits. A cursor that stays where it is writes nothing, unless the move is durable: see `cursors.ts`.
 */
const MOVE = `
  with settings as (${MOVE_SETTINGS}),
    given as (select case when is_called then last_value else 0 end as position from event_positions)
  insert into event_cursors (consumer_kind, consumer_id, event_id)
  select case w.kind when 'agent' then 'agent' else 'device' end, w.consumer, least(w.position, given.position)
  from unnest($2::text[], $3::uuid[], $4::bigint[]) as w (kind, consumer, position)
  cross join settings
  cross join given
  where least(w.position, given.position) > 0
  order by w.consumer
  on conflict (consumer_kind, consumer_id) do update
    set event_id = greatest(event_cursors.event_id, excluded.event_id)
    where event_cursors.event_id < excluded.event_id or $1::boolean`;

/** Moves the cursors of different consumers in one statement. */
export async function moveEventCursors(
  pipe: Pipe,
  moves: readonly EventMove[],
  { isDurable }: { isDurable: boolean },
): Promise<void> {
  const column = <Name extends keyof EventMove>(name: Name) => moves.map((move) => move[name]);
  const values = [isDurable, column('kind'), column('consumerId'), column('position')];
  await pipe.query({ name: 'event-cursors-move', text: MOVE, values });
}
