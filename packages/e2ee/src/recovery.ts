import { utf8 } from './bytes.ts';
import { hkdf } from './hkdf.ts';
import type { Crypto, KeyPair } from './provider/crypto.ts';

// EE-17: the recovery key outranks the account key. Its private half is derived from the recovery secret alone, which a
// person writes down: 128 bits and a check, as seven groups of four letters and digits.

/** Crockford's base 32: no I, L, O and U, which are read as others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BYTES = 16;
const LETTERS = 26;
const CHECK = 2;

export function makeRecoverySecret(crypto: Crypto): string {
  const bytes = crypto.randomBytes(BYTES);
  return `${encode(bytes)}${checkOf(crypto, bytes)}`.replaceAll(/(.{4})(?=.)/g, '$1-');
}

/** Derives the key pair. Undefined for a secret that was not typed as it was written down. */
export function recoveryKeyOf(crypto: Crypto, secret: string): KeyPair | undefined {
  const bytes = readSecret(crypto, secret);
  if (bytes === undefined) return undefined;
  const derivation = { secret: bytes, salt: utf8('parley-recovery-v1'), info: utf8('ed25519'), length: 32 };
  const privateKey = hkdf(crypto, derivation);
  return { publicKey: crypto.ed25519PublicKey(privateKey), privateKey };
}

function readSecret(crypto: Crypto, secret: string): Uint8Array | undefined {
  const letters = secret
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (letters.length !== LETTERS + CHECK) return undefined;
  const bytes = decode(letters.slice(0, LETTERS));
  return bytes !== undefined && checkOf(crypto, bytes) === letters.slice(LETTERS) ? bytes : undefined;
}

/** 10 bits: a slip of the pen is told from a wrong secret. */
function checkOf(crypto: Crypto, bytes: Uint8Array): string {
  const [first, second] = crypto.sha256(bytes);
  return ALPHABET[first! >> 3]! + ALPHABET[((first! & 7) << 2) | (second! >> 6)]!;
}

function encode(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let letters = '';
  for (let index = 0; index < LETTERS; index++, value >>= 5n) letters = ALPHABET[Number(value & 31n)]! + letters;
  return letters;
}

function decode(letters: string): Uint8Array | undefined {
  let value = 0n;
  for (const letter of letters) {
    const index = ALPHABET.indexOf(letter);
    if (index < 0) return undefined;
    value = (value << 5n) | BigInt(index);
  }
  // 26 letters have two bits more than 16 bytes.
  if (value >> 128n !== 0n) return undefined;
  return Uint8Array.from({ length: BYTES }, (_, index) => Number((value >> BigInt(8 * (BYTES - 1 - index))) & 255n));
}
