import { createObservable, type Readable } from '@parley/base';
import { displayText } from '@parley/documents';
import {
  boxAccountKey,
  isPairingRequest,
  type KeyPair,
  nameHeads,
  recoveryKeyOf,
  signDeviceStatement,
  toBase64Url,
  unboxAccountKey,
} from '@parley/e2ee';
import { loadList, type OwnKeysRecord, type SeenList } from '@parley/messenger';
import {
  type DeviceList,
  type DeviceStatement,
  deviceRoutes,
  type ListedDevice,
  type Unsigned,
} from '@parley/protocol';
import { clientError } from '../errors.ts';
import { dropRecoverySecret, loadAccountKey, loadRecoverySecret, saveAccountKey } from './account-key.ts';
import { beginList, dropUselessSecret } from './begin-list.ts';
import type { ChainHead } from './chain-heads.ts';
import { appendStatement, headerOf, makeRotation, readOwnList } from './own-list.ts';
import { makeRecoverStatement } from './recover.ts';
import type { DeviceDeps, OwnDevice, WireDevice } from './register-device.ts';
import { makeWelcome } from './welcome.ts';

export interface DeviceView {
  readonly deviceId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly current: boolean;
  /** The account's list names it, with these keys; the server's word does not count (EE-18). */
  readonly listed: boolean;
  /** It holds the account key: it may add and revoke devices (EE-17). */
  readonly keeper: boolean;
  /** It is listed, and was not told so: whoever let it in was cut off. Its code can be typed again. */
  readonly waiting: boolean;
  /** The server has shut it out, and the list still names it: a keeper should revoke it. */
  readonly cutOff: boolean;
}

/** The devices of this account. */
export interface Devices extends Readable<readonly DeviceView[]> {
  /** Asks the server. The client does so by itself when a device was added, approved or revoked. */
  refresh(): Promise<void>;
  /** Only a keeper can let others in, revoke them for good, and change the account key. */
  isKeeper(): Promise<boolean>;
  /** `code` is what the new device shows; with a wrong one nothing is signed. */
  approve(deviceId: string, code: string, options?: { keeper?: boolean }): Promise<void>;
  makeKeeper(deviceId: string): Promise<void>;
  /** On a keeper it is signed, and final. On another device, the server shuts it out until a keeper has signed. */
  revoke(deviceId: string): Promise<void>;
  /** Replaces the account key: whoever has a copy of the old one can do nothing with it any more. */
  rotateKey(): Promise<void>;
  /** As long as the person has not confirmed to have it elsewhere, on the device that made it. */
  recoverySecret(): Promise<string | undefined>;
  confirmRecoverySaved(): Promise<void>;
  /** Settles a forked list with the recovery secret: the devices that this one knows stay, under a new account key. */
  settle(secret: string): Promise<void>;
}

export const DEVICE_NAMES = 'client/device-name/';

interface OpenDevices extends DeviceDeps {
  readonly own: OwnDevice;
  readonly keys: OwnKeysRecord;
  /** Called when the devices of the account have changed: what was signed by those that are gone may be void. */
  changed(): Promise<void>;
  /** Where the ledgers and groups end that this device knows, read anew where possible. */
  heads(list?: DeviceList): Promise<readonly ChainHead[]>;
  /** The list no longer names this device. */
  onRevoked(): void;
}

