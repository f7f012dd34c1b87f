import { toBase64Url, utf8 } from '../../src/bytes.ts';
import { makePairingCode, pairingRequest, sealWelcome } from '../../src/pairing.ts';
import type { Crypto } from '../../src/provider/crypto.ts';
import { seeded, uuid } from '../harness.ts';

/** EE-16: three codes, what they authenticate, and what does not fit. */
export function makePairing(base: Crypto): object {
  const crypto = seeded(base, 'pairing');
  const text = (length: number) => toBase64Url(crypto.randomBytes(length));
  const pairings = ['', '{"version":1}', '{"list":["你好 👋"]}'].map((plaintext) => {
    const code = makePairingCode(crypto);
    const keys = { accountId: uuid(0xacc1), identityKey: text(32), exchangeKey: text(32) };
    const request = pairingRequest(crypto, code, keys)!;
    const welcome = sealWelcome(crypto, utf8(plaintext), { code, ...keys })!;
    return {
      code,
      account_id: keys.accountId,
      identity_key: keys.identityKey,
      exchange_key: keys.exchangeKey,
      request,
      welcome: { plaintext: toBase64Url(utf8(plaintext)), sealed: welcome },
    };
  });
  const { code } = pairings[1]!;
  const digits = code.replaceAll(' ', '');
  const wide = [...digits].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
  return {
    pairings,
    typed: { pairing: 1, codes: [digits, code.replaceAll(' ', '-'), ` ${code}\n`, wide] },
    mistyped: {
      pairing: 1,
      codes: ['', digits.slice(1), `${digits}0`, `${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}`],
    },
  };
}
