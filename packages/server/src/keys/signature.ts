import { createPublicKey, verify } from 'node:crypto';
import { canonicalise, type JsonObject } from '@parley/documents';
import { hasSmallOrder } from '@parley/protocol';

/** Is it an Ed25519 signature, by this key, of the canonical form of the statement? */
export function isSigned(statement: JsonObject, signature: string, publicKey: string): boolean {
  return isSignedBytes(Buffer.from(canonicalise(statement)), signature, publicKey);
}

/** Checks bytes that are canonical already. What no client accepts is refused here, too: it would end a chain. */
export function isSignedBytes(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  if (hasSmallOrder(Buffer.from(publicKey, 'base64url'))) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, bytes, key, Buffer.from(signature, 'base64url'));
  } catch {
    // These 32 bytes are not a point of the curve, so nobody can have signed with them.
    return false;
  }
}
