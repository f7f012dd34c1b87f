import { createHash } from 'node:crypto';
import { headName, type Verify } from '../src/chains/chain.ts';
import {
  type DeviceStatement,
  deviceStatementBytes,
  deviceStatementHash,
  foldDeviceList,
  type ListedDevice,
  type Unsigned,
} from '../src/chains/device-list.ts';

// Chains with signatures that are tokens: a key's name, and the hash of what it signed. So a test says who signed what,
// and what is found is about the rules of a chain and not about a curve. The vectors have real ones.

export const ACCOUNT = '01900000-0000-7000-8000-00000000acc1';

export const uuid = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

export function signAs(key: string, bytes: Uint8Array): string {
  return `${key} ${createHash('sha256').update(bytes).digest('hex')}`;
}

export const verify: Verify = (key, bytes, signature) => signature === signAs(key, bytes);

export function deviceNamed(name: string, keeper = false): ListedDevice {
  const device_id = uuid(Buffer.from(name).readUIntBE(0, 1));
  return { device_id, identity_key: `${name} identity`, exchange_key: `${name} exchange`, keeper };
}

type Create = Extract<DeviceStatement, { action: 'create' }>;
type Later = Exclude<DeviceStatement, Create>;
type Change<S> = S extends unknown
  ? Omit<S, 'version' | 'account_id' | 'seq' | 'prev' | 'created_at' | 'signature' | 'next_signature'>
  : never;

const common = { version: 1 as const, account_id: ACCOUNT, created_at: '2026-01-02T03:04:05Z' };

export const ACCOUNT_KEY = 'account key 1';
export const RECOVERY_KEY = 'recovery key';

/** The first statement, by the keys it names or by others. */
export function createList(
  changes: Partial<Unsigned<Create>> = {},
  { signature, recovery_signature }: { signature?: string; recovery_signature?: string } = {},
): DeviceStatement[] {
  const statement = {
    ...common,
    action: 'create' as const,
    seq: 1,
    prev: null,
    account_key: ACCOUNT_KEY,
    recovery_key: RECOVERY_KEY,
    devices: [deviceNamed('A', true)],
    ...changes,
  };
  const bytes = deviceStatementBytes(statement);
  return [
    {
      ...statement,
      signature: signAs(signature ?? statement.account_key, bytes),
      recovery_signature: signAs(recovery_signature ?? statement.recovery_key, bytes),
    },
  ];
}

/** The list with one more statement, by the account key of that moment, or by the key that is named. */
export function extend(list: readonly DeviceStatement[], change: Change<Later>, key?: string): DeviceStatement[] {
  const last = list.at(-1);
  const prev = last === undefined ? null : deviceStatementHash(last);
  const statement = { ...common, ...change, seq: list.length + 1, prev } as Unsigned<Later>;
  const bytes = deviceStatementBytes(statement);
  const signature = signAs(key ?? currentKey(list, change.action), bytes);
  const next = (statement as { rotation?: { account_key: string } }).rotation;
  const proof = next === undefined ? {} : { next_signature: signAs(next.account_key, bytes) };
  return [...list, { ...statement, signature, ...proof } as Later];
}

function currentKey(list: readonly DeviceStatement[], action: Later['action']): string {
  if (action === 'recover') return RECOVERY_KEY;
  const folded = foldList(list);
  return folded.ok ? folded.accountKey : ACCOUNT_KEY;
}

export const foldList = (list: readonly DeviceStatement[]) => foldDeviceList(list, { accountId: ACCOUNT, verify });

export const add = (name: string): Change<Later> => {
  const { keeper: _, ...device } = deviceNamed(name);
  return { action: 'add', device };
};

export const boxFor = (name: string) => ({
  device_id: deviceNamed(name).device_id,
  enc: `to ${name}`,
  ciphertext: 'sealed',
});

export const keep = (name: string): Change<Later> => ({ action: 'keep', box: boxFor(name) });

const SALT = 'salt';

type Chain = Parameters<typeof headName>[1];

const nameAll = (chains: readonly Chain[], salt = SALT) => ({
  salt,
  heads: chains.map((chain) => headName(salt, chain)),
});

export const rotation = (account_key: string, keepers: readonly string[] = []) => ({
  account_key,
  boxes: keepers.map(boxFor),
});

export function revoke(
  name: string,
  { chains = [], rotate }: { chains?: readonly Chain[]; rotate?: ReturnType<typeof rotation> } = {},
): Change<Later> {
  const { device_id } = deviceNamed(name);
  return { action: 'revoke', device_id, ...nameAll(chains), ...(rotate === undefined ? {} : { rotation: rotate }) };
}

export function recover(
  devices: readonly ListedDevice[],
  { key = 'account key after recovery', chains = [] }: { key?: string; chains?: readonly Chain[] } = {},
): Change<Later> {
  return { action: 'recover', devices: [...devices], rotation: rotation(key), ...nameAll(chains, 'recovery salt') };
}
