import {
  type DeviceListProblem,
  type DeviceStatement,
  deviceStatementBytes,
  deviceStatementHash,
  type KeyBox,
  type ListComparison,
  type ListedDevice,
  type Unsigned,
} from '@parley/protocol';
import { toBase64Url } from '../../src/bytes.ts';
import { type Crypto, generateEd25519, generateX25519, type KeyPair } from '../../src/provider/crypto.ts';
import { makeRecoverySecret, recoveryKeyOf } from '../../src/recovery.ts';
import { boxAccountKey, nameHeads, signDeviceList, signDeviceStatement } from '../../src/statements/device-list.ts';
import { seeded, uuid } from '../harness.ts';
import { pairToJson, Statements, timeOf } from './statements.ts';

type Later = Exclude<DeviceStatement, { action: 'create' }>;
type Change<S> = S extends unknown
  ? Omit<S, 'version' | 'account_id' | 'seq' | 'prev' | 'created_at' | 'signature' | 'next_signature'>
  : never;

const ACCOUNT = uuid(0xacc1);
const NAMES = ['A', 'B', 'T', 'N', 'R', 'G'] as const;
type Name = (typeof NAMES)[number];
const CHAINS = [
  { kind: 'ledger', id: uuid(0x1ed6e1), length: 3, head: 'a1'.repeat(32) },
  { kind: 'ledger', id: uuid(0x1ed6e2), length: 1, head: 'b2'.repeat(32) },
  { kind: 'group', id: uuid(0x960a), length: 7, head: 'c3'.repeat(32) },
] as const;

/** Everyone's keys, and a way for anyone to put a statement after another. */
class Maker {
  readonly crypto: Crypto;
  readonly statements = new Statements<DeviceStatement>({ bytesOf: deviceStatementBytes, hashOf: deviceStatementHash });
  readonly accountKeys: readonly KeyPair[];
  readonly recoverySecret: string;
  readonly recoveryKey: KeyPair;
  readonly devices: Readonly<Record<Name, { identity: KeyPair; exchange: KeyPair; device_id: string }>>;

  constructor(base: Crypto) {
    const crypto = seeded(base, 'device-list');
    this.crypto = crypto;
    this.accountKeys = Array.from({ length: 6 }, () => generateEd25519(crypto));
    this.recoverySecret = makeRecoverySecret(crypto);
    this.recoveryKey = recoveryKeyOf(crypto, this.recoverySecret)!;
    const device = (name: Name, index: number) => {
      const keys = { identity: generateEd25519(crypto), exchange: generateX25519(crypto) };
      return [name, { ...keys, device_id: uuid(0xde00 + index) }] as const;
    };
    this.devices = Object.fromEntries(NAMES.map(device)) as Maker['devices'];
  }

  keysOf(name: Name) {
    const { device_id, identity, exchange } = this.devices[name];
    const [identity_key, exchange_key] = [toBase64Url(identity.publicKey), toBase64Url(exchange.publicKey)];
    return { device_id, identity_key, exchange_key };
  }

  listed(name: Name, keeper = false): ListedDevice {
    return { ...this.keysOf(name), keeper };
  }

  box(name: Name, key: number): KeyBox {
    return boxAccountKey(this.crypto, this.accountKeys[key - 1]!, { accountId: ACCOUNT, device: this.keysOf(name) })!;
  }

  rotation(key: number, keepers: readonly Name[] = []) {
    const account_key = toBase64Url(this.accountKeys[key - 1]!.publicKey);
    return { account_key, boxes: keepers.map((name) => this.box(name, key)) };
  }

  create(
    name: string,
    { accountKey, recoveryKey, devices }: { accountKey: KeyPair; recoveryKey: KeyPair; devices: ListedDevice[] },
  ): void {
    const place = { version: 1 as const, account_id: ACCOUNT, seq: 1, prev: null, created_at: timeOf(1) };
    const statement = { ...place, action: 'create' as const, devices };
    this.statements.put(name, undefined, signDeviceList(this.crypto, statement, { accountKey, recoveryKey }));
  }

