import { nameHeads, signDeviceStatement, toBase64Url } from '@parley/e2ee';
import { deviceRoutes } from '@parley/protocol';
import { loadAccountKey } from './account-key.ts';
import { readChainHeads } from './chain-heads.ts';
import { appendStatement, headerOf, makeRotation } from './own-list.ts';
import type { DeviceDeps } from './register-device.ts';

/**
 * Takes this device out of the account before its data are removed. A keeper signs it, and leaves the account key to
 * the other keepers; whatever fails, the server shuts the device out.
 */
export async function revokeThisDevice(deps: DeviceDeps, deviceId: string): Promise<void> {
  try {
    await signRevocation(deps, deviceId);
  } catch {
    const params = { device_id: deviceId };
    await deps.api.call(deviceRoutes.revokeDevice, { params }).catch(() => {});
  }
}

async function signRevocation(deps: DeviceDeps, deviceId: string): Promise<void> {
  const { store, platform } = deps;
  const pair = await loadAccountKey(store);
  if (pair === undefined) throw new TypeError('only a keeper signs');
  // Everything that this device has signed so far stays in force.
  const named = nameHeads(platform.crypto, await readChainHeads(store, { accountId: deps.userId }));
  await appendStatement(deps, (seen) => {
    const { list } = seen;
    const device = list.devices.get(deviceId);
    if (device === undefined) return undefined;
    const left = [...list.devices.values()].filter(({ device_id }) => device_id !== deviceId);
    const isLastKeeper = !left.some(({ keeper }) => keeper);
    // The key would be lost for the devices that stay: they can still use the recovery secret, but nothing is hurried.
    if (toBase64Url(pair.publicKey) !== list.accountKey || isLastKeeper) throw new TypeError('no keeper would be left');
    const { rotation, pair: next } = makeRotation(deps, left);
    const statement = {
      ...headerOf(deps, seen),
      action: 'revoke' as const,
      device_id: deviceId,
      ...named,
      rotation,
    };
    return signDeviceStatement(platform.crypto, statement, { ...pair, next });
  });
}
