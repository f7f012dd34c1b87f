import { revokeSessions } from '../auth/session-store.ts';
import { createId } from '../id.ts';
import type { Db, Trx } from '../storage/database.ts';
import { addNotice } from './notices.ts';

export const CHALLENGE_MS = 5 * 60_000;

type Purpose = 'register' | 'login';

export interface NewChallenge {
  readonly purpose: Purpose;
  readonly challenge: string;
  readonly accountId: string | null;
}

export async function addChallenge(
  db: Db,
  { purpose, challenge, accountId }: NewChallenge,
  now: Date,
): Promise<string> {
  const id = createId(now);
  const expires_at = new Date(now.getTime() + CHALLENGE_MS);
  await db
    .insertInto('passkey_challenges')
    .values({ id, purpose, challenge, account_id: accountId, expires_at })
    .execute();
  return id;
}

/** Deletes the challenge when it is taken, whether or not the answer is right: an answer cannot be replayed. */
export async function takeChallenge(
  db: Db,
  { id, purpose, accountId }: { readonly id: string; readonly purpose: Purpose; readonly accountId: string | null },
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst();
  return row !== undefined && row.expires_at > now ? row.challenge : undefined;
}

export function listPasskeyRows(db: Db | Trx, accountId: string) {
  return db.selectFrom('passkeys').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute();
}

/** Finds a passkey only if its account may sign in. */
export function findPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('passkeys as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select(['p.credential_id', 'p.account_id', 'p.public_key', 'p.counter'])
    .where('p.credential_id', '=', credentialId)
    .where('a.status', '=', 'active')
    .executeTakeFirst();
}

/** Returns false if another sign-in moved the counter meanwhile. */
export async function moveCounter(
  db: Db,
  { credentialId, from, to }: { readonly credentialId: string; readonly from: number; readonly to: number },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter: to, used_at: now })
    .where('credential_id', '=', credentialId)
    .where('counter', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whoever signs in with a passkey at this moment waits, or is ended with it. */
export async function lockPasskeys(trx: Trx, accountId: string): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

interface Removal {
  readonly accountId: string;
  /** Only this one. */
  readonly only?: string;
  readonly keep?: readonly string[];
  /** The session that goes on, even if it began with one of them. */
  readonly except?: string;
}

/**
 * Removes passkeys of an account, and ends the sessions that began with them. Each is noted. Returns how many there were,
 * and the ids of the sessions.
 */
export async function removePasskeys(
  trx: Trx,
  { accountId, only, keep = [], except }: Removal,
  now: Date,
): Promise<{ readonly count: number; readonly ended: readonly string[] }> {
  const removed = await trx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .$if(only !== undefined, (query) => query.where('credential_id', '=', only!))
    .$if(keep.length > 0, (query) => query.where('credential_id', 'not in', keep))
    .returning(['name', 'credential_id'])
    .execute();
  for (const { name } of removed) await addNotice(trx, { accountId, kind: 'passkey_removed', detail: name }, now);
  const passkeyIds = removed.map(({ credential_id }) => credential_id);
  const ended = passkeyIds.length === 0 ? [] : await revokeSessions(trx, { accountId, passkeyIds, except }, now);
  return { count: removed.length, ended };
}

/** The passkey that a session began with. */
export async function findPasskeyOfSession(db: Db | Trx, sessionId: string): Promise<string | undefined> {
  const row = await db.selectFrom('sessions').select('passkey_id').where('id', '=', sessionId).executeTakeFirst();
  return row?.passkey_id ?? undefined;
}
