import { createObservable, type Readable } from '@parley/base';
import { displayText } from '@parley/documents';
import { type Crypto, certifyDevice, fromBase64Url, toBase64Url, verifyCertificate } from '@parley/e2ee';
import type { BackupOptions, OwnKeysRecord } from '@parley/messenger';
import { deviceRoutes } from '@parley/protocol';
import { clientError } from '../errors.ts';
import { exportAccountKey, importAccountKey, loadAccountKey, type RecoverySecret } from './account-key.ts';
import { deviceCode, isSameCode } from './device-code.ts';
import type { DeviceDeps, OwnDevice, WireDevice } from './register-device.ts';

export interface DeviceView {
  readonly deviceId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly current: boolean;
  /** True if this device verified the certificate itself; the server's word does not count. */
  readonly certified: boolean;
}

/** The devices of this account (EE-14). */
export interface Devices extends Readable<readonly DeviceView[]> {
  /** Asks the server. The client does so by itself when a device was added, approved or revoked. */
  refresh(): Promise<void>;
  /** Only a device that holds the account key can approve others. */
  canApprove(): Promise<boolean>;
  /** `code` is what the new device shows; with a wrong one nothing is certified. */
  approve(deviceId: string, code: string): Promise<void>;
  revoke(deviceId: string): Promise<void>;
  /** Encrypts the account key with a passphrase. Whoever has both can add devices. */
  createRecoverySecret(passphrase: string, options?: BackupOptions): Promise<string>;
}

interface OpenDevices extends DeviceDeps {
  readonly own: OwnDevice;
  /** Called when the devices of the account have changed: messages have to be sealed for the new set. */
  changed(): void;
}

export function createDevices(deps: OpenDevices): Devices {
  const { api, store, platform, userId, own } = deps;
  const { accountKey } = own;
  const list = createObservable<readonly DeviceView[]>([]);

  const view = (device: WireDevice): DeviceView => ({
    deviceId: device.device_id,
    name: displayText(device.name),
    createdAt: device.created_at,
    current: device.device_id === own.deviceId,
    certified: isCertified(platform.crypto, device, { accountId: userId, accountKey }),
  });
  async function refresh(): Promise<void> {
    const { devices } = await api.call(deviceRoutes.listDevices);
    list.set(devices.map(view));
  }

  return {
    getSnapshot: list.getSnapshot,
    subscribe: list.subscribe,
    refresh,
    canApprove: async () => isAccountKey(await loadAccountKey(store), accountKey),
    async approve(deviceId, code) {
      const pair = await loadAccountKey(store);
      if (pair === undefined || !isAccountKey(pair, accountKey)) throw clientError('ACCOUNT_KEY_MISSING');
      const { devices } = await api.call(deviceRoutes.listDevices);
      const device = devices.find(({ device_id }) => device_id === deviceId);
      if (device === undefined) throw clientError('UNKNOWN_DEVICE');
      const { identity_key: identityKey, exchange_key: exchangeKey } = device;
      const expected = deviceCode(platform.crypto, {
        accountId: userId,
        accountKey,
        deviceId,
        identityKey,
        exchangeKey,
      });
      if (expected === undefined || !isSameCode(code, expected)) throw clientError('DEVICE_CODE');
      await certify(deps, pair, { deviceId, identityKey, exchangeKey });
      deps.changed();
      await refresh();
    },
    async revoke(deviceId) {
      await api.call(deviceRoutes.revokeDevice, { params: { device_id: deviceId } });
      deps.changed();
      await refresh();
    },
    createRecoverySecret: (passphrase, options) => exportAccountKey(store, passphrase, options),
  };
}

/** Certifies this device with the account key from the recovery secret. */
export async function recoverDevice(
  deps: DeviceDeps & { readonly own: OwnDevice; readonly keys: OwnKeysRecord },
  recovery: RecoverySecret,
  options: BackupOptions = {},
): Promise<void> {
  const { store, own, keys } = deps;
  const pair = await importAccountKey(store, recovery, { ...options, accountKey: own.accountKey });
  await certify(deps, pair, {
    deviceId: own.deviceId,
    identityKey: toBase64Url(keys.identity.publicKey),
    exchangeKey: toBase64Url(keys.exchange.publicKey),
  });
}

async function certify(
  { api, platform, userId }: DeviceDeps,
  pair: { publicKey: Uint8Array; privateKey: Uint8Array },
  device: { deviceId: string; identityKey: string; exchangeKey: string },
): Promise<void> {
  const subject = {
    accountId: userId,
    deviceId: device.deviceId,
    identityKey: fromBase64Url(device.identityKey)!,
    exchangeKey: fromBase64Url(device.exchangeKey)!,
  };
  const certificate = certifyDevice(platform.crypto, pair, { subject, createdAt: platform.now().toISOString() });
  await api.call(deviceRoutes.certifyDevice, { params: { device_id: device.deviceId }, body: { certificate } });
}

function isAccountKey(pair: { publicKey: Uint8Array } | undefined, accountKey: string): boolean {
  return pair !== undefined && toBase64Url(pair.publicKey) === accountKey;
}

function isCertified(crypto: Crypto, device: WireDevice, account: { accountId: string; accountKey: string }): boolean {
  const { certificate, identity_key, exchange_key, device_id: deviceId } = device;
  return (
    certificate !== null && verifyCertificate(crypto, certificate, { ...account, deviceId, identity_key, exchange_key })
  );
}
