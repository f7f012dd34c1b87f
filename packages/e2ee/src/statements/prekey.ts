import type { BodyOf, keyRoutes } from '@parley/protocol';
import { toBase64Url } from '../bytes.ts';
import { type Crypto, generateX25519, type KeyPair } from '../provider/crypto.ts';
import { signStatement, verifyStatement } from './statement.ts';

type Upload = BodyOf<typeof keyRoutes.putKeys>;
export type SignedPrekey = Upload['signed_prekey'];
export type OneTimePrekey = Upload['one_time_prekeys'][number];

const PURPOSE = 'parley-signed-prekey-v1';

export function signPrekey(
  crypto: Crypto,
  identity: KeyPair,
  { keyId, publicKey }: { keyId: number; publicKey: Uint8Array },
): SignedPrekey {
  const prekey = { key_id: keyId, public_key: toBase64Url(publicKey) };
  return { ...prekey, signature: signStatement(crypto, { ...prekey, purpose: PURPOSE }, identity) };
}

export function verifyPrekey(crypto: Crypto, { signature, ...prekey }: SignedPrekey, identityKey: string): boolean {
  const { key_id, public_key } = prekey;
  return verifyStatement(crypto, { key_id, public_key, purpose: PURPOSE }, { publicKey: identityKey, signature });
}

/** Makes one-time prekeys with rising ids from `firstId`, for the keystore and for the server. */
export function makeOneTimePrekeys(crypto: Crypto, { firstId, count }: { firstId: number; count: number }) {
  const keys = new Map(Array.from({ length: count }, (_, index) => [firstId + index, generateX25519(crypto)]));
  const upload = [...keys].map(([key_id, { publicKey }]) => ({ key_id, public_key: toBase64Url(publicKey) }));
  return { keys, upload } satisfies { keys: ReadonlyMap<number, KeyPair>; upload: OneTimePrekey[] };
}
