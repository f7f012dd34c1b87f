import { canonicalise, type JsonObject } from '@parley/documents';
import { fromBase64Url, toBase64Url, utf8 } from '../bytes.ts';
import type { Crypto } from '../provider/crypto.ts';

/**
 * Signs the canonical form of a statement (RFC 8785). Its `purpose` keeps the signature from being valid for another
 * kind of statement.
 */
export function signStatement(crypto: Crypto, statement: JsonObject, signer: { privateKey: Uint8Array }): string {
  if (typeof statement.purpose !== 'string') throw new TypeError('statement.purpose must be a string');
  return toBase64Url(crypto.sign(signer.privateKey, utf8(canonicalise(statement))));
}

/** Keys and signatures are base64url; anything else does not verify. */
export function verifyStatement(
  crypto: Crypto,
  statement: JsonObject,
  { publicKey, signature }: { publicKey: string; signature: string },
): boolean {
  return verifyBytes(crypto, utf8(canonicalise(statement)), { publicKey, signature });
}

export function verifyBytes(
  crypto: Crypto,
  bytes: Uint8Array,
  { publicKey, signature }: { publicKey: string; signature: string },
): boolean {
  const key = fromBase64Url(publicKey);
  const signed = fromBase64Url(signature);
  return key?.length === 32 && signed?.length === 64 && crypto.verify(key, bytes, signed);
}
