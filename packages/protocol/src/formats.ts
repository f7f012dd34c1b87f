import { ID_PATTERN } from '@parley/base';
import * as Type from './schema/type.ts';

export const Id = Type.String({ pattern: ID_PATTERN });
export const Time = Type.String({ description: 'RFC 3339, UTC' });
/** 32 bytes as unpadded base64url; the last letter has two bits that must be 0, so that a key has one spelling. */
export const PublicKey = Type.String({
  pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$',
  description: '32 bytes, base64url without padding',
});
/** 64 bytes as unpadded base64url. */
export const Signature = Type.String({
  pattern: '^[A-Za-z0-9_-]{85}[AQgw]$',
  description: 'Ed25519 signature of 64 bytes, base64url without padding',
});
/** Of a signed statement: one spelling, kept as it was signed. */
export const SignedTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$' });
export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });
export const Nothing = Type.Null();
export const closed = { additionalProperties: false } as const;
