import { keyOf } from '../events/bus.ts';
import { RequestError } from '../http/request-error.ts';
import { createId } from '../id.ts';
import type { Platform } from '../platform.ts';
import type { Db, Trx } from '../storage/database.ts';
import { ACCESS_SECONDS, signAccessToken } from './access-token.ts';
import { hashSecret, makeSecret, sameHash } from './secret.ts';

export const REFRESH_SECONDS = 30 * 24 * 60 * 60;
/** Two tabs may send one token at the same moment. */
const GRACE_MS = 10_000;

export interface LoginSession {
  readonly accountId: string;
  readonly sessionId: string;
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string;
}

/**
 * A refresh token has two parts: the family, which lives as long as the session, and a part for each rotation. So a
 * token of any age is recognised as one that was replaced, while only two hashes are kept.
 */
export async function startSession(
  platform: Platform,
  db: Db | Trx,
  { accountId, client }: { readonly accountId: string; readonly client: string | undefined },
): Promise<LoginSession> {
  const now = platform.now();
  const family = makeSecret();
  const token = `${family}.${makeSecret()}`;
  const id = createId(now);
  await db
    .insertInto('sessions')
    .values({
      id,
      account_id: accountId,
      device_id: null,
      family_hash: hashSecret(family),
      refresh_hash: hashSecret(token),
      previous_hash: null,
      user_agent: client?.slice(0, 200) ?? null,
      created_at: now,
      used_at: now,
      expires_at: expiry(now),
    })
    .execute();
  return issue(platform, { accountId, sessionId: id }, token);
}

/**
 * RFC 9700, 4.14.2: a replaced token ends the session, because one of its two holders is a thief. Within the grace
 * period it is only refused. Nothing is ever issued for it, so the grace period helps the second tab, which finds the
 * new cookie when it retries, and not the thief.
 */
export async function refreshSession(platform: Platform, token: string): Promise<LoginSession> {
  const now = platform.now();
  const family = token.split('.', 1)[0]!;
  const next = `${family}.${makeSecret()}`;
  const found = await platform.db.transaction().execute(async (trx) => {
    const session = await trx
      .selectFrom('sessions as s')
      .innerJoin('accounts as a', 'a.id', 's.account_id')
      .select(['s.id', 's.account_id', 's.refresh_hash', 's.previous_hash', 's.rotated_at'])
      .where('s.family_hash', '=', hashSecret(family))
      .where('s.revoked_at', 'is', null)
      .where('s.expires_at', '>', now)
      .where('a.status', '=', 'active')
      .forUpdate('s')
      .executeTakeFirst();
    if (session === undefined) return 'unknown';
    const given = hashSecret(token);
    if (!sameHash(session.refresh_hash, given)) {
      const age = now.getTime() - (session.rotated_at?.getTime() ?? 0);
      if (session.previous_hash !== null && sameHash(session.previous_hash, given) && age < GRACE_MS) return 'conflict';
      await trx.updateTable('sessions').set({ revoked_at: now }).where('id', '=', session.id).execute();
      return { stolen: session.id };
    }
    await trx
      .updateTable('sessions')
      .set({
        refresh_hash: hashSecret(next),
        previous_hash: given,
        rotated_at: now,
        used_at: now,
        expires_at: expiry(now),
      })
      .where('id', '=', session.id)
      .execute();
    return session;
  });
  if (found === 'unknown') throw new RequestError('UNAUTHENTICATED');
  if (found === 'conflict') throw new RequestError('REFRESH_CONFLICT');
  if ('stolen' in found) {
    platform.log.warn({ session: found.stolen }, 'a refresh token was used twice: session revoked');
    wakeSessions(platform, [found.stolen]);
    throw new RequestError('UNAUTHENTICATED');
  }
  return issue(platform, { accountId: found.account_id, sessionId: found.id }, next);
}

async function issue(
  platform: Platform,
  claims: { readonly accountId: string; readonly sessionId: string },
  refreshToken: string,
): Promise<LoginSession> {
  const accessToken = await signAccessToken(platform.config, claims, platform.now());
  return { ...claims, accessToken, expiresInSeconds: ACCESS_SECONDS, refreshToken };
}

/** Makes open connections of these sessions check again whether they are still allowed. */
export function wakeSessions(platform: Platform, ids: readonly string[]): void {
  if (ids.length > 0) platform.bus.wake(ids.map(keyOf.session));
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + REFRESH_SECONDS * 1_000);
}
