import { requireLiveSession } from '../auth/live-session.ts';
import { wakeSessions } from '../auth/session.ts';
import { revokeSessions } from '../auth/session-store.ts';
import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Trx } from '../storage/database.ts';
import { confirmPassword, type GivenPassword } from './confirm-password.ts';
import type { AccountDeps } from './deps.ts';
import { addNotice } from './notices.ts';
import { findPasskeyOfSession, removePasskeys } from './passkey-store.ts';

interface PasswordChange {
  readonly old: GivenPassword;
  readonly next: string;
  readonly client: string | undefined;
  /** The ids of passkeys that stay; without it, the one that this session began with. */
  readonly keepPasskeys: readonly string[] | undefined;
}

/** Whoever knew the old password may have signed in with it: every session but this one ends, and all known devices. */
export async function changePassword(
  deps: AccountDeps,
  caller: Human,
  { old, next, client, keepPasskeys }: PasswordChange,
): Promise<void> {
  const { accountId, sessionId } = caller;
  const { password_hash } = await confirmPassword(deps, caller, old);
  const newHash = await deps.passwords.hash(next);
  const now = deps.now();
  const ended = await deps.db.transaction().execute(async (trx) => {
    const changed = await replacePassword(trx, accountId, { hash: newHash, was: password_hash });
    if (!changed) throw new RequestError('LOGIN_FAILED', {}, { status: 403 });
    await requireLiveSession(trx, caller, now);
    const own = await findPasskeyOfSession(trx, sessionId);
    // What the person has not seen ends: someone else may just have added it (AC-3).
    const keep = keepPasskeys ?? (own === undefined ? [] : [own]);
    const begunWithThem = (await removePasskeys(trx, { accountId, keep, except: sessionId }, now)).ended;
    await addNotice(trx, { accountId, kind: 'password_changed', detail: client }, now);
    return [...begunWithThem, ...(await revokeSessions(trx, { accountId, except: sessionId }, now))];
  });
  wakeSessions(deps, ended);
}

/** Also forgets the devices that were signed in before, and the links that would replace it once more. */
export async function replacePassword(
  trx: Trx,
  accountId: string,
  { hash, was }: { readonly hash: string; readonly was?: string | null },
): Promise<boolean> {
  let update = trx
    .updateTable('accounts')
    .set((set) => ({ password_hash: hash, known_device_epoch: set('known_device_epoch', '+', 1) }))
    .where('id', '=', accountId)
    .where('status', '=', 'active');
  // Of two changes at once, the second was made with a password that no longer counts.
  if (was !== undefined) update = update.where('password_hash', 'is not distinct from', was);
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await trx.deleteFrom('password_resets').where('account_id', '=', accountId).execute();
  return true;
}
