import { expand, extract } from '../../src/hkdf.ts';
import { defineAead, setupReceiver, setupSender } from '../../src/hpke.ts';
import type { Crypto } from '../../src/provider/crypto.ts';

// biome-ignore lint/suspicious/noExplicitAny: vectors of six kinds
type Vectors = Record<string, any[]>;

const hex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes: Uint8Array | undefined) =>
  bytes && [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whatever a provider has to say about the RFCs' vectors, as text. Runs in Node and in a page, and must be the same. */
export function answerPrimitives(crypto: Crypto, vectors: Vectors) {
  const each = <Answer>(kind: string, answer: (vector: Vectors[string][number]) => Answer) =>
    vectors[kind]!.map(answer);
  return {
    x25519: each('x25519', (vector) => toHex(crypto.x25519(hex(vector.private_key), hex(vector.public_key)))),
    lowOrder: each('x25519_low_order', (point) => toHex(crypto.x25519(new Uint8Array(32).fill(9), hex(point))) ?? null),
    ed25519: each('ed25519', ({ seed, public_key, message, signature }) => ({
      publicKey: toHex(crypto.ed25519PublicKey(hex(seed))),
      signature: toHex(crypto.sign(hex(seed), hex(message))),
      verified: crypto.verify(hex(public_key), hex(message), hex(signature)),
      forged: crypto.verify(hex(public_key), hex(`${message}00`), hex(signature)),
    })),
    smallOrder: crypto.verify(hex(`01${'00'.repeat(31)}`), hex('00'), hex(`01${'00'.repeat(63)}`)),
    hkdf: each('hkdf_sha256', ({ ikm, salt, info, okm }) =>
      toHex(expand(crypto, extract(crypto, hex(salt), hex(ikm)), { info: hex(info), length: okm.length / 2 })),
    ),
    hmac: each('hmac_sha256', ({ key, message }) => toHex(crypto.hmacSha256(hex(key), hex(message)))),
    sha256: toHex(crypto.sha256(hex('616263'))),
    sha512: each('sha512', ({ message }) => toHex(crypto.sha512(hex(message)))),
    aesGcm: each('aes_gcm', ({ key, nonce, aad, plaintext, ciphertext }) => {
      const sealing = { key: hex(key), nonce: hex(nonce), aad: hex(aad) };
      return {
        sealed: toHex(crypto.encrypt(hex(plaintext), sealing)),
        opened: toHex(crypto.decrypt(hex(ciphertext), sealing)),
        tampered: crypto.decrypt(hex(ciphertext), { ...sealing, aad: hex(`${aad}00`) }) === undefined,
      };
    }),
    hpke: each('hpke_base', (vector) => {
      const context = { aead: defineAead(vector.aead_id, vector.aead_id === 1 ? 16 : 32), info: hex(vector.info) };
      const fixed: Crypto = { ...crypto, randomBytes: () => hex(vector.sender_private_key) };
      const sender = setupSender(fixed, hex(vector.recipient_public_key), context)!;
      const sealed = toHex(crypto.encrypt(hex(vector.plaintext), { ...sender, aad: hex(vector.aad) }));
      if (vector.recipient_private_key === undefined) return { sealed };
      const own = { privateKey: hex(vector.recipient_private_key), publicKey: hex(vector.recipient_public_key) };
      const receiver = setupReceiver(crypto, own, { ...context, enc: sender.enc })!;
      return { sealed, opened: toHex(crypto.decrypt(hex(vector.ciphertext), { ...receiver, aad: hex(vector.aad) })) };
    }),
  };
}
