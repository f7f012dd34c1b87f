import { pruneTokens } from '../agents/tokens.ts';
import type { Db } from '../storage/database.ts';
import { forgetOldDevices } from './forget-devices.ts';
import { pruneWelcomes } from './welcome.ts';

const DAY_MS = 86_400_000;

/** Deletes what has expired. Revoked sessions stay for a while, so that people can be told what happened. */
export async function pruneAuth(db: Db, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db.deleteFrom('email_codes').where('expires_at', '<', now).execute();
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute();
  await db.deleteFrom('device_grants').where('expires_at', '<', now).execute();
  await db.deleteFrom('login_failures').where('updated_at', '<', ago(1)).execute();
  await db.deleteFrom('prekey_takings').where('day', '<', ago(1)).execute();
  await db.deleteFrom('password_resets').where('expires_at', '<', ago(1)).execute();
  await db.deleteFrom('account_notices').where('created_at', '<', ago(90)).execute();
  await db.deleteFrom('invitations').where('expires_at', '<', ago(90)).execute();
  await pruneWelcomes(db, now);
  await forgetOldDevices(db, ago(30));
  await pruneTokens(db, ago(30));
  await db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<', ago(1)), where('revoked_at', '<', ago(30))]))
    .execute();
}
