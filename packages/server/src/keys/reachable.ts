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

/**
 * May this party read the device list of the account? Whoever is in a group verifies with it what the account signed
 * there, also when it has left or was deleted (EE-20).
 */
export async function mayReadDevices(db: Db, party: Party, accountId: string): Promise<boolean> {
  if ((await findReachable(db, party, 'human', [accountId])).has(accountId)) return true;
  const { rows } = await sql`
    select from group_statements s join members mine using (conversation_id)
    where s.statement -> 'by' ->> 'id' = ${accountId} and s.statement -> 'by' ->> 'kind' = 'human'
      and mine.member_kind = ${party.kind} and mine.member_id = ${party.id} and mine.left_at is null
    limit 1`.execute(db);
  return rows.length > 0;
}
