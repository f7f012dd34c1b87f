import { wakeSessions } from '../auth/session.ts';
import { revokeSessions } from '../auth/session-store.ts';
import { RequestError } from '../http/request-error.ts';
import { dropPrekeys } from '../keys/store.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { dropCursors, lockAccountKey } from './device-store.ts';
import { notifyContacts, notifyDevices } from './notify-contacts.ts';

/**
 * Ends devices at the server, with their sessions, prekeys and cursors. The account is locked: a session that becomes
 * one of a device at this moment must end with the others. Returns what to do after the commit; undefined if none was
 * there.
 */
export async function endDevices(
  platform: Platform,
  trx: Trx,
  { accountId, ids }: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<(() => void) | undefined> {
  if (ids.length === 0) return undefined;
  const now = platform.now();
  const revoked = await trx
    .updateTable('devices')
    .set({ revoked_at: now, pairing: null, welcome: null })
    .where('id', 'in', ids)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  if (revoked.length === 0) return undefined;
  const gone = revoked.map(({ id }) => id);
  await dropPrekeys(trx, 'device', gone);
  await dropCursors(trx, gone);
  const ended: string[] = [];
  for (const deviceId of gone) ended.push(...(await revokeSessions(trx, { accountId, deviceId }, now)));
  const wake = await notifyDevices(platform, trx, { accountId, ids: gone, change: 'revoked' });
  return () => {
    wakeSessions(platform, ended);
    wake();
  };
}

/** The server's bare word: the device gets nothing more, but the list still has it until a keeper signs (EE-18). */
export async function revokeDevice(platform: Platform, accountId: string, deviceId: string): Promise<void> {
  const wakes = await platform.db.transaction().execute(async (trx) => {
    await lockAccountKey(trx, accountId);
    const wake = await endDevices(platform, trx, { accountId, ids: [deviceId] });
    if (wake === undefined) throw new RequestError('NOT_FOUND');
    return [wake, await notifyContacts(platform, trx, accountId)];
  });
  for (const wake of wakes) wake();
}
