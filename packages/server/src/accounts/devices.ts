import { type DeviceStatement, MAX_DEVICES } from '@parley/protocol';
import { sql } from 'kysely';
import { requireLiveSession } from '../auth/live-session.ts';
import type { Human } from '../http/caller.ts';
import { RequestError, rateLimited } from '../http/request-error.ts';
import { createId } from '../id.ts';
import { isSigned } from '../keys/signature.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { foundDeviceList } from './device-list.ts';
import { DEVICE_COLUMNS, type DeviceRow, lockAccountKey } from './device-store.ts';
import { forgetDevices } from './forget-devices.ts';
import { notifyDevices } from './notify-contacts.ts';

/** As many may be revoked in a day, and are kept for a while, besides those that the list names. */
const MAX_REVOKED = 100;
const DAY_MS = 86_400_000;

export interface NewDevice {
  readonly name: string;
  readonly identityKey: string;
  readonly exchangeKey: string;
  readonly deviceId: string | undefined;
  readonly statement: DeviceStatement | undefined;
  readonly pairing: string | undefined;
  readonly proof: string | undefined;
}

/** Binds the caller's session to a device: a new one, or the one that holds these keys already. */
export async function addDevice(platform: Platform, caller: Human, input: NewDevice): Promise<DeviceRow> {
  const { accountId, sessionId } = caller;
  const wakes: (() => void)[] = [];
  const device = await platform.db.transaction().execute(async (trx) => {
    const accountKey = await lockAccountKey(trx, accountId);
    await requireLiveSession(trx, caller, platform.now());
    const known = await findDevice(trx, accountId, input.identityKey);
    // The list would still have it, so the keys themselves are refused.
    if (known?.revoked_at) throw new RequestError('DEVICE_REVOKED');
    if (known !== undefined) checkProof(caller, input, known);
    const isWaiting = input.statement === undefined && known?.listed !== true;
    const isNews = known === undefined || (isWaiting && known.pairing !== (input.pairing ?? known.pairing));
    const device = known ?? (await insertDevice(platform, trx, accountId, input));
    await trx.updateTable('sessions').set({ device_id: device.id }).where('id', '=', sessionId).execute();
    if (isWaiting && input.pairing !== undefined) await setPairing(trx, device.id, input.pairing);
    if (isNews) {
      wakes.push(await notifyDevices(platform, trx, { accountId, ids: [device.id], change: 'added' }));
    }
    const { statement } = input;
    if (statement !== undefined) wakes.push(await foundDeviceList(platform, trx, { device, accountKey, statement }));
    return (await findDevice(trx, accountId, input.identityKey))!;
  });
  for (const wake of wakes) wake();
  return device;
}

function findDevice(trx: Trx, accountId: string, identityKey: string): Promise<DeviceRow | undefined> {
  return trx
    .selectFrom('devices')
    .select(DEVICE_COLUMNS)
    .where('account_id', '=', accountId)
    .where('identity_key', '=', identityKey)
    .executeTakeFirst();
}

/**
 * A session alone must not pass for a device that exists: the device signs that this session is its own. One that is its
 * own already may ask again, when the first reply was lost.
 */
function checkProof({ accountId, sessionId, deviceId }: Human, input: NewDevice, known: DeviceRow): void {
  const statement = {
    purpose: 'parley-device-bind-v1',
    account_id: accountId,
    session_id: sessionId,
    identity_key: input.identityKey,
  };
  const proven =
    deviceId === known.id || (input.proof !== undefined && isSigned(statement, input.proof, known.identity_key));
  if (!proven || known.exchange_key !== input.exchangeKey)
    throw new RequestError('SIGNATURE_INVALID', { path: '/proof' });
}

async function insertDevice(platform: Platform, trx: Trx, accountId: string, input: NewDevice): Promise<DeviceRow> {
  const now = platform.now();
  const { count } = await trx
    .selectFrom('devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  await requireCalm(trx, accountId, now);
  await forgetDevices(trx, accountId, { newest: MAX_REVOKED });
  if (count >= MAX_DEVICES) throw new RequestError('LIMIT_REACHED', { limit: MAX_DEVICES });
  const device = await trx
    .insertInto('devices')
    .values({
      id: input.deviceId ?? createId(now),
      account_id: accountId,
      name: input.name,
      identity_key: input.identityKey,
      exchange_key: input.exchangeKey,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(DEVICE_COLUMNS)
    .executeTakeFirst();
  if (device === undefined) throw new RequestError('ID_TAKEN');
  return device;
}

/** Each is told to the account's other devices, and that it ends to everyone who writes to it. */
async function requireCalm(trx: Trx, accountId: string, now: Date): Promise<void> {
  const { rows } = await sql<{ revoked_at: Date }>`
    select revoked_at from devices where account_id = ${accountId} and revoked_at is not null
    order by revoked_at desc offset ${MAX_REVOKED - 1} limit 1`.execute(trx);
  const waitMs = (rows[0]?.revoked_at.getTime() ?? 0) + DAY_MS - now.getTime();
  // One that is longer was written by a wrong clock (OP-13).
  if (waitMs > 0 && waitMs <= DAY_MS) throw rateLimited(waitMs / 1_000, 'devices');
}

async function setPairing(trx: Trx, deviceId: string, pairing: string): Promise<void> {
  await trx.updateTable('devices').set({ pairing }).where('id', '=', deviceId).execute();
}
