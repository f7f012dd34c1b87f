import { utf8, wipe } from './bytes.ts';
import { checkBytes } from './check.ts';
import { AES_256_GCM, setupReceiver, setupSender } from './hpke.ts';
import type { Crypto, KeyPair } from './provider/crypto.ts';

// L2 (EE-2): wraps a secret of 32 bytes for one device, to a key of that device. Neither side needs state.

const INFO = utf8('parley-wrap-v1');

export interface HpkeSealed {
  readonly enc: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** Returns undefined if the recipient's key is of low order. */
export function wrapSecret(crypto: Crypto, secret: Uint8Array, to: { publicKey: Uint8Array; aad: Uint8Array }) {
  checkBytes(secret, 'secret', 32);
  const context = setupSender(crypto, to.publicKey, { aead: AES_256_GCM, info: INFO });
  if (context === undefined) return undefined;
  const { enc, sharedSecret, key, nonce } = context;
  const sealed: HpkeSealed = { enc, ciphertext: crypto.encrypt(secret, { key, nonce, aad: to.aad }) };
  wipe([sharedSecret, key, nonce]);
  return sealed;
}

export function unwrapSecret(crypto: Crypto, { enc, ciphertext }: HpkeSealed, to: { own: KeyPair; aad: Uint8Array }) {
  const context = setupReceiver(crypto, to.own, { aead: AES_256_GCM, info: INFO, enc });
  if (context === undefined) return undefined;
  const { sharedSecret, key, nonce } = context;
  const secret = crypto.decrypt(ciphertext, { key, nonce, aad: to.aad });
  wipe([sharedSecret, key, nonce]);
  return secret?.length === 32 ? secret : undefined;
}
