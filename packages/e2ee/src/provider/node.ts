import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hash,
  type KeyObject,
  randomFillSync,
  sign,
  verify,
} from 'node:crypto';
import { hasSmallOrder } from '@parley/protocol';
import { fromBase64Url, toBase64Url } from '../bytes.ts';
import { checkBytes } from '../check.ts';
import type { Crypto, Sealing } from './crypto.ts';

const TAG = 16;
const HASH = 32;
type Curve = 'X25519' | 'Ed25519';

/**
 * Importing a private key costs a scalar multiplication, as much as using it. So keys are kept for as long as their
 * bytes are: bytes that were altered, or wiped, must not be used as a key again.
 */
const privateKeys: Record<Curve, WeakMap<Uint8Array, KeyObject>> = { X25519: new WeakMap(), Ed25519: new WeakMap() };
const publicKeys: Record<Curve, WeakMap<Uint8Array, KeyObject>> = { X25519: new WeakMap(), Ed25519: new WeakMap() };
const UNUSED = toBase64Url(new Uint8Array(32));

function importPrivate(crv: Curve, bytes: Uint8Array): KeyObject {
  let key = privateKeys[crv].get(bytes);
  if (key === undefined) {
    // OpenSSL computes the public half itself, whatever x says. JWK, because DER takes fifteen times as long.
    key = createPrivateKey({ key: { kty: 'OKP', crv, d: toBase64Url(bytes), x: UNUSED }, format: 'jwk' });
    privateKeys[crv].set(bytes, key);
  }
  return key;
}

function importPublic(crv: Curve, bytes: Uint8Array): KeyObject {
  let key = publicKeys[crv].get(bytes);
  if (key === undefined) {
    key = createPublicKey({ key: { kty: 'OKP', crv, x: toBase64Url(bytes) }, format: 'jwk' });
    publicKeys[crv].set(bytes, key);
  }
  return key;
}

function publicKeyOf(crv: Curve, privateKey: Uint8Array): Uint8Array {
  const { x } = importPrivate(crv, privateKey).export({ format: 'jwk' });
  return fromBase64Url(x!)!;
}

function plain(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}

function cipherName({ key, nonce }: Sealing): 'aes-128-gcm' | 'aes-256-gcm' {
  checkBytes(nonce, 'nonce', 12);
  checkBytes(key, 'key', key.length === 16 ? 16 : 32);
  return key.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm';
}

const BLOCK = 64;
const SPARE = 256;
/** Reused and wiped each time, because memory outside of the heap is slow to allocate. */
const spareInner = new Uint8Array(BLOCK + SPARE);
const spareOuter = new Uint8Array(BLOCK + HASH);

/**
 * RFC 2104. By hand, because an Hmac of Node is a stream that the garbage collector has to follow: ten of them for a
 * message cost as much as an agreement.
 */
function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const secret = key.length > BLOCK ? hash('sha256', key, 'buffer') : key;
  const inner =
    bytes.length > SPARE ? new Uint8Array(BLOCK + bytes.length) : spareInner.subarray(0, BLOCK + bytes.length);
  const outer = spareOuter;
  inner.fill(0x36, 0, BLOCK);
  outer.fill(0x5c, 0, BLOCK);
  for (let index = 0; index < secret.length; index++) {
    inner[index]! ^= secret[index]!;
    outer[index]! ^= secret[index]!;
  }
  inner.set(bytes, BLOCK);
  outer.set(hash('sha256', inner, 'buffer'), BLOCK);
  const mac = plain(hash('sha256', outer, 'buffer'));
  inner.fill(0);
  outer.fill(0);
  return mac;
}

const RANDOM = 4_096;
const random = new Uint8Array(RANDOM);
let used = RANDOM;

/** Random bytes are fetched in blocks, because a system call costs more than the bytes. Bytes that were handed out are wiped here. */
function randomBytes(length: number): Uint8Array {
  if (!(length >= 0 && length <= RANDOM / 4)) return randomFillSync(new Uint8Array(length));
  if (used + length > RANDOM) {
    randomFillSync(random);
    used = 0;
  }
  const bytes = random.slice(used, used + length);
  random.fill(0, used, used + length);
  used += length;
  return bytes;
}

export const nodeCrypto: Crypto = {
  randomBytes,
  sha256: (bytes) => plain(hash('sha256', bytes, 'buffer')),
  sha512: (bytes) => plain(hash('sha512', bytes, 'buffer')),
  hmacSha256,
  encrypt(plaintext, sealing) {
    const cipher = createCipheriv(cipherName(sealing), sealing.key, sealing.nonce);
    cipher.setAAD(sealing.aad);
    const sealed = cipher.update(plaintext);
    // `final` of GCM returns no bytes.
    cipher.final();
    const whole = new Uint8Array(sealed.length + TAG);
    whole.set(sealed);
    whole.set(cipher.getAuthTag(), sealed.length);
    return whole;
  },
  decrypt(ciphertext, sealing) {
    const name = cipherName(sealing);
    if (ciphertext.length < TAG) return undefined;
    const decipher = createDecipheriv(name, sealing.key, sealing.nonce, { authTagLength: TAG });
    decipher.setAAD(sealing.aad);
    decipher.setAuthTag(ciphertext.subarray(-TAG));
    try {
      const plaintext = decipher.update(ciphertext.subarray(0, -TAG));
      decipher.final();
      return plain(plaintext);
    } catch {
      return undefined;
    }
  },
  x25519PublicKey(privateKey) {
    checkBytes(privateKey, 'privateKey', 32);
    return publicKeyOf('X25519', privateKey);
  },
  x25519(privateKey, publicKey) {
    checkBytes(privateKey, 'privateKey', 32);
    checkBytes(publicKey, 'publicKey', 32);
    const keys = { privateKey: importPrivate('X25519', privateKey), publicKey: importPublic('X25519', publicKey) };
    try {
      return plain(diffieHellman(keys));
    } catch {
      // OpenSSL refuses a shared secret of zeros (RFC 7748 section 6.1).
      return undefined;
    }
  },
  ed25519PublicKey(seed) {
    checkBytes(seed, 'seed', 32);
    return publicKeyOf('Ed25519', seed);
  },
  sign(seed, bytes) {
    checkBytes(seed, 'seed', 32);
    return plain(sign(null, bytes, importPrivate('Ed25519', seed)));
  },
  verify(publicKey, bytes, signature) {
    checkBytes(publicKey, 'publicKey', 32);
    if (signature.length !== 64 || hasSmallOrder(publicKey)) return false;
    try {
      return verify(null, bytes, importPublic('Ed25519', publicKey), signature);
    } catch {
      return false;
    }
  },
};
