import { deviceRoutes } from '@parley/protocol';
import { partyOf, requireHuman, requireSignedIn } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import { findReachable } from '../keys/reachable.ts';
import type { Platform } from '../platform.ts';
import { findAccountKey, listAccountKeyChanges, listDeviceRows } from './device-store.ts';
import { addDevice, certifyDevice, replaceAccountKey, revokeDevice } from './devices.ts';
import { deviceToWire, publicDeviceToWire } from './wire.ts';

export function registerDeviceRoutes(router: Router, platform: Platform): void {
  const { db } = platform;

  router.add(deviceRoutes.addDevice, async ({ caller, body }) => {
    const device = await addDevice(platform, requireHuman(caller), {
      name: body.name,
      identityKey: body.identity_key,
      exchangeKey: body.exchange_key,
      accountKey: body.account_key,
      certificate: body.certificate,
      proof: body.proof,
    });
    return deviceToWire(device, device.id);
  });

  router.add(deviceRoutes.listDevices, async ({ caller }) => {
    const { accountId, deviceId } = requireHuman(caller);
    const rows = await listDeviceRows(db, accountId);
    return {
      account_key: await findAccountKey(db, accountId),
      account_key_changes: await listAccountKeyChanges(db, accountId),
      devices: rows.filter(({ revoked_at }) => revoked_at === null).map((row) => deviceToWire(row, deviceId)),
    };
  });

  router.add(deviceRoutes.certifyDevice, async ({ caller, params, body }) => {
    const { accountId, deviceId } = requireHuman(caller);
    const device = await certifyDevice(platform, accountId, params.device_id, body.certificate);
    return deviceToWire(device, deviceId);
  });

  router.add(deviceRoutes.replaceAccountKey, async ({ caller, body }) => {
    const { accountId } = requireHuman(caller);
    const { account_key, created_at, signature } = body;
    await replaceAccountKey(platform, accountId, { accountKey: account_key, createdAt: created_at, signature });
    return null;
  });

  router.add(deviceRoutes.revokeDevice, async ({ caller, params }) => {
    await revokeDevice(platform, requireHuman(caller).accountId, params.device_id);
    return null;
  });

  router.add(deviceRoutes.accountDevices, async ({ caller, params }) => {
    const party = partyOf(requireSignedIn(caller));
    const id = params.account_id;
    if (!(await findReachable(db, party, 'human', [id])).has(id)) throw new RequestError('NOT_FOUND');
    const rows = await listDeviceRows(db, id);
    return {
      account_id: id,
      account_key: await findAccountKey(db, id),
      account_key_changes: await listAccountKeyChanges(db, id),
      devices: rows.filter(({ revoked_at }) => revoked_at === null).map(publicDeviceToWire),
      revoked_devices: rows.filter(({ revoked_at }) => revoked_at !== null).map(publicDeviceToWire),
    };
  });
}
