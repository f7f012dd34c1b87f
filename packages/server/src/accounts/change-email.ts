import { requireLiveSession } from '../auth/live-session.ts';
import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { confirmPassword, type GivenPassword } from './confirm-password.ts';
import type { AccountDeps } from './deps.ts';
import { normaliseEmail } from './email.ts';
import { sendEmailCode, useEmailCode } from './email-code.ts';
import { addNotice } from './notices.ts';
import { tellByMail } from './password-reset.ts';
import { type Count, countTry, forgiveTry } from './throttle.ts';

const UNIQUE_VIOLATION = '23505';

interface EmailChange {
  readonly password: GivenPassword;
  readonly email: string;
  readonly code: string | undefined;
  readonly network: string;
}

/**
 * The address gets the links that give an account back, so it changes only with the password, to one that its reader has
 * confirmed where mail is sent, and the old one is told (AC-10).
 */
export async function changeEmail(deps: AccountDeps, caller: Human, change: EmailChange) {
  const { db, config } = deps;
  const { accountId } = caller;
  const { code, network } = change;
  const email = normaliseEmail(change.email);
  const { email: old } = await confirmPassword(deps, caller, change.password);
  if (old === email) return { email, code_sent: false };
  const isVerified = config.smtpUrl !== undefined;
  if (isVerified && code === undefined) {
    // The reply does not tell whether someone else has the address: its reader is told instead.
    await sendEmailCode(deps, { email, network, purpose: 'change' });
    return { email: old, code_sent: true };
  }
  if (isVerified) await useEmailCode(deps, { email, code: code ?? '', network });
  // Without mail, a session could ask for one address after the other whether it is taken.
  const tries: readonly Count[] = isVerified ? [] : [{ limit: 'invitation', of: `email of ${accountId}` }];
  if (tries.length > 0) await countTry(db, tries, deps.now());
  try {
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('accounts')
        .set({ email })
        .where('id', '=', accountId)
        .where('status', '=', 'active')
        .where('email', '=', old)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new RequestError('LOGIN_FAILED', {}, { status: 403 });
      await requireLiveSession(trx, caller, deps.now());
      // Links that were sent to the old address.
      await trx
        .deleteFrom('password_resets')
        .where('account_id', '=', accountId)
        .where('created_by', 'is', null)
        .execute();
      await addNotice(trx, { accountId, kind: 'email_changed', detail: old }, deps.now());
    });
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) throw new RequestError('EMAIL_TAKEN');
    throw error;
  }
  if (tries.length > 0) await forgiveTry(db, tries);
  tellByMail(deps, old, [
    'The e-mail address of your Parley account was changed, and this one is no longer used for it. If it wasn’t you, tell your operator right away.',
    '您的 Parley 账户的邮箱地址已更改，此地址不再用于该账户。如果不是您本人操作，请立即告知运营者。',
  ]);
  return { email, code_sent: false };
}