  /** By the account key of that number, or by another key. */
  say(name: string, after: string, { by, ...change }: Change<Later> & { by: number | KeyPair }): void {
    const place = this.statements.placeAfter(after);
    const common = { version: 1, account_id: ACCOUNT, ...place, created_at: timeOf(place.seq) };
    const statement = { ...common, ...change } as Unsigned<Later>;
    const key = typeof by === 'number' ? this.accountKeys[by - 1]! : by;
    const { account_key } = (change as { rotation?: { account_key: string } }).rotation ?? {};
    const held = [...this.accountKeys, this.recoveryKey].find(
      ({ publicKey }) => toBase64Url(publicKey) === account_key,
    );
    // Who does not hold the key signs with another.
    const next = account_key === undefined ? undefined : (held ?? key);
    this.statements.put(name, after, signDeviceStatement(this.crypto, statement, { ...key, next }) as DeviceStatement);
  }
}

function makeHonest(maker: Maker): void {
  const { accountKeys, recoveryKey } = maker;
  maker.create('create', { accountKey: accountKeys[0]!, recoveryKey, devices: [maker.listed('A', true)] });
  maker.say('add B', 'create', { action: 'add', device: maker.keysOf('B'), by: 1 });
  maker.say('keep B', 'add B', { action: 'keep', box: maker.box('B', 1), by: 1 });
  maker.say('add T', 'keep B', { action: 'add', device: maker.keysOf('T'), by: 1 });
  maker.say('keep T', 'add T', { action: 'keep', box: maker.box('T', 1), by: 1 });
  const named = nameHeads(maker.crypto, CHAINS);
  const withoutT = { action: 'revoke', device_id: maker.devices.T.device_id, ...named } as const;
  maker.say('revoke T', 'keep T', { ...withoutT, rotation: maker.rotation(2, ['A', 'B']), by: 1 });
  maker.say('rotate', 'revoke T', { action: 'rotate', rotation: maker.rotation(3, ['A', 'B']), by: 2 });
  maker.say('add N', 'rotate', { action: 'add', device: maker.keysOf('N'), by: 3 });
  const nothing = nameHeads(maker.crypto, []);
  maker.say('revoke N', 'add N', { action: 'revoke', device_id: maker.devices.N.device_id, ...nothing, by: 3 });
  maker.say('recover', 'revoke N', {
    action: 'recover',
    devices: [maker.listed('R', true), maker.listed('A')],
    rotation: maker.rotation(4, ['R']),
    ...nameHeads(maker.crypto, CHAINS.slice(0, 2)),
    by: recoveryKey,
  });
}

type Broken = readonly [after: string, change: Change<Later> & { by: number | KeyPair }, problem: DeviceListProblem];

