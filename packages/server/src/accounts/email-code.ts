import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { hashSecret, makeSecret, sameHash } from '../auth/secret.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { TOLERANCE_MS } from '../trusted-clock.ts';
import type { AccountDeps } from './deps.ts';
import { clearTries, countTry } from './throttle.ts';

export const CODE_SECONDS = 10 * 60;
const RESEND_MS = 60_000;
/** From all networks; 8 digits leave a guesser one chance in two million. */
const MAX_TRIES = 50;
const DIGITS = 8;

/**
 * Sends a code, at most one a minute. An address that has an account already gets a hint instead, and the caller cannot
 * tell which.
 */
export async function sendEmailCode(deps: AccountDeps, email: string): Promise<void> {
  const { db, mailer } = deps;
  if (mailer === undefined) return;
  const now = deps.now();
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const known = await db
    .selectFrom('accounts')
    .select('id')
    .where(sql`lower(email)`, '=', email)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  const expires = new Date(now.getTime() + CODE_SECONDS * 1_000);
  const fresh = { code_hash: hashSecret(known ? makeSecret() : code), attempts: 0, expires_at: expires };
  const stored = await db
    .insertInto('email_codes')
    .values({ email_hash: hashSecret(email), ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('email_hash')
        .doUpdateSet(fresh)
        .where((where) =>
          where.or([
            where('email_codes.expires_at', '<=', new Date(expires.getTime() - RESEND_MS)),
            where('email_codes.expires_at', '>', latestEnd(now)),
          ]),
        ),
    )
    .returning('email_hash')
    .executeTakeFirst();
  if (stored === undefined) return;
  const text = known
    ? [
        'Someone, probably you, wants to register with this address. You have an account already: sign in instead.',
        '有人（可能是你）想用此地址注册。你已有账户，请直接登录。',
      ]
    : [
        `Your code is ${code}. It is good for ten minutes. If you did not ask for it, ignore this message.`,
        '以上是你的验证码，十分钟内有效。如果不是你本人操作，请忽略本邮件。',
      ];
  try {
    await mailer.send({ to: email, subject: 'Parley', text: text.join('\n\n') });
  } catch (cause) {
    await db.deleteFrom('email_codes').where('email_hash', '=', hashSecret(email)).execute();
    throw new RequestError('UNAVAILABLE', {}, { cause });
  }
}

/** A code that ends later was written by a wrong clock, and counts as none (OP-13). */
function latestEnd(now: Date): Date {
  return new Date(now.getTime() + CODE_SECONDS * 1_000 + TOLERANCE_MS);
}

/**
 * A code works once. Tries are slowed down for each network, so that a stranger does not use up somebody's code, and are
 * counted before they are compared, so sending many at once does not help.
 */
export async function useEmailCode(
  platform: Platform,
  { email, code, network }: { readonly email: string; readonly code: string; readonly network: string },
): Promise<void> {
  await countTry(platform.db, [{ limit: 'emailCode', of: `${email} ${network}` }], platform.now());
  const now = platform.now();
  const row = await platform.db
    .updateTable('email_codes')
    .set((set) => ({ attempts: set('attempts', '+', 1) }))
    .where('email_hash', '=', hashSecret(email))
    .where('attempts', '<', MAX_TRIES)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', latestEnd(now))
    .returning('code_hash')
    .executeTakeFirst();
  if (row === undefined || !sameHash(row.code_hash, hashSecret(code.trim()))) throw new RequestError('CODE_INVALID');
  const { numDeletedRows } = await platform.db
    .deleteFrom('email_codes')
    .where('email_hash', '=', hashSecret(email))
    .where('code_hash', '=', row.code_hash)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new RequestError('CODE_INVALID');
  await clearTries(platform.db, [{ limit: 'emailCode', of: `${email} ${network}` }]);
}
