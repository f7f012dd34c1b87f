import { type Crypto, generateEd25519, type KeyPair, readState, toBase64Url, writeState } from '@parley/e2ee';
import { type BackupOptions, createMemoryStore, exportBackup, importBackup, type Store } from '@parley/messenger';
import { clientError } from '../errors.ts';

/**
 * The account key (EE-14) certifies devices and does nothing else. The first device creates it. Other devices work
 * without it; they need the recovery secret to approve further ones.
 */
const KEY = 'client/account-key';

export async function loadAccountKey(store: Store): Promise<KeyPair | undefined> {
  const text = await store.get(KEY);
  return text === undefined ? undefined : readState<KeyPair>(text);
}

export async function makeAccountKey(store: Store, crypto: Crypto): Promise<KeyPair> {
  const pair = generateEd25519(crypto);
  await saveAccountKey(store, pair);
  return pair;
}

function saveAccountKey(store: Store, pair: KeyPair): Promise<void> {
  return store.write(new Map([[KEY, writeState(pair)]]));
}

export function dropAccountKey(store: Store): Promise<void> {
  return store.write(new Map([[KEY, null]]));
}

/** The account key, encrypted with a passphrase (EE-10), as a text to be kept elsewhere. */
export async function exportAccountKey(store: Store, passphrase: string, options: BackupOptions = {}): Promise<string> {
  const pair = await loadAccountKey(store);
  if (pair === undefined) throw clientError('ACCOUNT_KEY_MISSING');
  const box = createMemoryStore();
  await saveAccountKey(box, pair);
  return exportBackup(box, passphrase, options);
}

export interface RecoverySecret {
  readonly secret: string;
  readonly passphrase: string;
}

/** Imports only the key whose public half is the account's. */
export async function importAccountKey(
  store: Store,
  { secret, passphrase }: RecoverySecret,
  { accountKey, ...options }: BackupOptions & { accountKey: string },
): Promise<KeyPair> {
  const box = createMemoryStore();
  await importBackup(secret, passphrase, box, options);
  const pair = await loadAccountKey(box);
  if (pair === undefined || toBase64Url(pair.publicKey) !== accountKey) throw clientError('ACCOUNT_KEY_WRONG');
  await saveAccountKey(store, pair);
  return pair;
}
