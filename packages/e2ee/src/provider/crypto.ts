/** Of X25519 or Ed25519; 32 bytes each. The private half of Ed25519 is the seed of RFC 8032. */
export interface KeyPair {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

export interface Sealing {
  /** 16 or 32 bytes. */
  readonly key: Uint8Array;
  /** 12 bytes, never twice under one key. */
  readonly nonce: Uint8Array;
  readonly aad: Uint8Array;
}

/** The primitives and the only source of randomness (EE-13). They are synchronous and never alter their arguments. */
export interface Crypto {
  randomBytes(length: number): Uint8Array;
  sha256(bytes: Uint8Array): Uint8Array;
  sha512(bytes: Uint8Array): Uint8Array;
  hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array;
  /** AES-GCM: the ciphertext with its tag of 16 bytes behind it. */
  encrypt(plaintext: Uint8Array, sealing: Sealing): Uint8Array;
  /** Returns undefined if anything about it is wrong. */
  decrypt(ciphertext: Uint8Array, sealing: Sealing): Uint8Array | undefined;
  x25519PublicKey(privateKey: Uint8Array): Uint8Array;
  /** RFC 7748. Undefined for a point of low order: its secret would be known to everyone. */
  x25519(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined;
  ed25519PublicKey(seed: Uint8Array): Uint8Array;
  sign(seed: Uint8Array, bytes: Uint8Array): Uint8Array;
  verify(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean;
}

export function generateX25519(crypto: Crypto): KeyPair {
  const privateKey = crypto.randomBytes(32);
  return { publicKey: crypto.x25519PublicKey(privateKey), privateKey };
}

export function generateEd25519(crypto: Crypto): KeyPair {
  const privateKey = crypto.randomBytes(32);
  return { publicKey: crypto.ed25519PublicKey(privateKey), privateKey };
}
