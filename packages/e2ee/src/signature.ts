import { canonicalise, type Json } from '@parley/documents';
import type { Envelope } from '@parley/protocol';
import { fromBase64Url, toBase64Url, utf8 } from './bytes.ts';
import { checkBytes } from './check.ts';
import type { Crypto } from './provider/crypto.ts';

// L3 (EE-3): who says it. Ed25519 by the identity key over header, ciphertext and wraps.

/** Keeps the signature of an envelope from meaning anything elsewhere (the ledger and statements begin otherwise). */
const DOMAIN = 'parley-envelope-v1\n';

type Unsigned = Omit<Envelope, 'signature'>;

function signedBytes({ header, ciphertext, wraps }: Unsigned): Uint8Array {
  return utf8(DOMAIN + canonicalise({ header, ciphertext, wraps } as unknown as Json));
}

export function signEnvelope(crypto: Crypto, unsigned: Unsigned, identity: { privateKey: Uint8Array }): Envelope {
  return { ...unsigned, signature: toBase64Url(crypto.sign(identity.privateKey, signedBytes(unsigned))) };
}

export function verifyEnvelope(crypto: Crypto, envelope: Envelope, identityKey: Uint8Array): boolean {
  checkBytes(identityKey, 'identityKey', 32);
  const signature = fromBase64Url(envelope.signature);
  return signature?.length === 64 && crypto.verify(identityKey, signedBytes(envelope), signature);
}
