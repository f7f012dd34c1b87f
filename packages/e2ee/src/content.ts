import { concat, utf8 } from './bytes.ts';
import { checkBytes } from './check.ts';
import type { Crypto } from './provider/crypto.ts';

// L1 (EE-1): the content is encrypted under a key of its own, and bound to the header that the server sees.

const NONCE = 12;

export interface SealedContent {
  /** The content encryption key; whoever wraps it wipes it. */
  readonly cek: Uint8Array;
  /** Nonce, ciphertext, tag. */
  readonly ciphertext: Uint8Array;
}

/**
 * `header` is its RFC 8785 form: a message that was moved to another conversation, or relabelled (TC-6), does not open.
 */
export function sealContent(crypto: Crypto, plaintext: Uint8Array, header: string): SealedContent {
  checkBytes(plaintext, 'plaintext');
  const cek = crypto.randomBytes(32);
  const nonce = crypto.randomBytes(NONCE);
  const sealed = crypto.encrypt(plaintext, { key: cek, nonce, aad: utf8(header) });
  return { cek, ciphertext: concat(nonce, sealed) };
}

/** Returns undefined if key, header or ciphertext are not those it was sealed with. */
export function openContent(crypto: Crypto, { cek, ciphertext }: SealedContent, header: string) {
  checkBytes(cek, 'cek', 32);
  if (ciphertext.length < NONCE) return undefined;
  const nonce = ciphertext.subarray(0, NONCE);
  return crypto.decrypt(ciphertext.subarray(NONCE), { key: cek, nonce, aad: utf8(header) });
}
