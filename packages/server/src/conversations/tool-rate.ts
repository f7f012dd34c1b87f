import { sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';

/** TC-7, unless configured. */
const CALLS_PER_MINUTE = 60;
const LOCK = 7_213_002;

export interface ToolRate {
  /** How many more calls the agent may make now. */
  readonly left: number;
  /** Until one more is allowed, if none is left. */
  readonly waitSeconds: number;
  /** The database's time that the calls of this transaction are counted at. */
  readonly time: string;
}

/**
 * TC-7 over all nodes: the agents stay locked until the transaction ends, and the clock is the database's, read under
 * the lock. Those of different nodes would differ.
 */
export async function readToolRates(
  trx: Trx,
  agentIds: readonly string[],
  perMinute = CALLS_PER_MINUTE,
): Promise<Map<string, ToolRate>> {
  if (agentIds.length === 0) return new Map();
  // Ordered, so that two nodes do not wait for each other.
  await sql`select pg_advisory_xact_lock(${LOCK}, key)
    from (select distinct hashtext(id) as key from unnest(${agentIds}::text[]) as id order by 1) as keys`.execute(trx);
  const { rows } = await sql<{ id: string; used: number; wait: number | null; time: string }>`
    with clock as (select clock_timestamp() as time),
      old as (delete from tool_call_times using clock
        where agent_id = any(${agentIds}::uuid[]) and sent_at <= time - interval '60 seconds')
    select agent.id, count(sent_at)::int as used, time::text,
      extract(epoch from min(sent_at) + interval '60 seconds' - time)::float8 as wait
    from clock cross join unnest(${agentIds}::uuid[]) as agent (id)
    left join tool_call_times on agent_id = agent.id and sent_at > time - interval '60 seconds'
    group by agent.id, time`.execute(trx);
  return new Map(
    rows.map(({ id, used, wait, time }) => [id, { left: perMinute - used, waitSeconds: wait ?? 60, time }]),
  );
}

export async function countToolCalls(
  trx: Trx,
  calls: readonly { readonly agentId: string; readonly time: string }[],
): Promise<void> {
  if (calls.length === 0) return;
  const agents = calls.map(({ agentId }) => agentId);
  const times = calls.map(({ time }) => time);
  await sql`insert into tool_call_times (agent_id, sent_at)
    select * from unnest(${agents}::uuid[], ${times}::timestamptz[])`.execute(trx);
}

/** Rows of agents that have fallen silent. */
export async function pruneToolCalls(db: Db): Promise<void> {
  await sql`delete from tool_call_times where sent_at < now() - interval '5 minutes'`.execute(db);
}
