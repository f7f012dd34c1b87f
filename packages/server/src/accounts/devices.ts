import type { EventPayload } from '@parley/protocol';
import { wakeSessions } from '../auth/session.ts';
import { revokeSessions } from '../auth/session-store.ts';
import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { createId } from '../id.ts';
import { isSigned } from '../keys/signature.ts';
import { dropPrekeys } from '../keys/store.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { type Certificate, checkCertificate } from './certificate.ts';
import { type DeviceRow, dropCursors, lockAccountKey } from './device-store.ts';
import { notifyContacts } from './notify-contacts.ts';

/** Every message is sealed for every device, so this bounds the work that one account causes others. */
const MAX_DEVICES = 20;

type Change = EventPayload<'device.changed'>['change'];

export interface NewDevice {
  readonly name: string;
  readonly identityKey: string;
  readonly exchangeKey: string;
  readonly accountKey: string | undefined;
  readonly certificate: Certificate | undefined;
  readonly proof: string | undefined;
}

/** Binds the caller's session to a device: a new one, or the one that holds these keys already. */
export async function addDevice(platform: Platform, caller: Human, input: NewDevice): Promise<DeviceRow> {
  const { accountId, sessionId } = caller;
  let wake = () => {};
  const device = await platform.db.transaction().execute(async (trx) => {
    const accountKey = await settleAccountKey(trx, accountId, input.accountKey);
    const known = await trx
      .selectFrom('devices')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('identity_key', '=', input.identityKey)
      .executeTakeFirst();
    // Its certificate would still verify, so the keys themselves are refused.
    if (known?.revoked_at) throw new RequestError('DEVICE_REVOKED');
    if (known !== undefined) {
      checkProof(caller, input, known);
      await trx.updateTable('sessions').set({ device_id: known.id }).where('id', '=', sessionId).execute();
    }
    const added = known ?? (await insertDevice(platform, trx, caller, input));
    if (input.certificate === undefined) return added;
    if (added.certificate === null) wake = await notifyContacts(platform, trx, accountId);
    return storeCertificate(trx, added, input.certificate, accountKey);
  });
  platform.events.wake([{ kind: 'human', id: accountId }]);
  wake();
  return device;
}

/**
 * Tells the account's other devices: one of them approves the new device, or its owner notices that it is not theirs.
 */
function tell(platform: Platform, trx: Trx, { id, account_id }: DeviceRow, change: Change): Promise<void> {
  const payload: EventPayload<'device.changed'> = { device_id: id, change };
  return platform.events.store(trx, [{ kind: 'human', id: account_id }], 'device.changed', payload);
}

/** The first device to name an account key sets it; later ones cannot. */
async function settleAccountKey(trx: Trx, accountId: string, given: string | undefined): Promise<string | null> {
  const current = await lockAccountKey(trx, accountId);
  if (given === undefined || given === current) return current;
  if (current !== null) throw new RequestError('ACCOUNT_KEY_CONFLICT');
  await trx.updateTable('accounts').set({ account_key: given }).where('id', '=', accountId).execute();
  return given;
}

/** A session alone must not pass for a device that exists: the device signs that this session is its own. */
function checkProof({ accountId, sessionId }: Human, input: NewDevice, known: DeviceRow): void {
  const statement = {
    purpose: 'parley-device-bind-v1',
    account_id: accountId,
    session_id: sessionId,
    identity_key: input.identityKey,
  };
  const proven = input.proof !== undefined && isSigned(statement, input.proof, known.identity_key);
  if (!proven || known.exchange_key !== input.exchangeKey)
    throw new RequestError('SIGNATURE_INVALID', { path: '/proof' });
}

