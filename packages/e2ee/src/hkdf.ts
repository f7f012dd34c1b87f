import { concat } from './bytes.ts';
import type { Crypto } from './provider/crypto.ts';

const HASH = 32;

/** RFC 5869 section 2.2. */
export function extract(crypto: Crypto, salt: Uint8Array, secret: Uint8Array): Uint8Array {
  return crypto.hmacSha256(salt.length === 0 ? new Uint8Array(HASH) : salt, secret);
}

/** RFC 5869 section 2.3. */
export function expand(crypto: Crypto, prk: Uint8Array, { info, length }: { info: Uint8Array; length: number }) {
  if (length > 255 * HASH) throw new TypeError('length must be at most 8160');
  const output = new Uint8Array(length);
  let block: Uint8Array = new Uint8Array(0);
  for (let count = 1, offset = 0; offset < length; count++, offset += HASH) {
    block = crypto.hmacSha256(prk, concat(block, info, Uint8Array.of(count)));
    output.set(block.subarray(0, length - offset), offset);
  }
  return output;
}

export interface Derivation {
  readonly secret: Uint8Array;
  readonly salt: Uint8Array;
  readonly info: Uint8Array;
  readonly length: number;
}

export function hkdf(crypto: Crypto, { secret, salt, info, length }: Derivation): Uint8Array {
  return expand(crypto, extract(crypto, salt, secret), { info, length });
}
