import type { Static } from 'typebox';
import { closed, Id, PublicKey, Signature } from '../formats.ts';
import * as Type from '../schema/type.ts';
import {
  type ChainKind,
  chainHash,
  checkLinks,
  headName,
  type LinkProblem,
  link,
  type Signer,
  signedBytes,
  type Verify,
} from './chain.ts';

// The device list (EE-18): which devices an account has, as a chain signed under the account key. Others pin the account
// key and the recovery key of its first statement, so that no server can add a device or bring one back.

/** Every message is sealed for every device, so this bounds the work that one account causes others. */
export const MAX_DEVICES = 20;
/** One more than a person can have chains; what is not named counts as unknown, so nothing is lost but signatures. */
const MAX_HEADS = 8_192;

const deviceKeys = { device_id: Id, identity_key: PublicKey, exchange_key: PublicKey };
const ListedDevice = Type.Object({ ...deviceKeys, keeper: Type.Boolean() }, closed);
const ListedDevices = Type.Array(ListedDevice, { minItems: 1, maxItems: MAX_DEVICES });
/** The private account key, sealed for one keeper (EE-17): HPKE to its exchange key. */
export const KeyBox = Type.Object(
  { device_id: Id, enc: PublicKey, ciphertext: Type.String({ pattern: '^[A-Za-z0-9_-]{64}$' }) },
  closed,
);
const Boxes = Type.Array(KeyBox, { maxItems: MAX_DEVICES });
const Salt = Type.String({ pattern: '^[A-Za-z0-9_-]{21}[AQgw]$', description: '16 bytes, base64url' });
const Heads = Type.Array(Type.String({ pattern: '^[0-9a-f]{32}$' }), {
  maxItems: MAX_HEADS,
  description: 'Names of the chain heads that the signer knew, and random ones, so that their number says little.',
});

const common = { version: Type.Literal(1), account_id: Id, ...link };
const Rotation = Type.Object({ account_key: PublicKey, boxes: Boxes }, closed);

/** What only the account key can say, and `recover`, which only the recovery key can. */
export const DeviceStatement = Type.Union([
  Type.Object(
    {
      ...common,
      action: Type.Literal('create'),
      account_key: PublicKey,
      recovery_key: PublicKey,
      devices: ListedDevices,
      signature: Signature,
      /** By the recovery key, over the same bytes: nobody else can begin a list that names it. */
      recovery_signature: Signature,
    },
    closed,
  ),
  Type.Object(
    { ...common, action: Type.Literal('add'), device: Type.Object(deviceKeys, closed), signature: Signature },
    closed,
  ),
  Type.Object({ ...common, action: Type.Literal('keep'), box: KeyBox, signature: Signature }, closed),
  Type.Object(
    {
      ...common,
      action: Type.Literal('revoke'),
      device_id: Id,
      salt: Salt,
      heads: Heads,
      /** Never missing where the device was a keeper: it knows the old key. */
      rotation: Type.Optional(Rotation),
      signature: Signature,
      next_signature: Type.Optional(Signature),
    },
    closed,
  ),
  Type.Object(
    {
      ...common,
      action: Type.Literal('rotate'),
      rotation: Rotation,
      signature: Signature,
      /** By the new account key, over the same bytes: nobody can rotate to a key that they do not hold. */
      next_signature: Signature,
    },
    closed,
  ),
  Type.Object(
    {
      ...common,
      action: Type.Literal('recover'),
      /** All devices from now on. Those that were listed and are missing here are revoked. */
      devices: ListedDevices,
      rotation: Rotation,
      salt: Salt,
      heads: Heads,
      signature: Signature,
      next_signature: Signature,
    },
    closed,
  ),
]);
export type DeviceStatement = Static<typeof DeviceStatement>;
export type KeyBox = Static<typeof KeyBox>;
export type ListedDevice = Static<typeof ListedDevice>;

const DOMAIN = 'parley-device-list-v1';

export function deviceStatementBytes(statement: Unsigned<DeviceStatement> | DeviceStatement): Uint8Array {
  if (statement.action === 'add' || statement.action === 'keep') return signedBytes(DOMAIN, statement);
  if (statement.action === 'create') {
    const { recovery_signature: _, ...unsigned } = statement as Statement<'create'>;
    return signedBytes(DOMAIN, unsigned);
  }
  const { next_signature: _, ...unsigned } = statement as Statement<'rotate'>;
  return signedBytes(DOMAIN, unsigned);
}

