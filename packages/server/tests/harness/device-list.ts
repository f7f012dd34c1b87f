import { randomBytes, sign } from 'node:crypto';
import {
  type DeviceStatement,
  deviceStatementBytes,
  deviceStatementHash,
  headName,
  type KeyBox,
  type ListedDevice,
  type Unsigned,
} from '@parley/protocol';
import { type DeviceKeys, type KeyPair, makeKeys } from './keys.ts';

type Create = Extract<DeviceStatement, { action: 'create' }>;
type Later = Exclude<DeviceStatement, Create>;
/** What a test says of a statement; its place in the list is filled in. */
type Content<S> = S extends unknown
  ? Omit<S, 'version' | 'account_id' | 'seq' | 'prev' | 'created_at' | 'signature' | 'next_signature'>
  : never;
type Common = Partial<Pick<DeviceStatement, 'account_id' | 'seq' | 'prev' | 'created_at'>>;

const CREATED_AT = '2026-01-02T03:04:05.000Z';

export interface TestDevice {
  readonly id: string;
  readonly keys: DeviceKeys;
}

/** The list of one account as its keepers know it, with all its keys (EE-18). */
export interface TestList {
  readonly accountId: string;
  /** It changes when a statement rotates it. */
  accountKey: KeyPair;
  readonly recoveryKey: KeyPair;
  readonly devices: readonly ListedDevice[];
  readonly statements: DeviceStatement[];
}

export const toListed = ({ id, keys }: TestDevice, keeper = false): ListedDevice => ({
  device_id: id,
  identity_key: keys.identity.publicKey,
  exchange_key: keys.exchange.publicKey,
  keeper,
});

const signBytes = (bytes: Uint8Array, { privateKey }: KeyPair) => sign(null, bytes, privateKey).toString('base64url');

/** A list that begins with this device as its keeper, honest except for `changes`. */
export function makeList(
  accountId: string,
  first: TestDevice,
  { accountKey = makeKeys('ed25519'), recoveryKey = makeKeys('ed25519'), ...changes }: ListOptions = {},
): TestList {
  const devices = [toListed(first, true)];
  const unsigned = {
    version: 1 as const,
    account_id: accountId,
    seq: 1,
    prev: null,
    created_at: CREATED_AT,
    action: 'create' as const,
    account_key: accountKey.publicKey,
    recovery_key: recoveryKey.publicKey,
    devices,
    ...changes,
  };
  const bytes = deviceStatementBytes(unsigned);
  const signatures = { signature: signBytes(bytes, accountKey), recovery_signature: signBytes(bytes, recoveryKey) };
  return { accountId, accountKey, recoveryKey, devices, statements: [{ ...unsigned, ...signatures }] };
}

type ListOptions = { accountKey?: KeyPair; recoveryKey?: KeyPair } & Partial<Unsigned<Create>>;

/** The next statement, by the key that may make it or by `key`; it is not part of the list yet. */
export function nextStatement(
  list: TestList,
  content: Content<Later> & Common,
  key: KeyPair = content.action === 'recover' ? list.recoveryKey : list.accountKey,
): DeviceStatement {
  const last = list.statements.at(-1);
  const unsigned = {
    version: 1 as const,
    account_id: list.accountId,
    seq: list.statements.length + 1,
    prev: last ? deviceStatementHash(last) : null,
    created_at: CREATED_AT,
    ...content,
  } as Unsigned<Later>;
  const bytes = deviceStatementBytes(unsigned);
  const next = rotatedTo.get((content as { rotation?: { account_key: string } }).rotation?.account_key ?? '');
  const proof = next === undefined ? {} : { next_signature: signBytes(bytes, next) };
  return { ...unsigned, signature: signBytes(bytes, key), ...proof } as DeviceStatement;
}

export const addition = ({ id, keys }: TestDevice) => ({
  action: 'add' as const,
  device: { device_id: id, identity_key: keys.identity.publicKey, exchange_key: keys.exchange.publicKey },
});

export const keyBox = (device_id: string): KeyBox => ({
  device_id,
  enc: makeKeys('x25519').publicKey,
  ciphertext: randomBytes(48).toString('base64url'),
});

type Chain = Parameters<typeof headName>[1];

/** Names these chain heads, and no others. */
export function nameHeads(chains: readonly Chain[] = []) {
  const salt = randomBytes(16).toString('base64url');
  return { salt, heads: chains.map((chain) => headName(salt, chain)) };
}

export const revocation = (device_id: string, chains: readonly Chain[] = []) => ({
  action: 'revoke' as const,
  device_id,
  ...nameHeads(chains),
});

/** The keys of `rotation`, by their public half: whoever rotates to one signs with it, too. */
const rotatedTo = new Map<string, KeyPair>();

export function rotation(next: KeyPair, boxes: readonly KeyBox[] = []) {
  rotatedTo.set(next.publicKey, next);
  return { account_key: next.publicKey, boxes: [...boxes] };
}
