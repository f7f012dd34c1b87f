import { type Crypto, generateEd25519, generateX25519, type KeyPair, readState, writeState } from '@parley/e2ee';
import { messengerError } from '../errors.ts';
import type { Store } from '../stores/store.ts';

/** The keys that make a device or an agent who it is (EE-10). Made where they are used; they never leave the store. */
export interface OwnKeysRecord {
  /** The agent's id, or the account's. */
  readonly owner: string;
  readonly identity: KeyPair;
  readonly exchange: KeyPair;
  /** Of a device: the public account key it was certified under, in base64url. Nobody's word replaces it. */
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

/** The keys in the store, or new ones, saved before anyone hears of them. */
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
