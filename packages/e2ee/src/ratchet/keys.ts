import { concat, uint, utf8, wipe } from '../bytes.ts';
import { hkdf } from '../hkdf.ts';
import type { Crypto, Sealing } from '../provider/crypto.ts';
import type { Chain, RatchetHeader } from './state.ts';

// The functions that section 5.2 of the Double Ratchet recommends, with AES-256-GCM for its AEAD.

const ROOT_INFO = utf8('parley-ratchet-root-v1');
const NO_NONCE = new Uint8Array(12);

/** KDF_RK(rk, dh_out) */
export function deriveRoot(crypto: Crypto, root: Uint8Array, dh: Uint8Array): { root: Uint8Array; chain: Chain } {
  const output = hkdf(crypto, { secret: dh, salt: root, info: ROOT_INFO, length: 64 });
  const derived = { root: output.slice(0, 32), chain: { key: output.slice(32), n: 0 } };
  wipe([output]);
  return derived;
}

/** KDF_CK(ck): the key of this message, and the chain after it. */
export function stepChain(crypto: Crypto, { key, n }: Chain): { messageKey: Uint8Array; chain: Chain } {
  return {
    messageKey: crypto.hmacSha256(key, Uint8Array.of(0x01)),
    chain: { key: crypto.hmacSha256(key, Uint8Array.of(0x02)), n: n + 1 },
  };
}

/** ENCRYPT and DECRYPT, section 3.1: a message key is used once, so the nonce may be a constant. */
export function messageSealing(messageKey: Uint8Array, aad: Uint8Array): Sealing {
  return { key: messageKey, nonce: NO_NONCE, aad };
}

/** CONCAT(AD, header). Every part before the last has a fixed length, so it can be taken apart in one way only. */
export function associate(associated: Uint8Array, { dh, pn, n }: RatchetHeader): Uint8Array {
  return concat(dh, uint(pn, 4), uint(n, 4), associated);
}
