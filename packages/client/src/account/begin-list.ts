import { makeRecoverySecret, recoveryKeyOf, signDeviceList, toBase64Url, verifyCertificate } from '@parley/e2ee';
import type { OwnKeysRecord, SeenList } from '@parley/messenger';
import { type DeviceStatement, deviceRoutes, type ListedDevice, type ReplyOf } from '@parley/protocol';
import { loadAccountKey, recoverySecretEntry } from './account-key.ts';
import { headerOf, type OwnListDeps, ownListEntries } from './own-list.ts';
import { foldOwnList } from './read-statements.ts';
import { wireKeys } from './register-device.ts';

const BEGINNING = 'client/beginning';

interface Beginning {
  readonly keys: OwnKeysRecord;
  readonly listing: ReplyOf<typeof deviceRoutes.accountDevices>;
  readonly deviceId: string;
  /** This device has no certificate: it came by a recovery file. */
  readonly isNew?: boolean;
}

/**
 * Makes the device list of an account of the version before, from the certificates under its key. Only the device that
 * holds the key can; undefined on others, which go on with certificates until it has.
 */
export async function beginList(deps: OwnListDeps, beginning: Beginning): Promise<SeenList | undefined> {
  const { api, store, platform, userId } = deps;
  const { crypto } = platform;
  const { listing, keys } = beginning;
  const pair = await loadAccountKey(store);
  const accountKey = pair && toBase64Url(pair.publicKey);
  // The server may hide a list that there is: what it calls the account key must be the one that is here.
  if (pair === undefined || listing.account_key !== accountKey) return undefined;
  if (keys.accountKey !== undefined && keys.accountKey !== accountKey) return undefined;
  const kept = await store.get(BEGINNING);
  let statement = kept === undefined ? undefined : (JSON.parse(kept) as DeviceStatement);
  if (statement === undefined) {
    const secret = makeRecoverySecret(crypto);
    const recoveryKey = recoveryKeyOf(crypto, secret)!;
    statement = signDeviceList(
      crypto,
      { ...headerOf(deps, undefined), action: 'create', devices: listDevices(deps, beginning, accountKey!) },
      { accountKey: pair, recoveryKey },
    );
    await store.write(new Map([recoverySecretEntry(secret), [BEGINNING, JSON.stringify(statement)]]));
  }
  await api.call(deviceRoutes.appendDeviceStatement, { body: { statement } });
  const seen = foldOwnList(crypto, userId, [statement]);
  await store.write(new Map<string, string | null>([...ownListEntries(userId, seen), [BEGINNING, null]]));
  return seen;
}

function listDevices(
  { platform, userId }: OwnListDeps,
  { keys, listing, deviceId, isNew = false }: Beginning,
  accountKey: string,
): ListedDevice[] {
  const certified = listing.devices.filter(
    ({ device_id, identity_key, exchange_key, certificate }) =>
      certificate !== null &&
      verifyCertificate(platform.crypto, certificate, {
        accountKey,
        accountId: userId,
        deviceId: device_id,
        identity_key,
        exchange_key,
      }),
  );
  const devices = certified.map(({ device_id, identity_key, exchange_key }) => ({
    device_id,
    identity_key,
    exchange_key,
    keeper: device_id === deviceId,
  }));
  return isNew ? [...devices, { device_id: deviceId, ...wireKeys(keys), keeper: true }] : devices;
}
