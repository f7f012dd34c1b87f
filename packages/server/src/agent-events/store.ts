import type { AgentEventNote } from '@parley/protocol';
import { sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';

/** How many of an agent's events are kept (HS-12). */
const KEPT = 100;

export interface RecordedEvent {
  readonly agentId: string;
  readonly event: AgentEventNote;
  readonly at: Date;
}

/**
 * Numbers and stores events of many agents in one statement, and deletes those before the last hundred. The row with
 * the agent's last number is locked until they are visible, so that numbers appear in order, whichever node assigns
 * them.
 */
export async function storeAgentEvents(db: Db, notes: readonly RecordedEvent[]): Promise<void> {
  const agents = notes.map(({ agentId }) => agentId);
  const types = notes.map(({ event }) => event.type);
  const fields = notes.map(({ event: { type: _, ...rest } }) => JSON.stringify(rest));
  const times = notes.map(({ at }) => at);
  await sql`
    with given as (
      select note.*, row_number() over (partition by agent_id order by ordinal) as number
      from unnest(${agents}::uuid[], ${types}::text[], ${fields}::jsonb[], ${times}::timestamptz[])
        with ordinality as note (agent_id, type, fields, at, ordinal)),
    heads as (
      insert into agent_tails (agent_id, last_number)
      select given.agent_id, count(*) from given join agents on agents.id = given.agent_id and status <> 'deleted'
      group by given.agent_id order by given.agent_id
      on conflict (agent_id) do update set last_number = agent_tails.last_number + excluded.last_number
      returning agent_id, last_number),
    stored as (
      insert into agent_events (agent_id, number, type, fields, at)
      select agent_id, last_number - max(number) over (partition by agent_id) + number, type, fields, at
      from given join heads using (agent_id))
    delete from agent_events using heads
    where agent_events.agent_id = heads.agent_id and agent_events.number <= heads.last_number - ${KEPT}`.execute(db);
}

export interface StoredAgentEvent {
  readonly number: number;
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** Returns the stored events after a number, oldest first, and the agent's last number. */
export async function readAgentEvents(
  db: Db,
  agentId: string,
  after: number,
): Promise<{ readonly notes: readonly StoredAgentEvent[]; readonly last: number }> {
  // The last number is read first: what comes between the two statements is read now or next time, never skipped.
  const head = await db
    .selectFrom('agent_tails')
    .select('last_number')
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  const last = head?.last_number ?? 0;
  if (last === after) return { notes: [], last };
  const notes = await db
    .selectFrom('agent_events')
    .select(['number', 'type', 'fields', 'at'])
    .where('agent_id', '=', agentId)
    .where('number', '>', after > last ? 0 : after)
    .where('number', '>', last - KEPT)
    .orderBy('number')
    .execute();
  return { notes, last };
}

/** Deletes the events of an agent in the order in which `storeAgentEvents` locks the rows, to avoid a deadlock. */
export async function deleteAgentEvents(trx: Trx, agentId: string): Promise<void> {
  await trx.deleteFrom('agent_tails').where('agent_id', '=', agentId).execute();
  await trx.deleteFrom('agent_events').where('agent_id', '=', agentId).execute();
}

export async function pruneAgentEvents(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('agent_events').where('at', '<', before).execute();
}