export function createDevices(deps: OpenDevices): Devices {
  const { api, store, platform, userId, own, keys } = deps;
  const { crypto } = platform;
  const views = createObservable<readonly DeviceView[]>([]);

  const readRows = async () => (await api.call(deviceRoutes.listDevices)).devices;

  async function refresh(): Promise<void> {
    const { seen } = await readList();
    const rows = await readRows();
    const names = await readNames(rows, seen?.list);
    views.set(viewDevices(rows, { list: seen?.list, ownId: own.deviceId, names }));
  }

  /** A name stays with the device it was first seen with: a server that swaps two would have the wrong one revoked. */
  async function readNames(rows: readonly WireDevice[], list: DeviceList | undefined): Promise<Names> {
    const names = new Map(
      (await store.list(DEVICE_NAMES)).map(([key, name]) => [key.slice(DEVICE_NAMES.length), name]),
    );
    const news = rows.filter(({ device_id: id }) => list?.devices.has(id) === true && !names.has(id));
    if (news.length > 0)
      await store.write(new Map(news.map(({ device_id, name }) => [DEVICE_NAMES + device_id, name])));
    for (const { device_id, name } of news) names.set(device_id, name);
    return names;
  }

  /** A device of the version before makes the list, if it holds the account key. */
  async function readList() {
    const read = await readOwnList(deps);
    if (read.seen === undefined && read.problem === undefined) {
      const begun = await beginList(deps, { keys, listing: read.listing, deviceId: own.deviceId });
      if (begun !== undefined) return { ...read, seen: begun };
    }
    if (read.seen !== undefined && !read.seen.forked) await adopt(read.seen);
    if (read.seen !== undefined) await dropUselessSecret(deps, read.seen);
    return read;
  }

  async function adopt({ list }: SeenList): Promise<void> {
    if (list.revoked.has(own.deviceId)) return deps.onRevoked();
    const box = list.boxes.get(own.deviceId);
    if (box === undefined || !isKeeper(list) || (await holds(list))) return;
    const pair = unboxAccountKey(crypto, box, {
      accountId: userId,
      accountKey: list.accountKey,
      exchange: keys.exchange,
    });
    if (pair !== undefined) await saveAccountKey(store, pair);
  }

  const isKeeper = (list: DeviceList) => list.devices.get(own.deviceId)?.keeper === true;
  async function holds({ accountKey }: DeviceList): Promise<KeyPair | undefined> {
    const pair = await loadAccountKey(store);
    return pair !== undefined && toBase64Url(pair.publicKey) === accountKey ? pair : undefined;
  }

  /** Signs with the account key as it is at that moment: another keeper may have changed it. */
  async function append(make: (seen: SeenList) => UnsignedStatement | undefined): Promise<SeenList> {
    await readList();
    const pair = await loadAccountKey(store);
    const seen = await appendStatement(deps, (now) => {
      const made = make(now);
      if (made === undefined) return undefined;
      if (pair === undefined || toBase64Url(pair.publicKey) !== now.list.accountKey) {
        throw clientError('ACCOUNT_KEY_MISSING');
      }
      const { next, ...change } = made;
      const statement = { ...change, ...headerOf(deps, now) } as Unsigned<DeviceStatement>;
      return signDeviceStatement(crypto, statement as never, { ...pair, next }) as DeviceStatement;
    });
    await adopt(seen);
    await deps.changed();
    return seen;
  }

  async function makeKeeper(deviceId: string): Promise<void> {
    await readList();
    const pair = await loadAccountKey(store);
    if (pair === undefined) throw clientError('ACCOUNT_KEY_MISSING');
    await append(({ list }) => {
      const device = list.devices.get(deviceId);
      if (device === undefined) throw clientError('UNKNOWN_DEVICE');
      if (device.keeper) return undefined;
      const box = boxAccountKey(crypto, pair, { accountId: userId, device });
      if (box === undefined) throw clientError('UNKNOWN_DEVICE');
      return { action: 'keep', box };
    });
  }

  async function add(row: WireDevice): Promise<SeenList> {
    const { device_id, identity_key, exchange_key } = row;
    return append(({ list }) => {
      const known = list.devices.get(device_id);
      if (known === undefined) return { action: 'add', device: { device_id, identity_key, exchange_key } };
      if (known.identity_key !== identity_key || known.exchange_key !== exchange_key) throw clientError('DEVICE_CODE');
      return undefined;
    });
  }

  async function revokeSigned(deviceId: string): Promise<void> {
    const { salt, heads } = nameHeads(crypto, await deps.heads());
    await append(({ list }) => {
      const device = list.devices.get(deviceId);
      if (device === undefined) return undefined;
      const left = [...list.devices.values()].filter(({ device_id }) => device_id !== deviceId);
      // Whether or not it is a keeper: another keeper may have made it one, and the server kept that from this device.
      const { rotation, pair: next } = makeRotation(deps, left);
      return { action: 'revoke', device_id: deviceId, salt, heads, rotation, next };
    });
  }

  return {
    getSnapshot: views.getSnapshot,
    subscribe: views.subscribe,
    refresh,
    isKeeper: async () => {
      const { seen } = await readList();
      return seen !== undefined && (await holds(seen.list)) !== undefined;
    },
    async approve(deviceId, code, { keeper = false } = {}) {
      const row = (await readRows()).find(({ device_id }) => device_id === deviceId);
      if (row === undefined) throw clientError('UNKNOWN_DEVICE');
      const paired = { accountId: userId, identityKey: row.identity_key, exchangeKey: row.exchange_key };
      if (row.pairing === null || !isPairingRequest(crypto, row.pairing, { code, ...paired })) {
        throw clientError('DEVICE_CODE');
      }
      await add(row);
      if (keeper) await makeKeeper(deviceId);
      const { seen } = await readList();
      const welcome = await makeWelcome(deps, seen!, { code, ...paired });
      await api.call(deviceRoutes.welcomeDevice, { params: { device_id: deviceId }, body: { welcome } });
      await refresh();
    },
    async makeKeeper(deviceId) {
      await makeKeeper(deviceId);
      await refresh();
    },
    async revoke(deviceId) {
      const { seen } = await readList();
      const isSigned = seen?.list.devices.has(deviceId) === true && (await holds(seen.list)) !== undefined;
      if (isSigned) await revokeSigned(deviceId);
      else await api.call(deviceRoutes.revokeDevice, { params: { device_id: deviceId } });
      await deps.changed();
      await refresh();
    },
    async rotateKey() {
      const { seen } = await readList();
      const before = seen?.list.accountKey;
      await append(({ list }) => {
        if (list.accountKey !== before) return undefined;
        const { rotation, pair: next } = makeRotation(deps, list.devices.values());
        return { action: 'rotate', rotation, next };
      });
      await refresh();
    },
    recoverySecret: () => loadRecoverySecret(store),
    confirmRecoverySaved: () => dropRecoverySecret(store),
    async settle(secret) {
      const recoveryKey = recoveryKeyOf(crypto, secret);
      if (recoveryKey === undefined) throw clientError('RECOVERY_SECRET');
      const known = await loadList(store, crypto, userId);
      const heads = await deps.heads(known?.list);
      const recovered = await makeRecoverStatement(deps, { recoveryKey, own: { ...own, keys }, heads });
      await api.call(deviceRoutes.appendDeviceStatement, { body: { statement: recovered.statement } });
      await deps.hold?.(recovered.settled);
      await deps.changed();
      await refresh();
    },
  };
}

