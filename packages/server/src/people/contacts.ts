import { type RawBuilder, sql } from 'kysely';
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

/** A condition: are they contacts, or in a conversation together (AC-4)? */
const isKnown = (accountId: string, other: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from contacts k where k.account_id = ${accountId} and k.contact_id = ${other})
  or exists (
    select from members mine join members theirs on theirs.conversation_id = mine.conversation_id
    where mine.member_kind = 'human' and mine.member_id = ${accountId} and mine.left_at is null
      and theirs.member_kind = 'human' and theirs.member_id = ${other} and theirs.left_at is null))`;

/** A condition: are they contacts, or are or were in a conversation together? Then the name is no secret (AC-7). */
export const hasMet = (accountId: string, other: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from contacts k where k.account_id = ${accountId} and k.contact_id = ${other})
  or exists (
    select from members mine join members theirs on theirs.conversation_id = mine.conversation_id
    where mine.member_kind = 'human' and mine.member_id = ${accountId}
      and theirs.member_kind = 'human' and theirs.member_id = ${other}))`;

/** May the account ask this one by its id, or invite it? Whoever has left is not known by what was. */
export async function knows(db: Db | Trx, accountId: string, otherId: string): Promise<boolean> {
  return isThere(db, otherId, isKnown(accountId, sql`a.id`));
}

/** Whoever has left a group can still be blocked. */
export async function met(db: Db | Trx, accountId: string, otherId: string): Promise<boolean> {
  return isThere(db, otherId, hasMet(accountId, sql`a.id`));
}

async function isThere(db: Db | Trx, id: string, condition: RawBuilder<boolean>): Promise<boolean> {
  const { rows } = await sql`select 1 from accounts a
    where a.id = ${id} and a.status <> 'deleted' and ${condition}`.execute(db);
  return rows.length > 0;
}
