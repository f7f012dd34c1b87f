import { type Crypto, generateEd25519, generateX25519, type KeyPair, readState, writeState } from '@parley/e2ee';
import { messengerError } from '../errors.ts';
import type { Store } from '../stores/store.ts';

/**
 * The identity of a device or an agent (EE-10). The keys are created where they are used, and never leave the store.
 */
export interface OwnKeysRecord {
  /** The agent's id, or the account's. */
  readonly owner: string;
  readonly identity: KeyPair;
  readonly exchange: KeyPair;
  /**
   * For a device: the public account key it was certified under, in base64url. Nothing that a server says replaces it.
   */
  readonly accountKey?: string;
}

const KEY = 'own/identity';

export async function loadOwnKeys(store: Store): Promise<OwnKeysRecord | undefined> {
  const text = await store.get(KEY);
  return text === undefined ? undefined : readState<OwnKeysRecord>(text);
}

export function saveOwnKeys(store: Store, keys: OwnKeysRecord): Promise<void> {
  return store.write(new Map([[KEY, writeState(keys)]]));
}

export function makeOwnKeys(crypto: Crypto, owner: string): OwnKeysRecord {
  return { owner, identity: generateEd25519(crypto), exchange: generateX25519(crypto) };
}

/** Loads the keys from the store, or creates and saves new ones before anyone can see them. */
export async function loadOrCreateKeys(store: Store, crypto: Crypto, owner: string): Promise<OwnKeysRecord> {
  const known = await loadOwnKeys(store);
  if (known !== undefined) return checkOwner(known, owner);
  const made = makeOwnKeys(crypto, owner);
  await saveOwnKeys(store, made);
  return made;
}

export function checkOwner(keys: OwnKeysRecord, owner: string): OwnKeysRecord {
  if (keys.owner !== owner) throw messengerError('KEYSTORE_FOREIGN');
  return keys;
}
