import { sql } from 'kysely';
import type { Trx } from '../storage/database.ts';

/** May this person be brought in, because they have accepted? Then the invitation is used up. */
export async function takeAccepted(trx: Trx, conversationId: string, accountId: string): Promise<boolean> {
  const { rows } = await sql`delete from group_invitations where conversation_id = ${conversationId}
    and account_id = ${accountId} and accepted_at is not null and withdrawn_at is null returning 1`.execute(trx);
  return rows.length > 0;
}
