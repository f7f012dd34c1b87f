import { readKnownDevice } from '../auth/known-device.ts';
import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { AccountDeps } from './deps.ts';
import { type Count, clearTries, countTry } from './throttle.ts';

export interface GivenPassword {
  readonly password: string;
  /** The proof that this device was signed in, as it was sent. */
  readonly knownDevice: string | undefined;
}

/**
 * Asks whoever is signed in for the password. Guesses are slowed down here, too: a stolen session must not be a way to
 * find it out. They are counted apart from those at the sign-in, where they would hold up the owner; and a device that was
 * signed in before apart from other sessions, where a thief would (AC-1).
 */
export async function confirmPassword(
  deps: AccountDeps,
  { accountId, sessionId }: Human,
  { password, knownDevice }: GivenPassword,
) {
  const account = await deps.db
    .selectFrom('accounts')
    .select(['email', 'password_hash', 'known_device_epoch'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const read = readKnownDevice(deps.config, knownDevice, deps.now());
  const isKnown = read?.accountId === accountId && read.epoch === account.known_device_epoch;
  const counts: readonly Count[] = [
    { limit: 'session', of: sessionId },
    isKnown ? { limit: 'device', of: read.nonce } : { limit: 'sessions', of: accountId },
  ];
  await countTry(deps.db, counts, deps.now());
  if (!(await deps.passwords.check(account.password_hash, password))) {
    throw new RequestError('LOGIN_FAILED', {}, { status: 403 });
  }
  await clearTries(deps.db, counts);
  return account;
}
