import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { hashSecret, makeSecret, sameHash } from '../auth/secret.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { TOLERANCE_MS } from '../trusted-clock.ts';
import type { AccountDeps } from './deps.ts';
import { hasOperator, registrationOf } from './registration.ts';
import { addTry, type Count, clearTries, countTry, forgiveTry } from './throttle.ts';

export const CODE_SECONDS = 10 * 60;
/** From all networks; 8 digits leave a guesser one chance in two million. */
const MAX_TRIES = 50;
const DIGITS = 8;

/** What the owner of an address reads that someone asks a code for, in both languages. */
const TAKEN = {
  register: [
    'Someone, probably you, wants to create a Parley account with this address. You already have one. Sign in instead.',
    '有人（可能是您）想用此邮箱创建 Parley 账户。您已有账户，请直接登录。',
  ],
  change: [
    'Someone, probably you, wants to use this address for another Parley account. It already belongs to an account, and an address can belong to only one. If it was not you, ignore this message: nothing has changed.',
    '有人（可能是您）想将此邮箱用于另一个 Parley 账户。此邮箱已属于一个账户，且只能属于一个账户。如果不是您本人操作，请忽略本邮件：没有任何更改。',
  ],
} as const;

interface CodeRequest {
  readonly email: string;
  readonly network: string;
  readonly log: Pick<Logger, 'error'>;
}

/** Sends a code, if it can be of use: where registration is closed, to whoever may become the operator (AC-8). */
export async function requestEmailCode(deps: AccountDeps, { log, ...request }: CodeRequest): Promise<void> {
  if (registrationOf(deps) !== 'closed') return sendEmailCode(deps, { ...request, purpose: 'register' });
  // The caller does not wait: how long it takes would tell which address that is.
  sendToOperator(deps, request).catch((error: unknown) => log.error({ err: error }, 'a code could not be sent'));
}

async function sendToOperator(deps: AccountDeps, request: Omit<CodeRequest, 'log'>): Promise<void> {
  const { operatorEmail = request.email } = deps.config;
  if (request.email === operatorEmail && !(await hasOperator(deps.db)))
    await sendEmailCode(deps, { ...request, purpose: 'register' });
}

/**
 * Sends as few letters as for a lost password (AC-9): whoever asks for the address of someone else must not fill their
 * inbox. An address that has an account already gets a hint instead, and the caller cannot tell which.
 */
export async function sendEmailCode(
  deps: AccountDeps,
  { email, network, purpose }: Omit<CodeRequest, 'log'> & { readonly purpose: keyof typeof TAKEN },
): Promise<void> {
  const { budgets, db, mailer } = deps;
  if (mailer === undefined) return;
  const now = deps.now();
  const counts: readonly Count[] = [
    { limit: 'letter', of: email },
    { limit: 'letterFrom', of: `${email} ${network}` },
    { limit: 'letters', of: email },
  ];
  // Like sign-ins: hundreds that ask for one address would wait for its row with every connection in their hands (OP-3).
  if ((await budgets.concurrent('strangers', 'connections', () => addTry(db, counts, now))) > 0) return;
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const known = await db
    .selectFrom('accounts')
    .select('id')
    .where(sql`lower(email)`, '=', email)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  const expires = new Date(now.getTime() + CODE_SECONDS * 1_000);
  const fresh = { code_hash: hashSecret(known ? makeSecret() : code), attempts: 0, expires_at: expires };
  await db
    .insertInto('email_codes')
    .values({ email_hash: hashSecret(email), ...fresh })
    .onConflict((conflict) => conflict.column('email_hash').doUpdateSet(fresh))
    .execute();
  const text = known
    ? TAKEN[purpose]
    : [
        `Your code is ${code}. It works for ten minutes. If you didn’t ask for it, ignore this message.`,
        '以上是您的验证码，十分钟内有效。如果不是您本人操作，请忽略本邮件。',
      ];
  try {
    await mailer.send({ to: email, subject: 'Parley', text: text.join('\n\n') });
  } catch (cause) {
    await db.deleteFrom('email_codes').where('email_hash', '=', hashSecret(email)).execute();
    await forgiveTry(db, counts);
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
