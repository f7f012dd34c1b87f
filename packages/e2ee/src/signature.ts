import { canonicalise, type Json } from '@parley/documents';
import type { Envelope } from '@parley/protocol';
import { fromBase64Url, toBase64Url, utf8 } from './bytes.ts';
import { checkBytes } from './check.ts';
import type { Crypto } from './provider/crypto.ts';

// L3 (EE-3): proves who sent it, by an Ed25519 signature of the identity key over header, ciphertext and wraps.

/** Keeps an envelope's signature from being valid elsewhere (the ledger and statements begin differently). */
const DOMAIN = 'parley-envelope-v1\n';

const BASE64URL = /^[A-Za-z0-9_-]*$/;

/** What is signed; the header in its RFC 8785 form. */
interface Signed extends Pick<Envelope, 'ciphertext' | 'wraps'> {
  readonly header: string;
}

/**
 * Writes the RFC 8785 form of the three. The ciphertext is nearly all of it, and base64url needs no escaping in JSON,
 * so only the rest is canonicalised letter by letter.
 */
function signedBytes({ header, ciphertext, wraps }: Signed): Uint8Array {
  if (!BASE64URL.test(ciphertext)) throw new TypeError('ciphertext must be base64url');
  const rest = `"header":${header},"wraps":${canonicalise(wraps as Json)}`;
  return utf8(`${DOMAIN}{"ciphertext":"${ciphertext}",${rest}}`);
}

export function signEnvelope(crypto: Crypto, signed: Signed, identity: { privateKey: Uint8Array }): string {
  return toBase64Url(crypto.sign(identity.privateKey, signedBytes(signed)));
}

export function verifyEnvelope(
  crypto: Crypto,
  { signature: text, ...signed }: Signed & { readonly signature: string },
  identityKey: Uint8Array,
): boolean {
  checkBytes(identityKey, 'identityKey', 32);
  const signature = fromBase64Url(text);
  return signature?.length === 64 && crypto.verify(identityKey, signedBytes(signed), signature);
}
