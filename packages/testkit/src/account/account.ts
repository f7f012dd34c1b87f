import { randomUUID } from 'node:crypto';
import {
  boxAccountKey,
  type Certificate,
  generateEd25519,
  generateX25519,
  type KeyPair,
  nameHeads,
  signDeviceList,
  signDeviceStatement,
  signStatement,
  toBase64Url,
} from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import {
  type DeviceStatement,
  type deviceRoutes,
  deviceStatementHash,
  type KeyBox,
  type ListedDevice,
  type ReplyOf,
} from '@parley/protocol';

type Listing = ReplyOf<typeof deviceRoutes.accountDevices>;
type PublicDevice = Listing['devices'][number];
type KnownChains = Parameters<typeof nameHeads>[1];
type Step = Exclude<DeviceStatement, { action: 'create' }>;

/** A device whose private keys the test holds. */
export interface TestDevice {
  readonly deviceId: string;
  readonly identity: KeyPair;
  readonly exchange: KeyPair;
}

const CREATED_AT = '2026-01-01T00:00:00.000Z';

/** A UUID of version 7, as a client makes them. */
export function newTimedId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/**
 * An account whose keys the test holds (EE-17, EE-18): it signs what the person's keepers would, and with a copy made by
 * `fork` what a thief of the account key would.
 */
export class SignedAccount {
  readonly accountId: string;
  accountKey: KeyPair = generateEd25519(nodeCrypto);
  recoveryKey: KeyPair = generateEd25519(nodeCrypto);
  statements: readonly DeviceStatement[] = [];
  readonly keepers = new Map<string, TestDevice>();

  constructor(accountId: string = newTimedId()) {
    this.accountId = accountId;
  }

  get publicKey(): string {
    return toBase64Url(this.accountKey.publicKey);
  }

  static makeDevice(keys: Partial<TestDevice> = {}): TestDevice {
    const [identity, exchange] = [generateEd25519(nodeCrypto), generateX25519(nodeCrypto)];
    return { deviceId: newTimedId(), identity, exchange, ...keys };
  }

  /** Begins the list with one keeper. */
  create(device: TestDevice): DeviceStatement {
    const statement = signDeviceList(
      nodeCrypto,
      {
        version: 1,
        account_id: this.accountId,
        seq: 1,
        prev: null,
        action: 'create',
        devices: [toListed(device, true)],
        created_at: CREATED_AT,
      },
      this,
    );
    this.keepers.set(device.deviceId, device);
    this.statements = [statement];
    return statement;
  }

  add(device: TestDevice): DeviceStatement {
    const { keeper: _, ...keys } = toListed(device, false);
    return this.#sign({ action: 'add', device: keys });
  }

  keep(device: TestDevice): DeviceStatement {
    this.keepers.set(device.deviceId, device);
    return this.#sign({ action: 'keep', box: this.#box(this.accountKey, device) });
  }

