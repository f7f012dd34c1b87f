import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';

/** Has the account blocked the other (AC-6)? */
export async function hasBlocked(db: Db | Trx, accountId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from blocks
    where account_id = ${accountId} and blocked_id = ${otherId} and until is null`.execute(db);
  return rows.length > 0;
}

/** Finds who of these has blocked the account. */
export async function findBlockers(
  db: Db | Trx,
  accountId: string,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  if (others.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select account_id as id from blocks
    where blocked_id = ${accountId} and until is null and account_id = any(${others}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * A condition: did its sender write the message while its reader had blocked them (AC-6)? By number, which no clock changes:
 * that of a node may jump, and two nodes have two.
 */
export function isWithheld({ reader, message }: { reader: RawBuilder<unknown>; message: RawBuilder<unknown> }) {
  return sql<boolean>`exists (select from blocks b
    where b.account_id = ${reader} and b.blocked_id = ${message}.sender_id and ${message}.sender_kind = 'human'
      and ${message}.seq > b.since_seq and (b.until is null or ${message}.seq <= b.until_seq))`;
}