async function insertDevice(
  platform: Platform,
  trx: Trx,
  { accountId, sessionId }: Human,
  input: NewDevice,
): Promise<DeviceRow> {
  const now = platform.now();
  const { count } = await trx
    .selectFrom('devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= MAX_DEVICES) throw new RequestError('LIMIT_REACHED', { limit: MAX_DEVICES });
  const device = await trx
    .insertInto('devices')
    .values({
      id: createId(now),
      account_id: accountId,
      name: input.name,
      identity_key: input.identityKey,
      exchange_key: input.exchangeKey,
      certificate: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await trx.updateTable('sessions').set({ device_id: device.id }).where('id', '=', sessionId).execute();
  await tell(platform, trx, device, 'added');
  return device;
}

function storeCertificate(
  trx: Trx,
  device: DeviceRow,
  certificate: Certificate,
  accountKey: string | null,
): Promise<DeviceRow> {
  checkCertificate(certificate, accountKey, {
    accountId: device.account_id,
    deviceId: device.id,
    identityKey: device.identity_key,
    exchangeKey: device.exchange_key,
  });
  return trx
    .updateTable('devices')
    .set({ certificate: JSON.stringify(certificate) })
    .where('id', '=', device.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function certifyDevice(
  platform: Platform,
  accountId: string,
  deviceId: string,
  certificate: Certificate,
): Promise<DeviceRow> {
  let wake = () => {};
  const certified = await platform.db.transaction().execute(async (trx) => {
    const accountKey = await lockAccountKey(trx, accountId);
    const device = await trx
      .selectFrom('devices')
      .selectAll()
      .where('id', '=', deviceId)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (device === undefined) throw new RequestError('NOT_FOUND');
    await tell(platform, trx, device, 'certified');
    wake = await notifyContacts(platform, trx, accountId);
    return storeCertificate(trx, device, certificate, accountKey);
  });
  platform.events.wake([{ kind: 'human', id: accountId }]);
  wake();
  return certified;
}

export async function replaceAccountKey(
  platform: Platform,
  accountId: string,
  input: { readonly accountKey: string; readonly createdAt: string; readonly signature: string },
): Promise<void> {
  const wake = await platform.db.transaction().execute(async (trx) => {
    const current = await lockAccountKey(trx, accountId);
    const statement = {
      purpose: 'parley-account-key-v1',
      account_id: accountId,
      old_account_key: current,
      new_account_key: input.accountKey,
      created_at: input.createdAt,
    };
    if (current === null || !isSigned(statement, input.signature, current)) {
      throw new RequestError('SIGNATURE_INVALID', { path: '/signature' });
    }
    await trx.updateTable('accounts').set({ account_key: input.accountKey }).where('id', '=', accountId).execute();
    await trx
      .insertInto('account_key_changes')
      .values({
        account_id: accountId,
        old_account_key: current,
        new_account_key: input.accountKey,
        created_at: input.createdAt,
        signature: input.signature,
      })
      .execute();
    // Certificates that were made under the old key do not verify any more.
    await trx.updateTable('devices').set({ certificate: null }).where('account_id', '=', accountId).execute();
    return notifyContacts(platform, trx, accountId);
  });
  wake();
}

export async function revokeDevice(platform: Platform, accountId: string, deviceId: string): Promise<void> {
  const now = platform.now();
  const { ended, wake } = await platform.db.transaction().execute(async (trx) => {
    // A session that becomes the device's at this moment must end with the others.
    await lockAccountKey(trx, accountId);
    const revoked = await trx
      .updateTable('devices')
      .set({ revoked_at: now })
      .where('id', '=', deviceId)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (revoked === undefined) throw new RequestError('NOT_FOUND');
    await dropPrekeys(trx, 'device', [deviceId]);
    await dropCursors(trx, [deviceId]);
    await tell(platform, trx, revoked, 'revoked');
    return {
      wake: await notifyContacts(platform, trx, accountId),
      ended: await revokeSessions(trx, { accountId, deviceId }, now),
    };
  });
  wakeSessions(platform, ended);
  platform.events.wake([{ kind: 'human', id: accountId }]);
  wake();
}
