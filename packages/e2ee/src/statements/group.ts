import { type GroupStatement, groupStatementBytes, type Unsigned } from '@parley/protocol';
import { toBase64Url } from '../bytes.ts';
import type { Crypto, KeyPair } from '../provider/crypto.ts';

/** EE-20: by the identity key of a device. */
export function signGroupStatement<S extends Unsigned<GroupStatement>>(
  crypto: Crypto,
  statement: S,
  identity: KeyPair,
): S & { signature: string } {
  return { ...statement, signature: toBase64Url(crypto.sign(identity.privateKey, groupStatementBytes(statement))) };
}
