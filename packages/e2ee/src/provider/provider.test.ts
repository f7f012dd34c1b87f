import { readdirSync, readFileSync } from 'node:fs';
import { ed25519 } from '@noble/curves/ed25519.js';
import { hasSmallOrder } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand, extract } from '../hkdf.ts';
import { AES_256_GCM, defineAead, setupReceiver, setupSender } from '../hpke.ts';
import { browserCrypto } from './browser.ts';
import type { Crypto } from './crypto.ts';
import { nodeCrypto } from './node.ts';

const vectors = JSON.parse(readFileSync(new URL('../../../../vectors/e2ee/primitives.json', import.meta.url), 'utf8'));
// biome-ignore lint/suspicious/noExplicitAny: six kinds of vectors, each read by one test
type Vector = any;
const hex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

describe.each([
  ['node', nodeCrypto],
  ['browser', browserCrypto],
])('provider %s', (_, crypto: Crypto) => {
  it.each<Vector>(vectors.x25519)('EE-13 X25519: $source', ({ private_key, own_public_key, public_key, shared }) => {
    expect(toHex(crypto.x25519(hex(private_key), hex(public_key)))).toBe(shared);
    if (own_public_key) expect(toHex(crypto.x25519PublicKey(hex(private_key)))).toBe(own_public_key);
  });

  it.each<string>(vectors.x25519_low_order)('EE-13 low-order point: X25519 refuses %s', (point) => {
    expect(crypto.x25519(crypto.randomBytes(32), hex(point))).toBeUndefined();
  });

  it.each<Vector>(vectors.ed25519)('EE-13 Ed25519: $source', ({ seed, public_key, message, signature }) => {
    expect(toHex(crypto.ed25519PublicKey(hex(seed)))).toBe(public_key);
    expect(toHex(crypto.sign(hex(seed), hex(message)))).toBe(signature);
    expect(crypto.verify(hex(public_key), hex(message), hex(signature))).toBe(true);
    expect(crypto.verify(hex(public_key), hex(`${message}00`), hex(signature))).toBe(false);
  });

  it('EE-13 signature malleability: S plus the group order is refused', () => {
    const { public_key, message, signature } = vectors.ed25519[1];
    const bytes = hex(signature);
    let s = bytes.subarray(32).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) + ORDER;
    for (let index = 32; index < 64; index++, s >>= 8n) bytes[index] = Number(s & 255n);
    expect(crypto.verify(hex(public_key), hex(message), bytes)).toBe(false);
  });

  it('EE-13 small-order identity key: a signature that fits any message is refused', () => {
    const identity = hex(`01${'00'.repeat(31)}`);
    const forged = hex(`01${'00'.repeat(63)}`);
    expect(crypto.verify(identity, hex('00'), forged)).toBe(false);
    expect(crypto.verify(identity, hex('01'), forged)).toBe(false);
  });

  it('EE-13 signatures of another length and keys that are no points verify nothing', () => {
    const { public_key, message, signature } = vectors.ed25519[0];
    for (const length of [0, 63]) {
      expect(crypto.verify(hex(public_key), hex(message), hex(signature).subarray(0, length))).toBe(false);
    }
    expect(crypto.verify(hex(public_key), hex(message), hex(`${signature}00`))).toBe(false);
    expect(crypto.verify(new Uint8Array(32).fill(2), hex(message), hex(signature))).toBe(false);
  });

  it.each<Vector>(vectors.hkdf_sha256)('EE-13 HKDF: $source', ({ ikm, salt, info, prk, okm }) => {
    const extracted = extract(crypto, hex(salt), hex(ikm));
    expect(toHex(extracted)).toBe(prk);
    expect(toHex(expand(crypto, extracted, { info: hex(info), length: okm.length / 2 }))).toBe(okm);
  });

  it('EE-13 HMAC and SHA-512', () => {
    const [mac] = vectors.hmac_sha256;
    expect(toHex(crypto.hmacSha256(hex(mac.key), hex(mac.message)))).toBe(mac.mac);
    const [digest] = vectors.sha512;
    expect(toHex(crypto.sha512(hex(digest.message)))).toBe(digest.digest);
  });

  it.each<Vector>(vectors.aes_gcm)('EE-13 AES-GCM: $source', ({ key, nonce, aad, plaintext, ciphertext }) => {
    const sealing = { key: hex(key), nonce: hex(nonce), aad: hex(aad) };
    expect(toHex(crypto.encrypt(hex(plaintext), sealing))).toBe(ciphertext);
    expect(toHex(crypto.decrypt(hex(ciphertext), sealing))).toBe(plaintext);
    expect(crypto.decrypt(hex(ciphertext), { ...sealing, aad: hex(`${aad}00`) })).toBeUndefined();
    expect(crypto.decrypt(hex(ciphertext).subarray(1), sealing)).toBeUndefined();
    expect(crypto.decrypt(hex(ciphertext).subarray(0, 15), sealing)).toBeUndefined();
  });

  it.each<Vector>(vectors.hpke_base)('EE-2 HPKE: $source', (vector) => {
    const context = {
      aead: defineAead(vector.aead_id, vector.aead_id === 1 ? 16 : 32),
      info: hex(vector.info),
    };
    const aad = hex(vector.aad);
    const fixed: Crypto = { ...crypto, randomBytes: () => hex(vector.sender_private_key) };
    const sender = setupSender(fixed, hex(vector.recipient_public_key), context)!;
    expect(toHex(crypto.encrypt(hex(vector.plaintext), { ...sender, aad }))).toBe(vector.ciphertext);
    if (vector.recipient_private_key === undefined) return;
    expect(toHex(sender.enc)).toBe(vector.enc);
    const own = { privateKey: hex(vector.recipient_private_key), publicKey: hex(vector.recipient_public_key) };
    const receiver = setupReceiver(crypto, own, { ...context, enc: hex(vector.enc) })!;
    for (const side of [sender, receiver]) {
      expect(toHex(side.sharedSecret)).toBe(vector.shared_secret);
      expect(toHex(side.key)).toBe(vector.key);
      expect(toHex(side.nonce)).toBe(vector.base_nonce);
    }
    expect(toHex(crypto.decrypt(hex(vector.ciphertext), { ...receiver, aad }))).toBe(vector.plaintext);
  });

  it('EE-2 low-order point: HPKE neither seals to one nor opens from one', () => {
    const zero = new Uint8Array(32);
    const context = { aead: AES_256_GCM, info: zero };
    expect(setupSender(crypto, zero, context)).toBeUndefined();
    const own = { privateKey: hex(vectors.hpke_base[0].recipient_private_key), publicKey: zero };
    expect(setupReceiver(crypto, own, { ...context, enc: zero })).toBeUndefined();
  });

  it('EE-13 arguments are refused by name, and never shown', () => {
    const secret = new Uint8Array(31).fill(0x41);
    for (const misuse of [
      () => crypto.sign(secret, secret),
      () => crypto.ed25519PublicKey(secret),
      () => crypto.x25519(secret, secret),
      () => crypto.x25519PublicKey(secret),
      () => crypto.verify(secret, secret, secret),
      () => crypto.encrypt(secret, { key: secret, nonce: new Uint8Array(12), aad: secret }),
      () => crypto.encrypt(secret, { key: new Uint8Array(32), nonce: secret, aad: secret }),
    ]) {
      expect(misuse).toThrow(/^(seed|privateKey|publicKey|key|nonce) must have \d+ bytes$/);
    }
  });

  it('EE-13 random bytes: as many as asked for, never the same', () => {
    expect(crypto.randomBytes(100_000)).toHaveLength(100_000);
    expect(crypto.randomBytes(100_000).subarray(-32)).not.toEqual(new Uint8Array(32));
    expect(crypto.randomBytes(32)).not.toEqual(crypto.randomBytes(32));
  });

  it('EE-13 random bytes: none is given out twice, whatever lengths were asked for and wiped before', () => {
    const seen = new Set<string>();
    for (let round = 0; round < 2_000; round++) {
      for (const length of [12, 32, 33, 1_024]) {
        const bytes = crypto.randomBytes(length);
        seen.add(Buffer.from(bytes.subarray(0, 12)).toString('hex'));
        bytes.fill(0);
      }
    }
    expect(seen.size).toBe(8_000);
    expect(seen).not.toContain('00'.repeat(12));
    expect(crypto.randomBytes(0)).toHaveLength(0);
    expect(() => crypto.randomBytes(-1)).toThrow(RangeError);
    expect(crypto.randomBytes(32)).not.toEqual(new Uint8Array(32));
  });
});

