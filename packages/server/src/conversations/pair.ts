import { sql } from 'kysely';
import type { Trx } from '../storage/database.ts';

/** The conversation of two people, as long as both are in it. */
const pair = (one: string, other: string) => sql`conversations c
  join members a on a.conversation_id = c.id and a.member_kind = 'human' and a.member_id = ${one}
  join members b on b.conversation_id = c.id and b.member_kind = 'human' and b.member_id = ${other}
  where c.kind = 'h2h' and a.left_at is null and b.left_at is null`;

/** Finds the conversation that they have already. */
export async function findPair(trx: Trx, one: string, other: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select c.id from ${pair(one, other)}
    and exists (select from accounts where id = ${other} and status = 'active') limit 1`.execute(trx);
  return rows[0]?.id;
}

/**
 * The number of its last message; 0 where there is none. Until the transaction ends, neither of the two sends anything; whoever
 * calls has locked the pair, so that it does not begin meanwhile either.
 */
export async function lockPairEnd(trx: Trx, one: string, other: string): Promise<number> {
  const { rows } = await sql<{ last_seq: number }>`select c.last_seq from ${pair(one, other)}
    order by c.id limit 1 for no key update of c`.execute(trx);
  return rows[0]?.last_seq ?? 0;
}