type UnsignedStatement = { readonly next?: KeyPair } & (
  | { action: 'add'; device: Omit<ListedDevice, 'keeper'> }
  | { action: 'keep'; box: NonNullable<ReturnType<typeof boxAccountKey>> }
  | { action: 'revoke'; device_id: string; salt: string; heads: string[]; rotation: Rotation }
  | { action: 'rotate'; rotation: Rotation }
);
type Rotation = ReturnType<typeof makeRotation>['rotation'];

type Names = ReadonlyMap<string, string>;

function viewDevices(
  rows: readonly WireDevice[],
  { list, ownId, names }: { list: DeviceList | undefined; ownId: string; names: Names },
): readonly DeviceView[] {
  const shown = rows.map((row) => {
    const listed = list?.devices.get(row.device_id);
    const isSame = listed?.identity_key === row.identity_key && listed.exchange_key === row.exchange_key;
    return {
      deviceId: row.device_id,
      name: displayText(names.get(row.device_id) ?? row.name),
      createdAt: row.created_at,
      current: row.device_id === ownId,
      listed: list === undefined ? row.certificate !== null : isSame,
      keeper: isSame && listed.keeper,
      waiting: isSame && row.pairing !== null,
      cutOff: false,
    };
  });
  const present = new Set(rows.map(({ device_id }) => device_id));
  const gone = [...(list?.devices.values() ?? [])].filter(({ device_id }) => !present.has(device_id));
  return [
    ...shown,
    ...gone.map(({ device_id, keeper }) => ({
      deviceId: device_id,
      name: displayText(names.get(device_id) ?? device_id),
      createdAt: '',
      current: device_id === ownId,
      listed: true,
      keeper,
      waiting: false,
      cutOff: true,
    })),
  ];
}
