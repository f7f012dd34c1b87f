import { wakeSessions } from '../auth/session.ts';
import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { AccountDeps } from './deps.ts';
import { clearFailures, countTry } from './lockout.ts';

/** Whoever knew the old password may have signed in with it: every session but this one ends. */
export async function changePassword(
  deps: AccountDeps,
  { accountId, sessionId }: Human,
  { old, next }: { readonly old: string; readonly next: string },
): Promise<void> {
  const { db, passwords } = deps;
  const { email, password_hash } = await db
    .selectFrom('accounts')
    .select(['email', 'password_hash'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  // Guesses are limited here, too: a stolen session must not be a way to find out the password.
  await countTry(db, email, deps.now());
  if (!(await passwords.check(password_hash, old))) throw new RequestError('LOGIN_FAILED', {}, { status: 403 });
  await clearFailures(db, email);
  const newHash = await passwords.hash(next);
  const ended = await db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('accounts')
      .set({ password_hash: newHash })
      .where('id', '=', accountId)
      // Of two changes at once, the second was made with a password that no longer counts.
      .where('password_hash', '=', password_hash)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw new RequestError('LOGIN_FAILED', {}, { status: 403 });
    return trx
      .updateTable('sessions')
      .set({ revoked_at: deps.now() })
      .where('account_id', '=', accountId)
      .where('id', '<>', sessionId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .execute();
  });
  wakeSessions(
    deps,
    ended.map(({ id }) => id),
  );
}
