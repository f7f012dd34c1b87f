import { isParleyError } from '@parley/base';
import {
  generateEd25519,
  makePairingCode,
  makeRecoverySecret,
  pairingRequest,
  proveDevice,
  recoveryKeyOf,
  signDeviceList,
  toBase64Url,
} from '@parley/e2ee';
import { loadList, loadOrCreateKeys, type OwnKeysRecord, type SeenList } from '@parley/messenger';
import { authRoutes, type DeviceStatement, deviceRoutes, type ReplyOf } from '@parley/protocol';
import { clientError } from '../errors.ts';
import { newId } from '../new-id.ts';
import { accountKeyEntry, recoverySecretEntry } from './account-key.ts';
import { type OwnListDeps, ownListEntries } from './own-list.ts';
import { foldOwnList } from './read-statements.ts';

export type WireDevice = ReplyOf<typeof deviceRoutes.listDevices>['devices'][number];

/** This device, as it is kept between two runs. */
export interface OwnDevice {
  readonly deviceId: string;
  readonly name: string;
  /** It has seen itself in the account's list (EE-18), or had a certificate before there was one. */
  readonly listed: boolean;
}

export interface DeviceDeps extends OwnListDeps {
  readonly platform: OwnListDeps['platform'];
}

export type Registered = OwnDevice | 'unfounded';

/** The account was made here: this device makes its key, and accepts no other (EE-16). */
const FOUNDER = 'client/founder';
const FOUNDING = 'client/founding';
const CODE = 'client/pairing-code';

export const founderEntry = (userId: string) => [FOUNDER, userId] as const;

/** Registers the keys of this device, or finds it again. */
export async function registerDevice(deps: DeviceDeps, name: string): Promise<Registered> {
  const { api, store, platform, userId } = deps;
  const keys = await loadOrCreateKeys(store, platform.crypto, userId);
  const seen = await loadList(store, platform.crypto, userId);
  if (seen !== undefined || keys.accountKey !== undefined) return findAgain(deps, { name, keys, seen });
  if ((await store.get(FOUNDER)) === userId) return found(deps, name);
  const me = await api.call(authRoutes.me);
  return me.account_key === null ? 'unfounded' : wait(deps, name);
}

/** Makes the account key and the first statement of the device list. Throws ACCOUNT_TAKEN if the server has another. */
export async function found(deps: DeviceDeps, name: string): Promise<OwnDevice> {
  const { api, store, platform, userId } = deps;
  const keys = await loadOrCreateKeys(store, platform.crypto, userId);
  const kept = await store.get(FOUNDING);
  const statement = kept === undefined ? await prepareList(deps, keys) : (JSON.parse(kept) as DeviceStatement);
  const seen = foldOwnList(platform.crypto, userId, [statement]);
  const [device] = seen.list.devices.values();
  try {
    const body = { ...(await deviceBody(deps, { name, keys })), device_id: device!.device_id, statement };
    await api.call(deviceRoutes.addDevice, { body });
  } catch (error) {
    if (!isParleyError(error, 'STATEMENT_CONFLICT')) throw error;
    throw clientError('ACCOUNT_TAKEN');
  }
  await store.write(new Map([...ownListEntries(userId, seen), [FOUNDING, null], [FOUNDER, null]]));
  return { deviceId: device!.device_id, name, listed: true };
}

/** On disk before the server knows of it: an answer that is lost must not leave an account whose key nobody has. */
async function prepareList({ store, platform, userId }: DeviceDeps, keys: OwnKeysRecord): Promise<DeviceStatement> {
  const { crypto } = platform;
  const accountKey = generateEd25519(crypto);
  const secret = makeRecoverySecret(crypto);
  const device = { device_id: newId(platform), ...wireKeys(keys), keeper: true };
  const statement = signDeviceList(
    crypto,
    {
      version: 1,
      account_id: userId,
      seq: 1,
      prev: null,
      created_at: platform.now().toISOString(),
      action: 'create',
      devices: [device],
    },
    { accountKey, recoveryKey: recoveryKeyOf(crypto, secret)! },
  );
  const entries = [accountKeyEntry(accountKey), recoverySecretEntry(secret)] as const;
  await store.write(new Map([...entries, [FOUNDING, JSON.stringify(statement)]]));
  return statement;
}

/** Another device, or the server's lie, was there first: what was prepared here is of no use. */
export function abandonFounding({ store }: Pick<DeviceDeps, 'store'>): Promise<void> {
  const keys = [FOUNDING, FOUNDER, accountKeyEntry(EMPTY_PAIR)[0], recoverySecretEntry('')[0]];
  return store.write(new Map(keys.map((key) => [key, null])));
}

const EMPTY_PAIR = { publicKey: new Uint8Array(0), privateKey: new Uint8Array(0) };

/** Waits to be let in: shows a code that only the two screens share (EE-16). */
export async function wait(deps: DeviceDeps, name: string): Promise<OwnDevice> {
  const { api, store, platform, userId } = deps;
  const keys = await loadOrCreateKeys(store, platform.crypto, userId);
  const code = await loadCode(deps);
  const pairing = pairingRequest(platform.crypto, code, pairedKeys(userId, keys))!;
  const body = { ...(await deviceBody(deps, { name, keys })), pairing };
  const { device_id: deviceId } = await api.call(deviceRoutes.addDevice, { body });
  return { deviceId, name, listed: false };
}

/** The same code as long as it waits, also after a restart. */
export async function loadCode({ store, platform }: Pick<DeviceDeps, 'store' | 'platform'>): Promise<string> {
  const kept = await store.get(CODE);
  if (kept !== undefined) return kept;
  const code = makePairingCode(platform.crypto);
  await store.write(new Map([[CODE, code]]));
  return code;
}

export const dropCode = [CODE, null] as const;

export function pairedKeys(accountId: string, { identity, exchange }: OwnKeysRecord) {
  return { accountId, identityKey: toBase64Url(identity.publicKey), exchangeKey: toBase64Url(exchange.publicKey) };
}

async function findAgain(
  deps: DeviceDeps,
  { name, keys, seen }: { name: string; keys: OwnKeysRecord; seen: SeenList | undefined },
): Promise<OwnDevice> {
  const { device_id: deviceId } = await deps.api.call(deviceRoutes.addDevice, {
    body: await deviceBody(deps, { name, keys }),
  });
  const { identity_key } = wireKeys(keys);
  const listed = [...(seen?.list.devices.values() ?? [])].find((device) => device.identity_key === identity_key);
  // What it signs names its id: under that of another device it would speak for nobody.
  if (listed !== undefined && listed.device_id !== deviceId) throw clientError('LIST_REFUSED');
  return { deviceId, name, listed: true };
}

async function deviceBody(
  { api, platform, userId }: DeviceDeps,
  { name, keys }: { name: string; keys: OwnKeysRecord },
) {
  const me = await api.call(authRoutes.me);
  return {
    name,
    ...wireKeys(keys),
    proof: proveDevice(platform.crypto, keys.identity, { accountId: userId, sessionId: me.session_id }),
  };
}

export function wireKeys({ identity, exchange }: Pick<OwnKeysRecord, 'identity' | 'exchange'>) {
  return { identity_key: toBase64Url(identity.publicKey), exchange_key: toBase64Url(exchange.publicKey) };
}

/** Does the list name this device, with exactly the keys that are here? */
export function namesDevice({ list }: SeenList, deviceId: string, keys: OwnKeysRecord): boolean {
  const listed = list.devices.get(deviceId);
  const { identity_key, exchange_key } = wireKeys(keys);
  return listed?.identity_key === identity_key && listed.exchange_key === exchange_key;
}
