import { entryBytes, type LedgerEntry, type LedgerReading } from '@parley/protocol';
import { toBase64Url } from '../bytes.ts';
import type { Crypto, KeyPair } from '../provider/crypto.ts';
import { verifyBytes } from './statement.ts';

// Signs and verifies entries of the ledger (L6, EE-6, RL-10). The protocol package folds the chain itself.

export function signEntry(crypto: Crypto, entry: Omit<LedgerEntry, 'signature'>, device: KeyPair): LedgerEntry {
  return { ...entry, signature: toBase64Url(crypto.sign(device.privateKey, entryBytes(entry))) };
}

/** Returns the `verify` function for `foldLedger`. */
export function entryVerifier(crypto: Crypto): LedgerReading['verify'] {
  return (publicKey, bytes, signature) => verifyBytes(crypto, bytes, { publicKey, signature });
}