  /** Names the chains that the revoking device knows: what the revoked one signed beyond them is void. */
  revoke({ deviceId }: TestDevice, chains: KnownChains = []): DeviceStatement {
    const isKeeper = this.keepers.delete(deviceId);
    const next = generateEd25519(nodeCrypto);
    const rotation = isKeeper ? { rotation: this.#rotation(next) } : {};
    const step = { action: 'revoke', device_id: deviceId, ...nameHeads(nodeCrypto, chains), ...rotation } as const;
    const signed = this.#sign(step, isKeeper ? { ...this.accountKey, next } : this.accountKey);
    if (isKeeper) this.accountKey = next;
    return signed;
  }

  rotate(next: KeyPair = generateEd25519(nodeCrypto)): DeviceStatement {
    const signed = this.#sign({ action: 'rotate', rotation: this.#rotation(next) }, { ...this.accountKey, next });
    this.accountKey = next;
    return signed;
  }

  /** By the recovery key: from now on these are all devices, and keepers. */
  recover(devices: readonly TestDevice[], chains: KnownChains = []): DeviceStatement {
    this.keepers.clear();
    for (const device of devices) this.keepers.set(device.deviceId, device);
    const next = generateEd25519(nodeCrypto);
    const listed = devices.map((device) => toListed(device, true));
    const step = { action: 'recover', devices: listed, rotation: this.#rotation(next) } as const;
    const signed = this.#sign({ ...step, ...nameHeads(nodeCrypto, chains) }, { ...this.recoveryKey, next });
    this.accountKey = next;
    return signed;
  }

  /** The same account in other hands: whatever one of the two signs from now on, the other does not know. */
  fork(): SignedAccount {
    const copy = new SignedAccount(this.accountId);
    Object.assign(copy, { accountKey: this.accountKey, recoveryKey: this.recoveryKey, statements: this.statements });
    for (const [id, device] of this.keepers) copy.keepers.set(id, device);
    return copy;
  }

  /** What an honest server answers, which lets these devices in. */
  listing(devices: readonly TestDevice[], after = 0): Listing {
    const last = this.statements.at(-1);
    return {
      account_id: this.accountId,
      statements: this.statements.slice(after, after + 100),
      length: this.statements.length,
      head: last === undefined ? null : deviceStatementHash(last),
      devices: devices.map((device) => ({ ...toKeys(device), certificate: null })),
      account_key: null,
      revoked_devices: [],
    };
  }

  /** What the server of the version before answers, for an account that has no list (EE-14). */
  oldListing(devices: readonly TestDevice[], revoked: readonly TestDevice[] = []): Listing {
    const certified = (device: TestDevice) => ({ ...toKeys(device), certificate: this.certify(device) });
    return {
      ...this.listing([]),
      statements: [],
      length: 0,
      head: null,
      devices: devices.map(certified),
      account_key: this.publicKey,
      revoked_devices: revoked.map(certified),
    };
  }

  certify(device: TestDevice, createdAt = CREATED_AT): Certificate {
    const { device_id, identity_key, exchange_key } = toKeys(device);
    const statement = {
      purpose: 'parley-device-v1' as const,
      account_id: this.accountId,
      device_id,
      identity_key,
      exchange_key,
      created_at: createdAt,
    };
    return { ...statement, signature: signStatement(nodeCrypto, statement, this.accountKey) };
  }

  #rotation(next: KeyPair) {
    const boxes = [...this.keepers.values()].map((keeper) => this.#box(next, keeper));
    return { account_key: toBase64Url(next.publicKey), boxes };
  }

  #box(pair: KeyPair, { deviceId, exchange }: TestDevice): KeyBox {
    const device = { device_id: deviceId, exchange_key: toBase64Url(exchange.publicKey) };
    return boxAccountKey(nodeCrypto, pair, { accountId: this.accountId, device })!;
  }

  #sign(step: Unplaced<Step>, key: KeyPair & { next?: KeyPair } = this.accountKey): DeviceStatement {
    const last = this.statements.at(-1)!;
    const place = { seq: last.seq + 1, prev: deviceStatementHash(last), created_at: CREATED_AT };
    const statement = { version: 1 as const, account_id: this.accountId, ...place, ...step };
    const signed = signDeviceStatement(nodeCrypto, statement, key) as DeviceStatement;
    this.statements = [...this.statements, signed];
    return signed;
  }
}

type Unplaced<S> = S extends unknown
  ? Omit<S, 'version' | 'account_id' | 'seq' | 'prev' | 'created_at' | 'signature' | 'next_signature'>
  : never;

function toKeys({
  deviceId,
  identity,
  exchange,
}: TestDevice): Pick<PublicDevice, 'device_id' | 'identity_key' | 'exchange_key'> {
  return {
    device_id: deviceId,
    identity_key: toBase64Url(identity.publicKey),
    exchange_key: toBase64Url(exchange.publicKey),
  };
}

function toListed(device: TestDevice, keeper: boolean): ListedDevice {
  return { ...toKeys(device), keeper };
}
