import { toBase64Url } from '../../src/bytes.ts';
import type { Crypto } from '../../src/provider/crypto.ts';
import { makeRecoverySecret, recoveryKeyOf } from '../../src/recovery.ts';
import { seeded } from '../harness.ts';
import { pairToJson } from './statements.ts';

/** EE-17: secrets, the keys they give, and how they may be typed. */
export function makeRecovery(base: Crypto): object {
  const crypto = seeded(base, 'recovery');
  const fixed = (bytes: Uint8Array) => ({ ...crypto, randomBytes: () => bytes });
  const entropies = [
    new Uint8Array(16),
    new Uint8Array(16).fill(255),
    ...[1, 2, 3, 4].map(() => crypto.randomBytes(16)),
  ];
  const secrets = entropies.map((bytes) => {
    const secret = makeRecoverySecret(fixed(bytes));
    return { entropy: toBase64Url(bytes), secret, ...pairToJson(recoveryKeyOf(crypto, secret)!) };
  });
  const { secret } = secrets[0]!;
  const letters = secret.replaceAll('-', '');
  const typed = [
    letters,
    secret.toLowerCase(),
    secret.replaceAll('-', ' '),
    secret.replaceAll('-', '–'),
    ` ${secret}\n`,
    secret.replaceAll('0', 'O'),
    secret.replaceAll('0', 'o'),
    [...letters].map((letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)).join(''),
  ];
  const swapped = secrets[2]!.secret.replace(/^(.)(.)/, '$2$1');
  const mistyped = [
    '',
    letters.slice(1),
    `${letters}0`,
    letters.replace('0', '1'),
    letters.replace('0', 'U'),
    // 130 bits: there would be a second spelling of one secret.
    `8${letters.slice(1)}`,
    `${letters.slice(0, -1)}${letters.endsWith('X') ? 'Y' : 'X'}`,
    swapped,
  ];
  return { secrets, typed: { secret: 0, texts: typed }, mistyped };
}
