import { type KeyPair, readState, toBase64Url, writeState } from '@parley/e2ee';
import { type BackupOptions, createMemoryStore, importBackup, type Store } from '@parley/messenger';
import { clientError } from '../errors.ts';

/**
 * The private account key (EE-17) signs the device list and does nothing else. Keepers hold it: the first device, and
 * those that a person makes keepers.
 */
const KEY = 'client/account-key';
const RECOVERY = 'client/recovery-secret';

export async function loadAccountKey(store: Store): Promise<KeyPair | undefined> {
  const text = await store.get(KEY);
  return text === undefined ? undefined : readState<KeyPair>(text);
}

export const accountKeyEntry = (pair: KeyPair) => [KEY, writeState(pair)] as const;

export function saveAccountKey(store: Store, pair: KeyPair): Promise<void> {
  return store.write(new Map([accountKeyEntry(pair)]));
}

/** The recovery secret stays on the device that made it until the person has it elsewhere; then it is forgotten here. */
export const recoverySecretEntry = (secret: string) => [RECOVERY, secret] as const;

export const loadRecoverySecret = (store: Store) => store.get(RECOVERY);

export function dropRecoverySecret(store: Store): Promise<void> {
  return store.write(new Map([[RECOVERY, null]]));
}

export interface RecoverySecret {
  /** The letters that were written down; or the text of a file that a version before device lists made. */
  readonly secret: string;
  /** Of such a file. */
  readonly passphrase?: string | undefined;
}

export const isOldRecoveryFile = (secret: string) => secret.trimStart().startsWith('{');

/** Reads the account key from a recovery file of the version before; only the key whose public half is the account's. */
export async function readOldRecoveryFile(
  { secret, passphrase = '' }: RecoverySecret,
  { accountKey, ...options }: BackupOptions & { accountKey: string | null },
): Promise<KeyPair> {
  const box = createMemoryStore();
  await importBackup(secret, passphrase, box, options);
  const pair = await loadAccountKey(box);
  if (pair === undefined || toBase64Url(pair.publicKey) !== accountKey) throw clientError('ACCOUNT_KEY_WRONG');
  return pair;
}
