import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { confirmPassword, type GivenPassword } from './confirm-password.ts';
import type { AccountDeps } from './deps.ts';
import { type Answer, provePasskey } from './passkeys.ts';

export const FRESH_SECONDS = 10 * 60;

type Proof = GivenPassword | Answer;

/** Notes that the person of this session has just proved who they are (AC-3). */
export async function reauthenticate(deps: AccountDeps, caller: Human, proof: Proof): Promise<void> {
  if ('password' in proof) await confirmPassword(deps, caller, proof);
  else if ((await provePasskey(deps, proof)).account_id !== caller.accountId) throw new RequestError('PASSKEY_REFUSED');
  const { numUpdatedRows } = await deps.db
    .updateTable('sessions')
    .set({ verified_at: deps.now() })
    .where('id', '=', caller.sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new RequestError('UNAUTHENTICATED');
}

/** Refuses what would open the account to whoever holds a stolen session. */
export async function requireFresh(
  platform: Platform,
  { sessionId }: Human,
  seconds: number = FRESH_SECONDS,
): Promise<void> {
  const session = await platform.db
    .selectFrom('sessions')
    .select('verified_at')
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (session === undefined) throw new RequestError('UNAUTHENTICATED');
  const age = platform.now().getTime() - (session.verified_at?.getTime() ?? 0);
  if (age < 0 || age > seconds * 1_000) throw new RequestError('REAUTHENTICATION_REQUIRED');
}
