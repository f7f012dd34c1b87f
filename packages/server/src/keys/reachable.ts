import { sql } from 'kysely';
import type { Party } from '../http/caller.ts';
import type { Db, Trx } from '../storage/database.ts';

/** Finds whom of `others` this party may write to: itself, and those in a conversation or relation with it. */
export async function findReachable(
  db: Db | Trx,
  party: Party,
  kind: Party['kind'],
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct theirs.member_id as id
    from members mine join members theirs on theirs.conversation_id = mine.conversation_id
    where mine.member_kind = ${party.kind} and mine.member_id = ${party.id} and mine.left_at is null
      and theirs.member_kind = ${kind} and theirs.member_id = any(${others}::uuid[]) and theirs.left_at is null
    union
    select case when ${kind} = 'agent' then agent_id else account_id end
    from h2a_relations
    where status <> 'ended' and ${party.kind} <> ${kind}
      and case when ${kind} = 'agent' then account_id else agent_id end = ${party.id}
      and case when ${kind} = 'agent' then agent_id else account_id end = any(${others}::uuid[])`.execute(db);
  const reachable = new Set(rows.map(({ id }) => id));
  if (party.kind === kind) reachable.add(party.id);
  return reachable;
}
