import { gcm } from '@noble/ciphers/aes.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { hasSmallOrder } from '@parley/protocol';
import { checkBytes } from '../check.ts';
import type { Crypto, Sealing } from './crypto.ts';

const TAG = 16;
/** The most bytes that one call of getRandomValues gives (Web Cryptography API). */
const MAX_RANDOM = 65_536;

function cipher({ key, nonce, aad }: Sealing) {
  checkBytes(nonce, 'nonce', 12);
  checkBytes(key, 'key', key.length === 16 ? 16 : 32);
  return gcm(key, nonce, aad);
}

/**
 * The provider for browsers, workers and edge runtimes. It is synchronous, so that a state is never half way through a
 * change.
 */
export const browserCrypto: Crypto = {
  randomBytes(length) {
    const bytes = new Uint8Array(length);
    for (let offset = 0; offset < length; offset += MAX_RANDOM) {
      globalThis.crypto.getRandomValues(bytes.subarray(offset, offset + MAX_RANDOM));
    }
    return bytes;
  },
  sha256: (bytes) => sha256(bytes),
  sha512: (bytes) => sha512(bytes),
  hmacSha256: (key, bytes) => hmac(sha256, key, bytes),
  encrypt: (plaintext, sealing) => cipher(sealing).encrypt(plaintext),
  decrypt(ciphertext, sealing) {
    const opener = cipher(sealing);
    if (ciphertext.length < TAG) return undefined;
    try {
      return opener.decrypt(ciphertext);
    } catch {
      return undefined;
    }
  },
  x25519PublicKey(privateKey) {
    checkBytes(privateKey, 'privateKey', 32);
    return x25519.getPublicKey(privateKey);
  },
  x25519(privateKey, publicKey) {
    checkBytes(privateKey, 'privateKey', 32);
    checkBytes(publicKey, 'publicKey', 32);
    try {
      return x25519.getSharedSecret(privateKey, publicKey);
    } catch {
      return undefined;
    }
  },
  ed25519PublicKey(seed) {
    checkBytes(seed, 'seed', 32);
    return ed25519.getPublicKey(seed);
  },
  sign(seed, bytes) {
    checkBytes(seed, 'seed', 32);
    return ed25519.sign(bytes, seed);
  },
  verify(publicKey, bytes, signature) {
    checkBytes(publicKey, 'publicKey', 32);
    if (signature.length !== 64 || hasSmallOrder(publicKey)) return false;
    try {
      // RFC 8032 section 5.1.7, not the looser ZIP 215.
      return ed25519.verify(signature, bytes, publicKey, { zip215: false });
    } catch {
      return false;
    }
  },
};
