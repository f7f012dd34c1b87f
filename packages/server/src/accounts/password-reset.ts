import { sql } from 'kysely';
import { hashSecret, makeSecret } from '../auth/secret.ts';
import { type DeviceTraits, wakeSessions } from '../auth/session.ts';
import { revokeSessions } from '../auth/session-store.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Db, Trx } from '../storage/database.ts';
import { TOLERANCE_MS } from '../trusted-clock.ts';
import { replacePassword } from './change-password.ts';
import type { AccountDeps } from './deps.ts';
import { addNotice } from './notices.ts';
import { removePasskeys } from './passkey-store.ts';
import { clearTries } from './throttle.ts';

export const RESET_SECONDS = 30 * 60;
export const OPERATOR_RESET_SECONDS = 24 * 60 * 60;
const DAY_MS = 24 * 60 * 60_000;
/** So many e-mails a day that someone else asked for are still no burden, and no network uses them up alone. */
const PER_DAY = { everywhere: 10, network: 3 };
const RESEND_MS = 60_000;
/** Above that there is one an hour: whoever asks all the time must not keep the owner from getting a link. */
const SLOW_RESEND_MS = 60 * 60_000;

interface NewReset {
  readonly accountId: string;
  readonly createdBy: string | null;
  readonly seconds: number;
  /** The hash of the network that asked for an e-mail. */
  readonly network?: string;
}

export async function addReset(db: Db | Trx, { accountId, createdBy, seconds, network }: NewReset, now: Date) {
  const code = makeSecret();
  const expiresAt = new Date(now.getTime() + seconds * 1_000);
  await db
    .insertInto('password_resets')
    .values({
      code_hash: hashSecret(code),
      account_id: accountId,
      created_by: createdBy,
      network_hash: network ?? null,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { code, expiresAt };
}

/** The code is behind the #, which browsers send to nobody. */
export function resetLink({ config }: Platform, code: string): string {
  return new URL(`/reset-password#${code}`, config.publicUrl).href;
}

/**
 * Sends a link, if the address has an account. The caller does not wait for it: how long it takes would tell. Earlier links
 * stay valid, so that whoever asks all the time keeps nobody from using theirs.
 */
export async function sendReset(deps: AccountDeps, email: string, from: string): Promise<void> {
  const { budgets, db, mailer } = deps;
  if (mailer === undefined) return;
  const now = deps.now();
  const find = async (trx: Trx) => {
    const account = await trx
      .selectFrom('accounts')
      .select('id')
      .where(sql`lower(email)`, '=', email)
      .where('status', '=', 'active')
      .forUpdate()
      .executeTakeFirst();
    if (account === undefined) return undefined;
    const sent = await listSent(trx, account.id, now);
    // For each account another: nobody sees from them who asked for several.
    const network = hashSecret(`${account.id} ${from}`);
    const fromHere = sent.filter(({ network_hash }) => network_hash === network);
    const isSlow = sent.length >= PER_DAY.everywhere || fromHere.length >= PER_DAY.network;
    const last = sent[0]?.created_at.getTime() ?? 0;
    if (now.getTime() - last < (isSlow ? SLOW_RESEND_MS : RESEND_MS)) return undefined;
    return (await addReset(trx, { accountId: account.id, createdBy: null, seconds: RESET_SECONDS, network }, now)).code;
  };
  // Like sign-ins: hundreds that ask for one address would wait for its row with every connection in their hands (OP-3).
  const code = await budgets.concurrent('strangers', 'connections', () => db.transaction().execute(find));
  if (code === undefined) return;
  const text = [
    'Someone, probably you, wants to set a new password for Parley. This link works once, within half an hour:',
    resetLink(deps, code),
    'If it wasn’t you, ignore this message. Nothing has changed.',
    '有人（可能是您）想为 Parley 设置新密码。上面的链接半小时内有效，只能使用一次。如果不是您本人操作，请忽略本邮件，您的账户没有任何变化。',
  ].join('\n\n');
  await mailer.send({ to: email, subject: 'Parley', text });
}

/** Those of the last day, the newest first. One of the future was written by a wrong clock, and must not hold up others (OP-13). */
function listSent(trx: Trx, accountId: string, now: Date) {
  return trx
    .selectFrom('password_resets')
    .select(['created_at', 'network_hash'])
    .where('account_id', '=', accountId)
    .where('created_by', 'is', null)
    .where('created_at', '>', new Date(now.getTime() - DAY_MS))
    .where('created_at', '<=', latestPast(now))
    .orderBy('created_at', 'desc')
    .execute();
}

/** No clock that is right can have written a later time. */
function latestPast(now: Date): Date {
  return new Date(now.getTime() + TOLERANCE_MS);
}

interface Reset {
  readonly code: string;
  readonly password: string;
  readonly keepPasskeys: boolean;
  readonly device: DeviceTraits;
}

/**
 * Sets a new password with the code of a link, once. Everyone is signed out; the keys are not touched, since they are
 * not here. Returns whose account it is.
 */
export async function resetPassword(deps: AccountDeps, { code, password, keepPasskeys, device }: Reset) {
  const now = deps.now();
  const code_hash = hashSecret(code.trim());
  const find = (db: Db | Trx) =>
    db
      .selectFrom('password_resets as r')
      .innerJoin('accounts as a', 'a.id', 'r.account_id')
      .select(['a.id', 'a.email'])
      .where('r.code_hash', '=', code_hash)
      .where('r.expires_at', '>', now)
      .where('r.created_at', '<=', latestPast(now))
      .where('a.status', '=', 'active');
  // Before a hash is made, which is expensive.
  if ((await find(deps.db).executeTakeFirst()) === undefined) throw new RequestError('RESET_CODE_INVALID');
  const hash = await deps.passwords.hash(password, device.network);
  const { account, ended } = await deps.db.transaction().execute(async (trx) => {
    const account = await find(trx).forUpdate().executeTakeFirst();
    if (account === undefined) throw new RequestError('RESET_CODE_INVALID');
    await replacePassword(trx, account.id, { hash });
    const begunWithThem = keepPasskeys ? [] : (await removePasskeys(trx, { accountId: account.id }, now)).ended;
    await addNotice(trx, { accountId: account.id, kind: 'password_reset', detail: device.client }, now);
    // What was guessed at the old password says nothing about the new one.
    await clearTries(trx, [{ limit: 'account', of: account.email.toLowerCase() }]);
    return { account, ended: [...begunWithThem, ...(await revokeSessions(trx, { accountId: account.id }, now))] };
  });
  wakeSessions(deps, ended);
  tellByMail(deps, account.email, [
    'Your Parley password was reset, and all your devices were signed out. If it wasn’t you, reset it again and tell your operator.',
    '您的 Parley 密码已被重置，所有设备均已退出登录。如果不是您本人操作，请再次重置密码并告知运营者。',
  ]);
  return account.id;
}

/** Sends a notice that nobody waits for. */
export function tellByMail(deps: Pick<AccountDeps, 'mailer' | 'log'>, to: string, lines: readonly string[]): void {
  const sending = deps.mailer?.send({ to, subject: 'Parley', text: lines.join('\n\n') });
  sending?.catch((error: unknown) => deps.log.warn({ err: error }, 'a notice could not be sent by e-mail'));
}
