import { deviceRoutes } from '@parley/protocol';
import { partyOf, requireHuman, requireSignedIn } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import { findListEnd, listDeviceStatements } from '../keys/device-list.ts';
import { mayReadDevices } from '../keys/reachable.ts';
import type { Platform } from '../platform.ts';
import { appendDeviceStatement } from './device-list.ts';
import { findAccountKey, listDeviceRows } from './device-store.ts';
import { addDevice } from './devices.ts';
import { revokeDevice } from './end-devices.ts';
import { findWelcome, welcomeDevice } from './welcome.ts';
import { deviceToWire, publicDeviceToWire } from './wire.ts';

const STATEMENTS = 100;

export function registerDeviceRoutes(router: Router, platform: Platform): void {
  const { db } = platform;

  router.add(deviceRoutes.addDevice, async ({ caller, body }) => {
    const device = await addDevice(platform, requireHuman(caller), {
      name: body.name,
      identityKey: body.identity_key,
      exchangeKey: body.exchange_key,
      deviceId: body.device_id,
      statement: body.statement,
      pairing: body.pairing,
      proof: body.proof,
    });
    const { length } = await findListEnd(db, device.account_id);
    const welcome = await findWelcome(db, device.id, platform.now());
    return deviceToWire(device, { hasList: length > 0, currentId: device.id, welcome });
  });

  router.add(deviceRoutes.listDevices, async ({ caller }) => {
    const { accountId, deviceId } = requireHuman(caller);
    const rows = await listDeviceRows(db, accountId, 'live');
    const { length } = await findListEnd(db, accountId);
    const welcome = deviceId === undefined ? undefined : await findWelcome(db, deviceId, platform.now());
    const view = { hasList: length > 0, currentId: deviceId, welcome };
    return { devices: rows.map((row) => deviceToWire(row, view)) };
  });

  router.add(deviceRoutes.appendDeviceStatement, ({ caller, body }) =>
    appendDeviceStatement(platform, requireHuman(caller), body.statement),
  );

  router.add(deviceRoutes.welcomeDevice, async ({ caller, params, body }) => {
    const { welcome } = body;
    await welcomeDevice(platform, requireHuman(caller), { deviceId: params.device_id, welcome });
    return null;
  });

  router.add(deviceRoutes.revokeDevice, async ({ caller, params }) => {
    await revokeDevice(platform, requireHuman(caller).accountId, params.device_id);
    return null;
  });

  router.add(deviceRoutes.accountDevices, async ({ caller, params, query }) => {
    const id = params.account_id;
    if (!(await mayReadDevices(db, partyOf(requireSignedIn(caller)), id))) throw new RequestError('NOT_FOUND');
    // The end is read first: a list that grows meanwhile is no list that lacks something.
    const { length, head } = await findListEnd(db, id);
    const statements = await listDeviceStatements(db, id, { after: Number(query.after ?? 0), limit: STATEMENTS });
    const hasList = length > 0;
    const listed = await listDeviceRows(db, id, 'listed');
    const toWire = (row: (typeof listed)[number]) => publicDeviceToWire(row, { hasList });
    return {
      account_id: id,
      statements: statements.filter(({ seq }) => seq <= length),
      length,
      head,
      devices: listed.filter(({ revoked_at }) => revoked_at === null).map(toWire),
      account_key: hasList ? null : await findAccountKey(db, id),
      revoked_devices: hasList ? [] : listed.filter(({ revoked_at }) => revoked_at !== null).map(toWire),
    };
  });
}
