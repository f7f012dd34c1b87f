import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../storage/database.ts';

/** Whoever blocks someone takes back what they accepted from them, and what they offered them (AC-6). */
export async function endInvitationsBetween(
  trx: Trx,
  { blockerId, otherId, now }: { blockerId: string; otherId: string; now: Date },
): Promise<void> {
  await dropAcceptance(trx, sql`account_id = ${blockerId} and inviter_id = ${otherId}`);
  await sql`update group_invitations set withdrawn_at = ${now}
    where account_id = ${otherId} and inviter_id = ${blockerId} and withdrawn_at is null`.execute(trx);
}

/** An account that is deleted accepts nothing more; to managers its invitations look as before. */
export function forgetInvited(trx: Trx, accountId: string): Promise<void> {
  return dropAcceptance(trx, sql`account_id = ${accountId}`);
}

async function dropAcceptance(trx: Trx, which: RawBuilder<unknown>): Promise<void> {
  await sql`update group_invitations set heard = false, accepted_at = null where ${which}`.execute(trx);
}
