import { sql } from 'kysely';
import type { Trx } from '../storage/database.ts';

/** How long an invitation waits, and how long whoever was declined is not heard (AC-5). */
const DAYS = 30;

export const oldestInvitation = (now: Date) => new Date(now.getTime() - DAYS * 24 * 3_600_000);

interface Taking {
  readonly conversationId: string;
  readonly accountId: string;
  /** Who signs them in. */
  readonly signerId: string;
  readonly now: Date;
}

/**
 * May this person be brought in, because they have accepted? Then the invitation is used up. Not by whom they have
 * blocked since, nor on the word of someone like that (AC-6).
 */
export async function takeAccepted(trx: Trx, { conversationId, accountId, signerId, now }: Taking): Promise<boolean> {
  const { rows } = await sql`delete from group_invitations i where conversation_id = ${conversationId}
    and account_id = ${accountId} and accepted_at is not null and withdrawn_at is null
    and created_at > ${oldestInvitation(now)}
    and not exists (select from blocks b where b.account_id = i.account_id and b.until is null
      and b.blocked_id in (i.inviter_id, ${signerId}::uuid))
    returning 1`.execute(trx);
  return rows.length > 0;
}