export function deviceStatementHash(statement: DeviceStatement): string {
  return chainHash(statement);
}

/** Distributes over the kinds of statements, as `Omit` does not. */
export type Unsigned<S> = S extends unknown ? Omit<S, 'signature' | 'recovery_signature' | 'next_signature'> : never;

/** The chains that a statement names. */
interface NamedHeads {
  readonly salt: string;
  readonly heads: ReadonlySet<string>;
}

/** What a revocation says about the signatures of its device. */
export interface Revocation extends NamedHeads {
  readonly device: ListedDevice;
  /** What recoveries have named since: they speak of all devices that are not in the list. */
  readonly since: readonly NamedHeads[];
}

export interface DeviceList {
  readonly ok: true;
  readonly length: number;
  readonly head: string;
  readonly root: string;
  readonly accountKey: string;
  readonly recoveryKey: string;
  readonly devices: ReadonlyMap<string, ListedDevice>;
  readonly revoked: ReadonlyMap<string, Revocation>;
  /** The private account key for each keeper, as it was last sealed. */
  readonly boxes: ReadonlyMap<string, KeyBox>;
  /** How many statements the recovery key has signed: of two lists, the one with more of them holds (EE-17). */
  readonly recoveries: number;
}

export type DeviceListProblem = LinkProblem | 'account' | 'action' | 'device' | 'keeper' | 'signature';

export interface BrokenDeviceList {
  readonly ok: false;
  readonly problem: DeviceListProblem;
  readonly seq: number;
}

/** What was read so far. It is changed in place: a list may have two thousand statements, and copies of each would be millions. */
interface State extends Pick<DeviceList, 'recoveryKey'> {
  accountKey: string;
  devices: Map<string, ListedDevice>;
  /** How many recoveries there were when each was revoked. */
  readonly revoked: Map<string, Omit<Revocation, 'since'> & { readonly recoveries: number }>;
  boxes: Map<string, KeyBox>;
  readonly recoveries: NamedHeads[];
  /** Ids and keys of all devices, revoked ones included. */
  readonly used: Record<'device_id' | 'identity_key' | 'exchange_key', Set<string>>;
}

/** The devices that a whole list names, or the first thing wrong with it. Nothing counts of a list that is broken. */
export function foldDeviceList(
  statements: readonly DeviceStatement[],
  { accountId, verify }: { readonly accountId: string; readonly verify: Verify },
): DeviceList | BrokenDeviceList {
  const links = checkLinks(statements);
  if (!links.ok) return links;
  let state: State | undefined;
  for (const statement of statements) {
    const { seq } = statement;
    if (statement.account_id !== accountId) return { ok: false, problem: 'account', seq };
    if ((statement.action === 'create') !== (state === undefined)) return { ok: false, problem: 'action', seq };
    if (!isSigned(statement, state, verify)) return { ok: false, problem: 'signature', seq };
    state ??= begin(statement as Statement<'create'>);
    const problem = apply(statement, state);
    if (problem !== undefined) return { ok: false, problem, seq };
  }
  if (state === undefined) return { ok: false, problem: 'action', seq: 1 };
  const { accountKey, recoveryKey, devices, boxes, recoveries } = state;
  return {
    ok: true,
    length: statements.length,
    head: links.heads.at(-1)!,
    root: links.heads[0]!,
    accountKey,
    recoveryKey,
    devices,
    revoked: toRevocations(state),
    boxes,
    recoveries: recoveries.length,
  };
}

/**
 * Who recovers may go on with a list that others have made. What devices which are gone signed counts only as far as the
 * recovery names it, too, or someone else's revocation could name more than the recovery's maker knows.
 */
function toRevocations({ revoked, recoveries }: State): ReadonlyMap<string, Revocation> {
  const all = new Map<string, Revocation>();
  for (const [id, { recoveries: before, ...one }] of revoked) all.set(id, { ...one, since: recoveries.slice(before) });
  return all;
}

