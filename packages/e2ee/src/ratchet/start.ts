import { wipe } from '../bytes.ts';
import { checkBytes, checkPair } from '../check.ts';
import { type Crypto, generateX25519, type KeyPair } from '../provider/crypto.ts';
import { deriveRoot } from './keys.ts';
import type { RatchetState } from './state.ts';

/** RatchetInitAlice, section 3.3. Undefined for a prekey of low order. */
export function startSending(crypto: Crypto, secret: Uint8Array, remote: Uint8Array): RatchetState | undefined {
  checkBytes(secret, 'secret', 32);
  checkBytes(remote, 'remote', 32);
  const own = generateX25519(crypto);
  const dh = crypto.x25519(own.privateKey, remote);
  if (dh === undefined) return undefined;
  const { root, chain } = deriveRoot(crypto, secret, dh);
  wipe([dh]);
  return { root, own, remote, sending: chain, previous: 0, skipped: new Map() };
}

/** RatchetInitBob, section 3.3: the first ratchet key is the signed prekey. */
export function startReceiving(secret: Uint8Array, prekey: KeyPair): RatchetState {
  checkBytes(secret, 'secret', 32);
  checkPair(prekey, 'prekey');
  // This is a copy: the first step consumes it, while the prekey still serves other sessions.
  const own = { publicKey: prekey.publicKey, privateKey: prekey.privateKey.slice() };
  return { root: secret, own, previous: 0, skipped: new Map() };
}
