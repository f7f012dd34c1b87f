import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PublishedPair, readVectors } from '../tests/vectors.ts';
import { fromBase64Url, toBase64Url } from './bytes.ts';
import { nodeCrypto } from './provider/node.ts';
import { makeRecoverySecret, recoveryKeyOf } from './recovery.ts';

interface Vectors {
  readonly secrets: readonly (PublishedPair & { entropy: string; secret: string })[];
  readonly typed: { secret: number; texts: readonly string[] };
  readonly mistyped: readonly string[];
}

const vectors = readVectors<Vectors>('recovery');
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const fixed = (bytes: Uint8Array) => ({ ...nodeCrypto, randomBytes: () => bytes });
const keyText = (secret: string) => {
  const pair = recoveryKeyOf(nodeCrypto, secret);
  return pair && toBase64Url(pair.privateKey);
};

describe('EE-17 the recovery secret', () => {
  it.each(vectors.secrets)('EE-17 $secret gives the published key', ({ entropy, secret, private_key, public_key }) => {
    expect(makeRecoverySecret(fixed(fromBase64Url(entropy)!))).toBe(secret);
    const pair = recoveryKeyOf(nodeCrypto, secret)!;
    expect([toBase64Url(pair.privateKey), toBase64Url(pair.publicKey)]).toEqual([private_key, public_key]);
  });

  it('EE-17 is 128 bits in seven groups of four', () => {
    const made = new Set(Array.from({ length: 50 }, () => makeRecoverySecret(nodeCrypto)));
    expect(made.size).toBe(50);
    for (const secret of made) expect(secret).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
  });

  it('EE-17 may be typed in small letters, with spaces or any dashes, with O for 0, I and L for 1', () => {
    const { private_key } = vectors.secrets[vectors.typed.secret]!;
    for (const text of vectors.typed.texts) expect(keyText(text)).toBe(private_key);
    const ones = vectors.secrets.map(({ secret }) => secret).find((secret) => secret.includes('1'))!;
    for (const letter of ['I', 'l', 'L', 'i']) expect(keyText(ones.replaceAll('1', letter))).toBe(keyText(ones));
  });

  it('EE-17 a slip of the pen is no other secret', () => {
    for (const text of vectors.mistyped) expect(recoveryKeyOf(nodeCrypto, text)).toBeUndefined();
    let taken = 0;
    let tried = 0;
    for (const { secret } of vectors.secrets) {
      const letters = secret.replaceAll('-', '');
      for (let at = 0; at < letters.length; at++) {
        for (const letter of ALPHABET) {
          if (letter === letters[at]) continue;
          tried++;
          if (recoveryKeyOf(nodeCrypto, letters.slice(0, at) + letter + letters.slice(at + 1)) !== undefined) taken++;
        }
      }
    }
    // Ten bits of a check let one of 1024 through.
    expect(taken / tried).toBeLessThan(4 / 1_024);
  });

  it('EE-17 attack: two secrets never give one key, and every secret is read as it was made', () => {
    const entropy = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(entropy, entropy, (one, other) => {
        const [first, second] = [makeRecoverySecret(fixed(one)), makeRecoverySecret(fixed(other))];
        const isSame = toBase64Url(one) === toBase64Url(other);
        expect(keyText(first) === keyText(second)).toBe(isSame);
        expect(keyText(first)).toBeDefined();
      }),
    );
  });
});
