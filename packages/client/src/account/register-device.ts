import { isParleyError } from '@parley/base';
import { certifyDevice, type KeyPair, proveDevice, toBase64Url, verifyCertificate } from '@parley/e2ee';
import {
  type Api,
  loadOrCreateKeys,
  type OwnKeysRecord,
  type Platform,
  type Store,
  saveOwnKeys,
} from '@parley/messenger';
import { authRoutes, deviceRoutes, type ReplyOf } from '@parley/protocol';
import { dropAccountKey, loadAccountKey, makeAccountKey } from './account-key.ts';

export type WireDevice = ReplyOf<typeof deviceRoutes.listDevices>['devices'][number];

/** This device as the server knows it, and as its own keys prove it. */
export interface OwnDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly accountKey: string;
  /** A certificate under the account key covers exactly the keys that are here. */
  readonly certified: boolean;
}

export interface DeviceDeps {
  readonly api: Api;
  readonly store: Store;
  readonly platform: Platform;
  readonly userId: string;
}

/** Registers the keys of this device, or finds it again. The first device of an account makes the account key. */
export async function registerDevice(deps: DeviceDeps, name: string): Promise<OwnDevice> {
  const { api, store, platform, userId } = deps;
  const keys = await loadOrCreateKeys(store, platform.crypto, userId);
  const me = await api.call(authRoutes.me);
  const held = await loadAccountKey(store);
  const isFirst = me.account_key === null;
  const accountKey = isFirst ? (held ?? (await makeAccountKey(store, platform.crypto))) : undefined;
  const known = accountKey === undefined ? me.account_key! : toBase64Url(accountKey.publicKey);
  try {
    const device = await api.call(deviceRoutes.addDevice, {
      body: {
        name,
        identity_key: toBase64Url(keys.identity.publicKey),
        exchange_key: toBase64Url(keys.exchange.publicKey),
        proof: proveDevice(platform.crypto, keys.identity, { accountId: userId, sessionId: me.session_id }),
        ...(accountKey === undefined ? {} : firstCertificate(deps, keys, accountKey)),
      },
    });
    return await pinIfCertified(deps, keys, { device, accountKey: known });
  } catch (error) {
    // Two first devices registered at the same time. The other device's key became the account's; this one waits for
    // approval.
    if (!(accountKey && isParleyError(error, 'ACCOUNT_KEY_CONFLICT'))) throw error;
    await dropAccountKey(store);
    return registerDevice(deps, name);
  }
}

function firstCertificate({ platform, userId }: DeviceDeps, keys: OwnKeysRecord, accountKey: KeyPair) {
  const subject = {
    accountId: userId,
    identityKey: keys.identity.publicKey,
    exchangeKey: keys.exchange.publicKey,
  };
  return {
    account_key: toBase64Url(accountKey.publicKey),
    certificate: certifyDevice(platform.crypto, accountKey, { subject, createdAt: platform.now().toISOString() }),
  };
}

/** A device is certified if its certificate verifies here, whatever the server says. Then the account key is pinned. */
export async function pinIfCertified(
  { store, platform, userId }: DeviceDeps,
  keys: OwnKeysRecord,
  { device, accountKey }: { device: WireDevice; accountKey: string },
): Promise<OwnDevice> {
  const { device_id: deviceId, name, certificate } = device;
  const pinned = keys.accountKey ?? accountKey;
  const certified =
    certificate !== null &&
    verifyCertificate(platform.crypto, certificate, {
      accountKey: pinned,
      accountId: userId,
      deviceId,
      identity_key: toBase64Url(keys.identity.publicKey),
      exchange_key: toBase64Url(keys.exchange.publicKey),
    });
  if (certified && keys.accountKey === undefined) await saveOwnKeys(store, { ...keys, accountKey: pinned });
  return { deviceId, name, accountKey: pinned, certified };
}
