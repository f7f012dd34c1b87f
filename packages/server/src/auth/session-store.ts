import { takePage } from '../http/page.ts';
import type { Db, Trx } from '../storage/database.ts';
import { hashSecret } from './secret.ts';

/** Finds the session with its account and device, if its tokens still count. */
export function findLiveSession(db: Db, sessionId: string, now: Date) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['s.id', 's.account_id', 's.device_id', 'a.role'])
    .where('s.id', '=', sessionId)
    .where('s.revoked_at', 'is', null)
    .where('s.expires_at', '>', now)
    .where('a.status', '=', 'active')
    .executeTakeFirst();
}

const PAGE = 100;

/** Newest first; ids sort by time. */
export async function listLiveSessions(
  db: Db,
  accountId: string,
  { now, cursor }: { readonly now: Date; readonly cursor: string | undefined },
) {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'device_id', 'user_agent', 'created_at', 'used_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
    .orderBy('id', 'desc')
    .limit(PAGE + 1)
    .execute();
  return takePage(rows, PAGE);
}

/**
 * Ends one of the account's sessions, those of a device, those that began with a passkey, all but one, or all. Where all end, so do those of devices that
 * were let in and have not come yet. Returns their ids.
 */
export async function revokeSessions(
  db: Db | Trx,
  which: {
    readonly accountId: string;
    readonly sessionId?: string;
    readonly deviceId?: string;
    readonly passkeyIds?: readonly string[];
    readonly except?: string | undefined;
  },
  now: Date,
): Promise<string[]> {
  let update = db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('account_id', '=', which.accountId)
    .where('revoked_at', 'is', null);
  if (which.sessionId !== undefined) update = update.where('id', '=', which.sessionId);
  if (which.deviceId !== undefined) update = update.where('device_id', '=', which.deviceId);
  if (which.passkeyIds !== undefined) update = update.where('passkey_id', 'in', which.passkeyIds);
  if (which.except !== undefined) update = update.where('id', '<>', which.except);
  if (which.sessionId === undefined && which.deviceId === undefined && which.passkeyIds === undefined) {
    await db.deleteFrom('device_grants').where('account_id', '=', which.accountId).execute();
  }
  return (await update.returning('id').execute()).map(({ id }) => id);
}

/** Signs out with a refresh token; one that was replaced ends its session just as well. */
export async function revokeByRefreshToken(db: Db, token: string, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('family_hash', '=', hashSecret(token.split('.', 1)[0]!))
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
