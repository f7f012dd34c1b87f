import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { AccountDeps } from './deps.ts';
import { clearTries, countTry } from './throttle.ts';

/**
 * Asks whoever is signed in for the password. Guesses are slowed down here, too: a stolen session must not be a way to
 * find it out. They are counted apart from those at the sign-in, where they would hold up the owner.
 */
export async function confirmPassword(deps: AccountDeps, { accountId, sessionId }: Human, password: string) {
  const account = await deps.db
    .selectFrom('accounts')
    .select(['email', 'password_hash'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const counts = [
    { limit: 'session', of: sessionId },
    { limit: 'sessions', of: accountId },
  ] as const;
  await countTry(deps.db, counts, deps.now());
  if (!(await deps.passwords.check(account.password_hash, password))) {
    throw new RequestError('LOGIN_FAILED', {}, { status: 403 });
  }
  await clearTries(deps.db, counts);
  return account;
}