/** One statement too many each, and why the list ends there. */
function brokenOnes(maker: Maker): Readonly<Record<string, Broken>> {
  const { devices, recoveryKey } = maker;
  const ghost = { action: 'add', device: maker.keysOf('G') } as const;
  const nothing = nameHeads(maker.crypto, []);
  const revoke = (name: Name) => ({ action: 'revoke', device_id: devices[name].device_id, ...nothing }) as const;
  const rotate = (key: number, keepers?: readonly Name[]) =>
    ({ action: 'rotate', rotation: maker.rotation(key, keepers) }) as const;
  const recover = (list: ListedDevice[], key = 5) =>
    ({ action: 'recover', devices: list, rotation: maker.rotation(key), ...nothing }) as const;
  return {
    'a ghost by a device': ['add B', { ...ghost, by: devices.B.identity }, 'signature'],
    'a ghost by the key that the revoked keeper knew': ['revoke T', { ...ghost, by: 1 }, 'signature'],
    'a ghost by a key that was rotated': ['rotate', { ...ghost, by: 2 }, 'signature'],
    'a ghost by the recovery key': ['add B', { ...ghost, by: recoveryKey }, 'signature'],
    'a recovery by the account key': ['add B', { ...recover([maker.listed('G', true)]), by: 1 }, 'signature'],
    'a device twice': ['add B', { action: 'add', device: maker.keysOf('B'), by: 1 }, 'device'],
    'a revoked device again': ['revoke T', { action: 'add', device: maker.keysOf('T'), by: 2 }, 'device'],
    'a revoked device under another id': [
      'revoke T',
      { action: 'add', device: { ...maker.keysOf('T'), device_id: uuid(0xdeff) }, by: 2 },
      'device',
    ],
    'a revoked device with one of its keys': [
      'revoke T',
      { action: 'add', device: { ...maker.keysOf('G'), exchange_key: maker.keysOf('T').exchange_key }, by: 2 },
      'device',
    ],
    'a keeper that is not listed': ['create', { action: 'keep', box: maker.box('B', 1), by: 1 }, 'device'],
    'a keeper twice': ['keep B', { action: 'keep', box: maker.box('B', 1), by: 1 }, 'keeper'],
    'a revocation of nobody': ['create', { ...revoke('T'), by: 1 }, 'device'],
    'a rotation to a key that nobody proves to hold': [
      'keep B',
      { action: 'rotate', rotation: { account_key: maker.keysOf('G').identity_key, boxes: [] }, by: 1 },
      'signature',
    ],
    'a keeper revoked without a new key': ['keep B', { ...revoke('B'), by: 1 }, 'keeper'],
    'the new key for the keeper that is revoked': [
      'keep B',
      { ...revoke('B'), rotation: maker.rotation(2, ['B']), by: 1 },
      'keeper',
    ],
    'a rotation to the same key': ['create', { ...rotate(1), by: 1 }, 'keeper'],
    'a rotation to the recovery key': [
      'create',
      { action: 'rotate', rotation: { account_key: toBase64Url(recoveryKey.publicKey), boxes: [] }, by: 1 },
      'keeper',
    ],
    'a new key for one that is no keeper': ['add B', { ...rotate(2, ['B']), by: 1 }, 'keeper'],
    'a new key twice for one keeper': ['keep B', { ...rotate(2, ['A', 'A']), by: 1 }, 'keeper'],
    'a recovery without a keeper': ['add B', { ...recover([maker.listed('A')]), by: recoveryKey }, 'keeper'],
    'a recovery to the same key': ['add B', { ...recover([maker.listed('A', true)], 1), by: recoveryKey }, 'keeper'],
    'a recovery that brings a device back': [
      'revoke T',
      { ...recover([maker.listed('T', true)]), by: recoveryKey },
      'device',
    ],
    'a recovery that names a device twice': [
      'add B',
      { ...recover([maker.listed('A', true), maker.listed('A')]), by: recoveryKey },
      'device',
    ],
    'a recovery that changes keys': [
      'add B',
      { ...recover([{ ...maker.listed('G', true), device_id: devices.A.device_id }]), by: recoveryKey },
      'device',
    ],
  };
}

function makeBeginnings(maker: Maker): Readonly<Record<string, DeviceListProblem>> {
  const { accountKeys, recoveryKey } = maker;
  const [one, two] = [accountKeys[0]!, accountKeys[1]!];
  const first = [maker.listed('A', true)];
  const swapped = (publicHalf: KeyPair, privateHalf: KeyPair) => ({ ...privateHalf, publicKey: publicHalf.publicKey });
  maker.create('created by another account key', { accountKey: swapped(one, two), recoveryKey, devices: first });
  maker.create('created by another recovery key', {
    accountKey: one,
    recoveryKey: swapped(recoveryKey, two),
    devices: first,
  });
  maker.create('created with one key for both', { accountKey: one, recoveryKey: one, devices: first });
  maker.create('created without a keeper', { accountKey: one, recoveryKey, devices: [maker.listed('A')] });
  const twice = [maker.listed('A', true), { ...maker.listed('B'), identity_key: maker.keysOf('A').identity_key }];
  maker.create('created with one key for two devices', { accountKey: one, recoveryKey, devices: twice });
  return {
    'created by another account key': 'signature',
    'created by another recovery key': 'signature',
    'created with one key for both': 'keeper',
    'created without a keeper': 'keeper',
    'created with one key for two devices': 'device',
  };
}

