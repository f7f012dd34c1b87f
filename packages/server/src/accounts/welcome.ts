import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { lockListedDevice } from '../keys/device-list.ts';
import type { Platform } from '../platform.ts';
import type { Db } from '../storage/database.ts';
import { lockAccountKey } from './device-store.ts';
import { notifyDevices } from './notify-contacts.ts';

/** Its reader is in front of the person who typed the code; whoever comes later is let in anew. */
const KEPT_MS = 7 * 86_400_000;

/** Leaves what the account knows for a device that the list has, from one that it has, too (EE-16). */
export async function welcomeDevice(
  platform: Platform,
  { accountId, deviceId: ownId }: Human,
  { deviceId, welcome }: { readonly deviceId: string; readonly welcome: string },
): Promise<void> {
  const wake = await platform.db.transaction().execute(async (trx) => {
    // Two that held the row and then both wanted to write it would wait for each other.
    await lockAccountKey(trx, accountId);
    const target = await lockListedDevice(trx, accountId, deviceId);
    if (target === undefined) throw new RequestError('NOT_FOUND');
    const own = ownId === undefined ? undefined : await lockListedDevice(trx, accountId, ownId);
    if (own === undefined) throw new RequestError('FORBIDDEN');
    // Until now it waits, although it is listed: whoever let it in may have been cut off before this.
    const change = { welcome, welcomed_at: platform.now(), pairing: null };
    await trx.updateTable('devices').set(change).where('id', '=', deviceId).execute();
    return notifyDevices(platform, trx, { accountId, ids: [deviceId], change: 'certified' });
  });
  wake();
}

/** Undefined where there is none, or where it is too old. */
export async function findWelcome(db: Db, deviceId: string, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom('devices')
    .select('welcome')
    .where('id', '=', deviceId)
    .where('welcomed_at', '>', new Date(now.getTime() - KEPT_MS))
    .executeTakeFirst();
  return row?.welcome ?? undefined;
}

export async function pruneWelcomes(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('devices')
    .set({ welcome: null })
    .where('welcome', 'is not', null)
    .where('welcomed_at', '<=', new Date(now.getTime() - KEPT_MS))
    .execute();
}
