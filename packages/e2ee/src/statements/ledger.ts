import { type BoundEntry, entryBytes } from '@parley/protocol';
import { toBase64Url } from '../bytes.ts';
import type { Crypto, KeyPair } from '../provider/crypto.ts';

/** Signs an entry of the ledger (L6, EE-6, RL-10). The protocol package folds the chain itself. */
export function signEntry(crypto: Crypto, entry: Omit<BoundEntry, 'signature'>, device: KeyPair): BoundEntry {
  return { ...entry, signature: toBase64Url(crypto.sign(device.privateKey, entryBytes(entry))) };
}