/** What a keeper's thief, the person and the server can put beside the honest list. */
function makeBranches(maker: Maker): void {
  const { recoveryKey, accountKeys } = maker;
  maker.say('ghost', 'keep T', { action: 'add', device: maker.keysOf('G'), by: 1 });
  const gone = { action: 'revoke', device_id: maker.devices.N.device_id, ...nameHeads(maker.crypto, []) } as const;
  maker.say('revoke N with a new key', 'add N', { ...gone, rotation: maker.rotation(5, ['A', 'B']), by: 3 });
  maker.say('ghost goes on', 'ghost', { action: 'keep', box: maker.box('G', 1), by: 1 });
  const devices = [maker.listed('A', true), maker.listed('B')];
  const settle = { action: 'recover' as const, devices, by: recoveryKey };
  const named = nameHeads(maker.crypto, []);
  maker.say('settled', 'revoke T', { ...settle, rotation: maker.rotation(5), ...named });
  maker.say('settled beside', 'ghost', { ...settle, rotation: maker.rotation(6), ...named });
  maker.say('settled again', 'settled beside', { ...settle, rotation: maker.rotation(4), ...named });
  const server = { accountKey: accountKeys[4]!, recoveryKey: accountKeys[5]!, devices: [maker.listed('G', true)] };
  maker.create('foreign', server);
  for (const [name, after, key] of [
    ['foreign recovery', 'foreign', 1],
    ['foreign again', 'foreign recovery', 2],
  ] as const) {
    const recovery = { action: 'recover', devices: server.devices, rotation: maker.rotation(key), ...named } as const;
    maker.say(name, after, { ...recovery, by: server.recoveryKey });
  }
}

/** Of whom the server shows `offered` to one who has seen `seen`. `mark`: who knows only where it ended. */
const COMPARISONS: readonly [seen: string, offered: string, expect: ListComparison, mark?: ListComparison][] = [
  ['keep T', 'keep T', 'continues'],
  ['add B', 'revoke T', 'continues'],
  ['revoke T', 'add B', 'shortened'],
  ['recover', 'add N', 'shortened'],
  ['revoke T', 'ghost', 'forked'],
  ['rotate', 'ghost', 'forked', 'shortened'],
  ['ghost goes on', 'revoke T', 'forked', 'shortened'],
  ['settled', 'settled beside', 'forked'],
  ['revoke T', 'settled', 'settled'],
  ['revoke T', 'settled beside', 'settled'],
  ['ghost goes on', 'settled', 'settled'],
  ['settled', 'settled again', 'settled'],
  ['settled beside', 'rotate', 'superseded'],
  ['settled', 'add N', 'superseded'],
  ['revoke T', 'foreign', 'foreign'],
  ['create', 'foreign again', 'foreign'],
  ['recover', 'foreign again', 'foreign'],
];

