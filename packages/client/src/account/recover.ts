import { boxAccountKey, type KeyPair, nameHeads, recoveryKeyOf, signDeviceStatement, toBase64Url } from '@parley/e2ee';
import {
  type BackupOptions,
  fetchList,
  loadList,
  type OwnKeysRecord,
  readOwnGroupBeginnings,
  type SeenList,
} from '@parley/messenger';
import { type DeviceStatement, deviceRoutes, type ListedDevice } from '@parley/protocol';
import { clientError } from '../errors.ts';
import { isOldRecoveryFile, type RecoverySecret, readOldRecoveryFile, saveAccountKey } from './account-key.ts';
import { beginList } from './begin-list.ts';
import type { ChainHead } from './chain-heads.ts';
import { appendStatement, headerOf, makeRotation, ownListEntries } from './own-list.ts';
import { foldOwnList } from './read-statements.ts';
import { type DeviceDeps, dropCode, type OwnDevice, wireKeys } from './register-device.ts';

interface OwnKeys {
  readonly deviceId: string;
  readonly keys: OwnKeysRecord;
}

/**
 * A statement by the recovery key (EE-17), on top of what the server shows now: of two lists it is the one that holds.
 * It names the devices that stay, and replaces the account key.
 */
export async function makeRecoverStatement(
  deps: DeviceDeps,
  { recoveryKey, own, heads }: { recoveryKey: KeyPair; own: OwnKeys; heads: readonly ChainHead[] },
): Promise<{ statement: DeviceStatement; settled: SeenList }> {
  const { store, platform, userId } = deps;
  const { crypto } = platform;
  const before = await loadList(store, crypto, userId);
  // Judged by nothing that was seen: the recovery key is named in the first statement, and has signed it.
  const { seen } = await readOffered(deps);
  if (seen === undefined || seen.list.recoveryKey !== toBase64Url(recoveryKey.publicKey)) {
    throw clientError('ACCOUNT_KEY_WRONG');
  }
  const self: ListedDevice = { device_id: own.deviceId, ...wireKeys(own.keys), keeper: true };
  if (seen.list.revoked.has(own.deviceId)) throw clientError('LIST_REFUSED');
  // Those that this device knows, as it knows them: a thief's list may have their ids with other keys, or as keepers.
  const known = [...(before?.list.devices.values() ?? [])].filter(({ device_id }) => device_id !== own.deviceId);
  const staying = known.filter((device) => isSameDevice(seen.list.devices.get(device.device_id), device));
  const devices = [self, ...staying];
  const { rotation, pair: next } = makeRotation(deps, devices);
  const unsigned = {
    ...headerOf(deps, seen),
    action: 'recover' as const,
    devices,
    rotation,
    ...nameHeads(crypto, heads),
  };
  // The new key is in a box for this device: it is taken out when the list has the statement, and not before.
  const statement = signDeviceStatement(crypto, unsigned, { ...recoveryKey, next });
  return { statement, settled: foldOwnList(crypto, userId, [...seen.statements, statement]) };
}

function isSameDevice(a: ListedDevice | undefined, b: ListedDevice): boolean {
  return a?.identity_key === b.identity_key && a.exchange_key === b.exchange_key;
}

/** The list as the server shows it, whatever was seen before. */
function readOffered(deps: DeviceDeps) {
  return fetchList({ api: deps.api, crypto: deps.platform.crypto }, deps.userId, {});
}

/**
 * A waiting device lets itself in with the recovery secret. All other devices of the account are removed: nobody here
 * knows which of them the person still has. They can be added again.
 */
export async function recoverDevice(
  deps: DeviceDeps & { readonly own: OwnDevice; readonly keys: OwnKeysRecord },
  recovery: RecoverySecret,
  options: BackupOptions = {},
): Promise<void> {
  const { api, store, platform, userId, own, keys } = deps;
  if (isOldRecoveryFile(recovery.secret)) return recoverByOldFile(deps, recovery, options);
  const recoveryKey = recoveryKeyOf(platform.crypto, recovery.secret);
  if (recoveryKey === undefined) throw clientError('RECOVERY_SECRET');
  const { statement, settled } = await makeRecoverStatement(deps, {
    recoveryKey,
    own: { deviceId: own.deviceId, keys },
    heads: await readOwnGroupBeginnings(api, userId),
  });
  await api.call(deviceRoutes.appendDeviceStatement, { body: { statement } });
  // Not what the server shows now: it could be anyone's list with this device in it.
  await store.write(new Map<string, string | null>([...ownListEntries(userId, settled), dropCode]));
}

/** A recovery file of the version before holds the account key itself. */
async function recoverByOldFile(
  deps: DeviceDeps & { readonly own: OwnDevice; readonly keys: OwnKeysRecord },
  recovery: RecoverySecret,
  options: BackupOptions,
): Promise<void> {
  const { store, platform, userId, own, keys } = deps;
  const { listing, seen: offered } = await readOffered(deps);
  const accountKey = offered?.list.accountKey ?? listing.account_key;
  const pair = await readOldRecoveryFile(recovery, { ...options, accountKey });
  await saveAccountKey(store, pair);
  const device = { device_id: own.deviceId, ...wireKeys(keys) };
  const box = boxAccountKey(platform.crypto, pair, { accountId: userId, device });
  const seen =
    offered === undefined
      ? await beginList(deps, { keys, listing, deviceId: own.deviceId })
      : await appendStatement({ ...deps, known: offered }, (now) => {
          const known = now.list.devices.get(own.deviceId);
          const header = headerOf(deps, now);
          if (known === undefined)
            return signDeviceStatement(platform.crypto, { ...header, action: 'add', device }, pair);
          if (known.keeper || box === undefined) return undefined;
          return signDeviceStatement(platform.crypto, { ...header, action: 'keep', box }, pair);
        });
  if (seen === undefined || !seen.list.devices.has(own.deviceId)) throw clientError('LIST_REFUSED');
  await store.write(new Map<string, string | null>([...ownListEntries(userId, seen), dropCode]));
}
