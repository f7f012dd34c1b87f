import { sql } from 'kysely';
import type { Db } from '../storage/database.ts';
import type { Pipe } from '../storage/pipeline.ts';

/** The default limit (TC-7). */
const CALLS_PER_MINUTE = 60;

export interface ToolRate {
  /** The number of calls that the agent may still make now. */
  readonly left: number;
  /** The time until another call is allowed, if none is left. */
  readonly waitSeconds: number;
  /** The database's time that the calls of this transaction are counted at. */
  readonly time: string;
}

/** Reads the rates and locks the agents until the transaction ends. */
export async function readToolRates(
  pipe: Pipe,
  agentIds: readonly string[],
  perMinute = CALLS_PER_MINUTE,
): Promise<Map<string, ToolRate>> {
  if (agentIds.length === 0) return new Map();
  type Row = { readonly id: string; readonly used: number; readonly wait: number | null; readonly time: string };
  const text = 'select * from tool_rates($1)';
  const rows = await pipe.query<Row>({ name: 'relay-rates', text, values: [agentIds] });
  return new Map(
    rows.map(({ id, used, wait, time }) => [id, { left: perMinute - used, waitSeconds: wait ?? 60, time }]),
  );
}

/** With a limit above this, the calls of one second share a row and count from its end. */
const EXACT_PER_MINUTE = 600;
const COUNT = `
  insert into tool_call_times (agent_id, sent_at, calls)
  select agent, case when $4 then date_trunc('second', time) + interval '1 second' else time end, calls
  from unnest($1::uuid[], $2::timestamptz[], $3::int[]) as new (agent, time, calls)
  on conflict (agent_id, sent_at) do update set calls = tool_call_times.calls + excluded.calls`;

export async function countToolCalls(
  pipe: Pipe,
  calls: readonly { readonly agentId: string; readonly time: string }[],
  perMinute = CALLS_PER_MINUTE,
): Promise<void> {
  if (calls.length === 0) return;
  const counts = new Map<string, { readonly time: string; count: number }>();
  for (const { agentId, time } of calls) {
    const known = counts.get(agentId);
    if (known === undefined) counts.set(agentId, { time, count: 1 });
    else known.count++;
  }
  const times = [...counts.values()];
  const values = [
    [...counts.keys()],
    times.map(({ time }) => time),
    times.map(({ count }) => count),
    perMinute > EXACT_PER_MINUTE,
  ];
  await pipe.query({ name: 'relay-count', text: COUNT, values });
}

/** Deletes calls that no longer count. On a wrong clock an agent may make a minute's calls again, and no more. */
export async function pruneToolCalls(db: Db): Promise<void> {
  await sql`delete from tool_call_times where sent_at < now() - interval '5 minutes'
    or sent_at > now() + interval '5 minutes'`.execute(db);
}