function isSigned(statement: DeviceStatement, state: State | undefined, verify: Verify): boolean {
  const bytes = deviceStatementBytes(statement);
  if (statement.action === 'create') {
    const { account_key, recovery_key, signature, recovery_signature } = statement;
    return verify(account_key, bytes, signature) && verify(recovery_key, bytes, recovery_signature);
  }
  const key = statement.action === 'recover' ? state!.recoveryKey : state!.accountKey;
  return verify(key, bytes, statement.signature) && isHeld(statement, bytes, verify);
}

/** Whoever rotates holds the new key: otherwise a list could end in the key of another, and pass for theirs. */
function isHeld(statement: DeviceStatement, bytes: Uint8Array, verify: Verify): boolean {
  if (!('salt' in statement || statement.action === 'rotate')) return true;
  const { rotation, next_signature } = statement;
  if (rotation === undefined || next_signature === undefined) return rotation === next_signature;
  return verify(rotation.account_key, bytes, next_signature);
}

function apply(statement: DeviceStatement, state: State): DeviceListProblem | undefined {
  switch (statement.action) {
    case 'create':
      return create(state, statement);
    case 'add':
      return add(state, statement.device);
    case 'keep':
      return keep(state, statement.box);
    case 'revoke':
      return revoke(state, statement);
    case 'rotate':
      return rotate(state, statement.rotation);
    case 'recover':
      return recover(state, statement);
  }
}

type Statement<Action> = Extract<DeviceStatement, { action: Action }>;

function begin({ account_key, recovery_key }: Statement<'create'>): State {
  return {
    accountKey: account_key,
    recoveryKey: recovery_key,
    devices: new Map(),
    revoked: new Map(),
    boxes: new Map(),
    recoveries: [],
    used: { device_id: new Set(), identity_key: new Set(), exchange_key: new Set() },
  };
}

function create(state: State, { devices }: Statement<'create'>): DeviceListProblem | undefined {
  // One key in two places would let one place speak for the other.
  if (state.accountKey === state.recoveryKey || !devices.some(({ keeper }) => keeper)) return 'keeper';
  return insert(state, devices);
}

/** Ids and keys are used once: a device that was revoked does not come back, under its own id or another one. */
function insert({ devices, used }: State, added: readonly ListedDevice[]): DeviceListProblem | undefined {
  for (const device of added) {
    for (const name of ['device_id', 'identity_key', 'exchange_key'] as const) {
      if (used[name].has(device[name])) return 'device';
    }
    for (const name of ['device_id', 'identity_key', 'exchange_key'] as const) used[name].add(device[name]);
    devices.set(device.device_id, device);
  }
  return devices.size > MAX_DEVICES ? 'device' : undefined;
}

function add(state: State, { device_id, identity_key, exchange_key }: Statement<'add'>['device']) {
  return insert(state, [{ device_id, identity_key, exchange_key, keeper: false }]);
}

function keep({ devices, boxes }: State, box: KeyBox): DeviceListProblem | undefined {
  const device = devices.get(box.device_id);
  if (device === undefined) return 'device';
  if (device.keeper) return 'keeper';
  devices.set(device.device_id, { ...device, keeper: true });
  boxes.set(device.device_id, box);
  return undefined;
}

function revoke(state: State, statement: Statement<'revoke'>): DeviceListProblem | undefined {
  const { device_id, rotation } = statement;
  const device = state.devices.get(device_id);
  if (device === undefined) return 'device';
  // A keeper knows the key: it ends with the keeper. Others may have been made keepers where the signer was not shown it.
  if (device.keeper && rotation === undefined) return 'keeper';
  withdraw(state, [device], toNamed(statement));
  return rotation === undefined ? undefined : rotate(state, rotation);
}

const toNamed = ({ salt, heads }: { salt: string; heads: readonly string[] }): NamedHeads => ({
  salt,
  heads: new Set(heads),
});

function withdraw(
  { devices, revoked, boxes, recoveries }: State,
  gone: readonly ListedDevice[],
  { salt, heads }: NamedHeads,
): void {
  for (const device of gone) {
    devices.delete(device.device_id);
    boxes.delete(device.device_id);
    revoked.set(device.device_id, { device, salt, heads, recoveries: recoveries.length });
  }
}

