import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Db, Trx } from '../storage/database.ts';

interface NewEvent {
  readonly conversationId: string;
  readonly type: string;
  /** The payload as JSON. */
  readonly text: string;
}

/**
 * Stores what all members are told in one row; returns false, and stores nothing, while a node of the version before runs: it
 * would not find it (OP-12).
 */
export async function storeConversationEvent(trx: Trx, { conversationId, type, text }: NewEvent): Promise<boolean> {
  const { rows } = await sql`insert into conversation_events (conversation_id, type, payload)
    select ${conversationId}, ${type}, ${text}::jsonb
    where not exists (select 1 from socket_nodes where not reads_conversation_events)
    returning 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Gives positions to the events of conversations that have none. Until it has committed nobody else gives any event a
 * position, so whoever has read a higher one has read these.
 */
export async function giveConversationPositions(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.eventPositions})`.execute(trx);
    await sql`with fresh as (select id from conversation_events where position is null order by id),
      placed as (select id, nextval('event_positions') as position from fresh)
      update conversation_events e set position = placed.position from placed where e.id = placed.id`.execute(trx);
  });
}

/** Take it before events of one recipient get their positions. */
export async function lockPositions(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.eventPositions})`.execute(trx);
}
