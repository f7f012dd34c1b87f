import { concat, toBase64Url, uint, utf8 } from './bytes.ts';
import { checkBytes } from './check.ts';
import type { Crypto } from './provider/crypto.ts';

// EE-9: two people, or a person and an agent's maker, compare this to know that nobody is between them.

/** A person by account id and account key, an agent by agent id and identity key. */
export interface Party {
  readonly id: string;
  readonly key: Uint8Array;
}

const DOMAIN = utf8('parley-safety-number-v1\n');
/** Makes the search for a key with a similar number 5,200 times as expensive, as Signal does. */
const ROUNDS = 5_200;

/** Returns 60 digits, the same on both sides. */
export function safetyNumber(crypto: Crypto, one: Party, other: Party): string {
  return [digits(crypto, one), digits(crypto, other)].sort().join('');
}

function digits(crypto: Crypto, { id, key }: Party): string {
  checkBytes(key, 'key', 32);
  let hash = crypto.sha512(concat(DOMAIN, key, utf8(id)));
  for (let round = 1; round < ROUNDS; round++) hash = crypto.sha512(concat(hash, key));
  const groups = Array.from({ length: 6 }, (_, group) => {
    const five = hash.subarray(group * 5, group * 5 + 5);
    const value = five.reduce((sum, byte) => sum * 256 + byte, 0);
    return String(value % 100_000).padStart(5, '0');
  });
  return groups.join('');
}

/** Returns the fingerprint for links and QR codes: first contact through one needs no trust in the server. */
export function keyFingerprint(crypto: Crypto, { id, key }: Party): string {
  checkBytes(key, 'key', 32);
  const name = utf8(id);
  return toBase64Url(crypto.sha256(concat(utf8('parley-fingerprint-v1\n'), uint(name.length, 2), name, key)));
}
