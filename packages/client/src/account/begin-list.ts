import { isParleyError } from '@parley/base';
import { makeRecoverySecret, recoveryKeyOf, signDeviceList, toBase64Url, verifyCertificate } from '@parley/e2ee';
import type { OwnKeysRecord, SeenList } from '@parley/messenger';
import { type DeviceStatement, deviceRoutes, type ListedDevice, type ReplyOf } from '@parley/protocol';
import { dropRecoverySecret, loadAccountKey, loadRecoverySecret, recoverySecretEntry } from './account-key.ts';
import { headerOf, type OwnListDeps, ownListEntries } from './own-list.ts';
import { foldOwnList } from './read-statements.ts';
import { wireKeys } from './register-device.ts';

const BEGINNING = 'client/beginning';

interface Beginning {
  readonly keys: OwnKeysRecord;
  readonly listing: ReplyOf<typeof deviceRoutes.accountDevices>;
  readonly deviceId: string;
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
    // One that was refused before may still be shown later: the secret stays the same.
    const secret = (await loadRecoverySecret(store)) ?? makeRecoverySecret(crypto);
    const recoveryKey = recoveryKeyOf(crypto, secret)!;
    statement = signDeviceList(
      crypto,
      { ...headerOf(deps, undefined), action: 'create', devices: await listDevices(deps, beginning, accountKey!) },
      { accountKey: pair, recoveryKey },
    );
    await store.write(new Map([recoverySecretEntry(secret), [BEGINNING, JSON.stringify(statement)]]));
  }
  try {
    await api.call(deviceRoutes.appendDeviceStatement, { body: { statement } });
  } catch (error) {
    if (!isParleyError(error, 'STATEMENT_CONFLICT', 'STATEMENT_INVALID')) throw error;
    // Another holder of the key was faster, or a device is gone: the next look at the list shows which.
    await store.write(new Map([[BEGINNING, null]]));
    return undefined;
  }
  const seen = foldOwnList(crypto, userId, [statement]);
  await store.write(new Map<string, string | null>([...ownListEntries(userId, seen), [BEGINNING, null]]));
  return seen;
}

/** This device, and those that have a certificate and were not seen revoked here, whatever the server says now. */
async function listDevices(
  { store, platform, userId }: OwnListDeps,
  { keys, listing, deviceId }: Beginning,
  accountKey: string,
): Promise<ListedDevice[]> {
  const pin = await store.get(`pin/account/${userId}`);
  const { revoked = {} } = (pin === undefined ? {} : JSON.parse(pin)) as { revoked?: Record<string, string> };
  const others = listing.devices.filter(
    ({ device_id, identity_key, exchange_key, certificate }) =>
      certificate !== null &&
      device_id !== deviceId &&
      !Object.hasOwn(revoked, identity_key) &&
      verifyCertificate(platform.crypto, certificate, {
        accountKey,
        accountId: userId,
        deviceId: device_id,
        identity_key,
        exchange_key,
      }),
  );
  const self = { device_id: deviceId, ...wireKeys(keys), keeper: true };
  const listed = others.map(({ device_id, identity_key, exchange_key }) => ({
    device_id,
    identity_key,
    exchange_key,
    keeper: false,
  }));
  return [self, ...listed];
}

/** The list that holds was begun by another device: the secret that was made here opens nothing. */
export async function dropUselessSecret({ store, platform }: OwnListDeps, { list }: SeenList): Promise<void> {
  const secret = await loadRecoverySecret(store);
  const key = secret === undefined ? undefined : recoveryKeyOf(platform.crypto, secret);
  if (key !== undefined && toBase64Url(key.publicKey) !== list.recoveryKey) await dropRecoverySecret(store);
}
