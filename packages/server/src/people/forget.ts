import { sql } from 'kysely';
import type { Trx } from '../storage/database.ts';
import { forgetInvited } from './invitations.ts';

/**
 * Deletes the contacts, requests, blocks and invitations of an account that is deleted. What others have asked or offered
 * it looks to them as before (AC-4).
 */
export async function forgetPeople(trx: Trx, accountId: string): Promise<void> {
  await sql`delete from contact_codes where account_id = ${accountId}`.execute(trx);
  await sql`delete from contacts where account_id = ${accountId} or contact_id = ${accountId}`.execute(trx);
  await sql`delete from contact_requests where asker_id = ${accountId}`.execute(trx);
  await sql`update contact_requests set account_id = null, heard = false, heard_at = null, declined_at = null
    where account_id = ${accountId}`.execute(trx);
  await sql`delete from blocks where account_id = ${accountId} or blocked_id = ${accountId}`.execute(trx);
  await sql`delete from group_invitations where inviter_id = ${accountId}`.execute(trx);
  await forgetInvited(trx, accountId);
}
