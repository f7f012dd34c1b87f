import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Trx } from '../storage/database.ts';

/**
 * Refuses a session that has ended since its request came in, which may be long ago: a body takes its time, and turns come
 * on top (AC-9). For whatever makes a way in that outlives the session, in the transaction that makes it: whoever ends
 * sessions waits for the locks, or is waited for. Take no stronger lock on the account afterwards.
 */
export async function requireLiveSession(
  trx: Trx,
  { accountId, sessionId }: Human,
  now: Date,
): Promise<{ readonly role: Human['role'] }> {
  const account = await trx
    .selectFrom('accounts')
    .select('role')
    .where('id', '=', accountId)
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst();
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .forShare()
    .executeTakeFirst();
  if (account === undefined || session === undefined) throw new RequestError('UNAUTHENTICATED');
  return account;
}