/** The new key is sealed for keepers and nobody else; whoever makes it may leave out a box for itself. */
function rotate(state: State, { account_key, boxes }: Static<typeof Rotation>): DeviceListProblem | undefined {
  if (account_key === state.accountKey || account_key === state.recoveryKey) return 'keeper';
  if (boxes.some(({ device_id }) => state.devices.get(device_id)?.keeper !== true)) return 'keeper';
  if (new Set(boxes.map(({ device_id }) => device_id)).size !== boxes.length) return 'keeper';
  state.accountKey = account_key;
  state.boxes = new Map(boxes.map((box) => [box.device_id, box]));
  return undefined;
}

function recover(state: State, statement: Statement<'recover'>): DeviceListProblem | undefined {
  if (!statement.devices.some(({ keeper }) => keeper)) return 'keeper';
  const staying = new Map(statement.devices.map((device) => [device.device_id, device]));
  if (staying.size !== statement.devices.length) return 'device';
  const named = toNamed(statement);
  state.recoveries.push(named);
  const gone = [...state.devices.values()].filter(({ device_id }) => !staying.has(device_id));
  withdraw(state, gone, named);
  const known = statement.devices.filter(({ device_id }) => state.devices.has(device_id));
  // One that stays has the keys it had.
  if (!known.every((device) => isUnchanged(state.devices.get(device.device_id)!, device))) return 'device';
  const added = statement.devices.filter(({ device_id }) => !state.devices.has(device_id));
  const problem = insert(state, added);
  if (problem !== undefined) return problem;
  state.devices = staying;
  return rotate(state, statement.rotation);
}

function isUnchanged(a: ListedDevice, b: ListedDevice): boolean {
  return a.identity_key === b.identity_key && a.exchange_key === b.exchange_key;
}

/** Whoever signs for the account in a chain: a listed device, or a revoked one up to where its revocation says. */
export function listedSigner(
  list: Pick<DeviceList, 'devices' | 'revoked'>,
  deviceId: string,
  chain: { readonly kind: ChainKind; readonly id: string },
): Signer | undefined {
  const listed = list.devices.get(deviceId);
  if (listed !== undefined) return { key: listed.identity_key };
  const revocation = list.revoked.get(deviceId);
  if (revocation === undefined) return undefined;
  const isNamed =
    ({ salt, heads }: NamedHeads) =>
    (length: number, head: string) =>
      heads.has(headName(salt, { ...chain, length, head }));
  const { device, since } = revocation;
  return { key: device.identity_key, named: isNamed(revocation), namedSince: since.map(isNamed) };
}

/** How a list that the server offers relates to the one that was seen (EE-17, EE-18). */
export type ListComparison =
  /** It begins otherwise: someone else's list, whoever signed it. */
  | 'foreign'
  /** It is the one that was seen, or a continuation of it. */
  | 'continues'
  /** The server shows less than was seen. */
  | 'shortened'
  /** The recovery key has signed it since. It holds, wherever it parts from the one that was seen, and ends a fork. */
  | 'settled'
  /** They part, and the recovery key has signed the one that was seen. */
  | 'superseded'
  /** Two successors of one number: everything stops until the recovery key says which one holds. */
  | 'forked';

export interface ListMark {
  readonly length: number;
  readonly head: string;
  /** The hash of the first statement, which names both keys. Without it, anyone could make a list that outranks. */
  readonly root: string;
  readonly recoveries: number;
}

/** Both were verified. Of the one that was seen, its end is enough; with its statements, more can be told apart. */
export function compareLists(
  seen: ListMark & { readonly statements?: readonly DeviceStatement[] | undefined },
  offered: ListMark & { readonly statements: readonly DeviceStatement[] },
): ListComparison {
  if (offered.root !== seen.root) return 'foreign';
  if (offered.recoveries > seen.recoveries) return 'settled';
  const there = offered.statements[seen.length - 1];
  if (there !== undefined && deviceStatementHash(there) === seen.head) return 'continues';
  const here = seen.statements?.[offered.length - 1];
  const isBeginning = here === undefined || deviceStatementHash(here) === offered.head;
  if (offered.length < seen.length && isBeginning) return 'shortened';
  return offered.recoveries < seen.recoveries ? 'superseded' : 'forked';
}