export function makeDeviceList(base: Crypto): object {
  const maker = new Maker(base);
  const { statements, devices, accountKeys, recoveryKey } = maker;
  makeHonest(maker);
  const beginnings = makeBeginnings(maker);
  const broken = brokenOnes(maker);
  for (const [name, [after, change]] of Object.entries(broken)) maker.say(name, after, change);
  makeBranches(maker);
  const key = (n: number) => toBase64Url(accountKeys[n - 1]!.publicKey);
  const idsOf = (names: readonly Name[]) => names.map((name) => devices[name].device_id);
  const list = (
    name: string,
    seen: { key: number; recoveries?: number; devices: ListedDevice[]; revoked?: Name[]; boxes?: Name[] },
  ) => ({
    name: `the list up to ${name}`,
    list: statements.upTo(name),
    expect: {
      ok: true,
      length: statements.get(name).seq,
      root: statements.hash('create'),
      head: statements.hash(name),
      account_key: key(seen.key),
      recovery_key: toBase64Url(recoveryKey.publicKey),
      recoveries: seen.recoveries ?? 0,
      devices: seen.devices,
      revoked: idsOf(seen.revoked ?? []),
      boxes: idsOf(seen.boxes ?? []),
    },
  });
  const refuse = (name: string, names: readonly string[], problem: DeviceListProblem, seq = names.length) => ({
    name,
    list: names,
    expect: { ok: false, problem, seq },
  });
  const [A, B] = [maker.listed('A', true), maker.listed('B', true)];
  const cases = [
    list('create', { key: 1, devices: [A] }),
    list('add T', { key: 1, devices: [A, B, maker.listed('T')], boxes: ['B'] }),
    list('keep T', { key: 1, devices: [A, B, maker.listed('T', true)], boxes: ['B', 'T'] }),
    list('revoke T', { key: 2, devices: [A, B], revoked: ['T'], boxes: ['A', 'B'] }),
    list('add N', { key: 3, devices: [A, B, maker.listed('N')], revoked: ['T'], boxes: ['A', 'B'] }),
    list('revoke N with a new key', { key: 5, devices: [A, B], revoked: ['T', 'N'], boxes: ['A', 'B'] }),
    list('recover', {
      key: 4,
      recoveries: 1,
      devices: [maker.listed('R', true), maker.listed('A')],
      revoked: ['T', 'N', 'B'],
      boxes: ['R'],
    }),
    ...Object.entries(beginnings).map(([name, problem]) => refuse(name, [name], problem)),
    ...Object.entries(broken).map(([name, [, , problem]]) => refuse(name, statements.upTo(name), problem)),
    refuse('nothing', [], 'action', 1),
    refuse('without its beginning', ['add B'], 'seq', 1),
    refuse('one left out', ['create', 'keep B'], 'seq', 2),
    refuse('one twice', ['create', 'add B', 'add B'], 'seq', 3),
    refuse(
      'one after another that it does not name',
      ['create', 'add B', 'keep B', 'add T', 'keep T', 'ghost', 'rotate'],
      'prev',
      7,
    ),
    { ...refuse('the list of another account', statements.upTo('add B'), 'account', 1), account_id: uuid(0xacc2) },
  ];
  return {
    account_id: ACCOUNT,
    account_keys: accountKeys.map(pairToJson),
    recovery_secret: maker.recoverySecret,
    recovery_key: pairToJson(recoveryKey),
    devices: Object.fromEntries(
      NAMES.map((name) => {
        const { device_id, identity, exchange } = devices[name];
        return [name, { device_id, identity: pairToJson(identity), exchange: pairToJson(exchange) }];
      }),
    ),
    chains: CHAINS,
    statements: statements.toJson(),
    boxes: [
      { statement: 'keep B', device: 'B', account_key: 1 },
      { statement: 'keep T', device: 'T', account_key: 1 },
      { statement: 'revoke T', device: 'A', account_key: 2 },
      { statement: 'revoke T', device: 'B', account_key: 2 },
      { statement: 'rotate', device: 'A', account_key: 3 },
      { statement: 'rotate', device: 'B', account_key: 3 },
      { statement: 'recover', device: 'R', account_key: 4 },
    ],
    heads: [
      { statement: 'revoke T', names: CHAINS.map(({ id }) => id) },
      { statement: 'recover', names: CHAINS.slice(0, 2).map(({ id }) => id) },
      { statement: 'revoke N', names: [] },
    ],
    /** In which of `chains`, as far as they go, what a revoked device signed counts. */
    signatures: [
      { list: statements.upTo('revoke T'), device: 'T', chains: CHAINS.map(({ id }) => id) },
      { list: statements.upTo('revoke N'), device: 'N', chains: [] },
      { list: statements.upTo('recover'), device: 'T', chains: CHAINS.slice(0, 2).map(({ id }) => id) },
      { list: statements.upTo('recover'), device: 'B', chains: CHAINS.slice(0, 2).map(({ id }) => id) },
      { list: statements.upTo('recover'), device: 'N', chains: [] },
    ],
    cases,
    comparisons: COMPARISONS.map(([seen, offered, expect, mark = expect]) => ({
      seen: statements.upTo(seen),
      offered: statements.upTo(offered),
      expect,
      where_only_the_end_was_seen: mark,
    })),
  };
}
