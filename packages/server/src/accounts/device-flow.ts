import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { requireLiveSession } from '../auth/live-session.ts';
import { hashSecret, makeSecret } from '../auth/secret.ts';
import { type LoginSession, startSession } from '../auth/session.ts';
import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { addNotice } from './notices.ts';
import { countTry, forgiveTry } from './throttle.ts';

export const GRANT_SECONDS = 10 * 60;
export const INTERVAL_SECONDS = 5;
/** RFC 8628, 6.1: without vowels there are no words, and no letter looks like another. 20^8 are 34 bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

export async function beginGrant(platform: Platform, clientName: string) {
  const deviceCode = makeSecret();
  const userCode = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  await platform.db
    .insertInto('device_grants')
    .values({
      device_code_hash: hashSecret(deviceCode),
      user_code_hash: hashSecret(userCode),
      client_name: clientName,
      account_id: null,
      interval_seconds: INTERVAL_SECONDS,
      expires_at: new Date(platform.now().getTime() + GRANT_SECONDS * 1_000),
    })
    .execute();
  return { deviceCode, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` };
}

/** The answer to a poll (RFC 8628, 3.5). */
export async function pollGrant(platform: Platform, deviceCode: string): Promise<LoginSession> {
  const now = platform.now();
  const answer = await platform.db.transaction().execute(async (trx): Promise<RequestError | LoginSession> => {
    // Whoever replaces the password locks the account first, too.
    await sql`select from accounts where id = (
      select account_id from device_grants where device_code_hash = ${hashSecret(deviceCode)}) for share`.execute(trx);
    const grant = await trx
      .selectFrom('device_grants')
      .selectAll()
      .where('device_code_hash', '=', hashSecret(deviceCode))
      .forUpdate()
      .executeTakeFirst();
    if (grant === undefined || grant.expires_at <= now || grant.status === 'used')
      return new RequestError('EXPIRED_TOKEN');
    const update = trx.updateTable('device_grants').where('device_code_hash', '=', grant.device_code_hash);
    if (grant.status === 'denied') return new RequestError('ACCESS_DENIED');
    if (grant.status === 'approved' && grant.account_id !== null) {
      await update.set({ status: 'used' }).execute();
      const notice = { accountId: grant.account_id, kind: 'program_let_in', detail: grant.client_name } as const;
      await addNotice(trx, notice, now);
      return startSession(platform, trx, { accountId: grant.account_id, client: grant.client_name, verified: false });
    }
    const since = grant.polled_at === null ? Number.POSITIVE_INFINITY : now.getTime() - grant.polled_at.getTime();
    const early = since < grant.interval_seconds * 1_000;
    const interval = grant.interval_seconds + (early ? INTERVAL_SECONDS : 0);
    await update.set({ polled_at: now, interval_seconds: interval }).execute();
    return early ? new RequestError('SLOW_DOWN', { interval }) : new RequestError('AUTHORIZATION_PENDING');
  });
  // Thrown outside the transaction: inside it would undo the count of the poll.
  if (answer instanceof RequestError) throw answer;
  return answer;
}

export function inspectGrant(platform: Platform, accountId: string, userCode: string) {
  return guess(platform, accountId, () =>
    platform.db
      .selectFrom('device_grants')
      .select(['client_name', 'expires_at'])
      .where('user_code_hash', '=', hashSecret(readUserCode(userCode)))
      .where('status', '=', 'pending')
      .where('expires_at', '>', platform.now())
      .executeTakeFirst(),
  );
}

export async function answerGrant(
  platform: Platform,
  caller: Human,
  { userCode, approve }: { readonly userCode: string; readonly approve: boolean },
): Promise<void> {
  const { accountId } = caller;
  await guess(platform, accountId, () =>
    platform.db.transaction().execute(async (trx) => {
      await requireLiveSession(trx, caller, platform.now());
      return trx
        .updateTable('device_grants')
        .set({ status: approve ? 'approved' : 'denied', account_id: accountId })
        .where('user_code_hash', '=', hashSecret(readUserCode(userCode)))
        .where('status', '=', 'pending')
        .where('expires_at', '>', platform.now())
        .returning('client_name')
        .executeTakeFirst();
    }),
  );
}

/** A code that someone reads off a screen is short, so wrong guesses are slowed down, counted over all nodes. */
async function guess<Row>(platform: Platform, accountId: string, find: () => Promise<Row | undefined>): Promise<Row> {
  const counts = [{ limit: 'userCode', of: accountId }] as const;
  await countTry(platform.db, counts, platform.now());
  const row = await find();
  if (row === undefined) throw new RequestError('NOT_FOUND');
  await forgiveTry(platform.db, counts);
  return row;
}

function readUserCode(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '');
}
