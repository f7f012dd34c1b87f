import { sql } from 'kysely';
import type { Trx } from '../storage/database.ts';

/** Deletes the contacts, requests, blocks and invitations of an account that is deleted. */
export async function forgetPeople(trx: Trx, accountId: string): Promise<void> {
  await sql`delete from contact_codes where account_id = ${accountId}`.execute(trx);
  await sql`delete from contacts where account_id = ${accountId} or contact_id = ${accountId}`.execute(trx);
  await sql`delete from contact_requests where account_id = ${accountId} or asker_id = ${accountId}`.execute(trx);
  await sql`delete from blocks where account_id = ${accountId} or blocked_id = ${accountId}`.execute(trx);
  await sql`delete from group_invitations where account_id = ${accountId} or inviter_id = ${accountId}`.execute(trx);
}
