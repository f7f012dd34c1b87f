import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Db, Trx } from '../storage/database.ts';

/** Finds which of these people are contacts of the account, and active. Those whom it has blocked are none (AC-6). */
export async function findContacts(
  db: Db | Trx,
  accountId: string,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  if (others.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select k.contact_id as id from contacts k join accounts a on a.id = k.contact_id and a.status = 'active'
    where k.account_id = ${accountId} and k.contact_id = any(${others}::uuid[])
      and not exists (select from blocks b
        where b.account_id = k.account_id and b.blocked_id = k.contact_id and b.until is null)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Makes two people contacts of each other. */
export async function insertContacts(trx: Trx, [one, other]: readonly [string, string], now: Date): Promise<void> {
  const rows = [
    { account_id: one, contact_id: other, created_at: now },
    { account_id: other, contact_id: one, created_at: now },
  ];
  await trx
    .insertInto('contacts')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Until the transaction ends, nobody else decides anything between the two. */
export async function lockPair(trx: Trx, one: string, other: string): Promise<void> {
  const pair = [one, other].sort().join(' ');
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.conversationOfTwo}, hashtext(${pair}))`.execute(trx);
}

/** Whom of these does the account know by their id: contacts, and those who are or were in a conversation with it? */
export async function findKnown(
  db: Db | Trx,
  accountId: string,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  if (others.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select a.id from accounts a where a.id = any(${others}::uuid[]) and a.status <> 'deleted' and (
      exists (select from contacts k where k.account_id = ${accountId} and k.contact_id = a.id)
      or exists (
        select from members mine join members theirs on theirs.conversation_id = mine.conversation_id
        where mine.member_kind = 'human' and mine.member_id = ${accountId}
          and theirs.member_kind = 'human' and theirs.member_id = a.id))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