describe('between the providers', () => {
  it('EE-13 both say the same of any key, message and point', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes, bytes, fc.uint8Array({ maxLength: 100 }), (one, other, message) => {
        expect(browserCrypto.x25519(one, other)).toEqual(nodeCrypto.x25519(one, other));
        expect(browserCrypto.ed25519PublicKey(one)).toEqual(nodeCrypto.ed25519PublicKey(one));
        const signature = nodeCrypto.sign(one, message);
        expect(browserCrypto.sign(one, message)).toEqual(signature);
        expect(browserCrypto.verify(other, message, signature)).toBe(nodeCrypto.verify(other, message, signature));
        const sealing = { key: one, nonce: other.subarray(0, 12), aad: message };
        expect(browserCrypto.encrypt(message, sealing)).toEqual(nodeCrypto.encrypt(message, sealing));
      }),
      { seed: 13, numRuns: 40 },
    );
  });

  it('EE-13 the list of small-order keys is what the curve says', () => {
    const found = new Set<string>();
    const torsion = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
    let point = ed25519.Point.ZERO;
    for (let count = 0; count < 8; count++, point = point.add(torsion)) {
      expect(hasSmallOrder(point.toBytes())).toBe(true);
      found.add(toHex(point.toBytes())!);
    }
    expect(found.size).toBe(8);
    expect(hasSmallOrder(ed25519.Point.BASE.toBytes())).toBe(false);
  });

  it('EE-13 only the Node provider names node: or Buffer', () => {
    const root = new URL('../', import.meta.url);
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'provider/node.ts',
    );
    expect(sources.length).toBeGreaterThan(20);
    for (const path of sources) {
      expect(readFileSync(new URL(path, root), 'utf8')).not.toMatch(/node:|\bBuffer\b|\bprocess\./);
    }
  });
});
