import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded, uuid } from '../tests/harness.ts';
import { readVectors } from '../tests/vectors.ts';
import { fromBase64Url, toBase64Url, utf8 } from './bytes.ts';
import { isPairingRequest, makePairingCode, openWelcome, pairingRequest, sealWelcome } from './pairing.ts';
import { nodeCrypto } from './provider/node.ts';

interface Vectors {
  readonly pairings: readonly {
    code: string;
    account_id: string;
    identity_key: string;
    exchange_key: string;
    request: string;
    welcome: { plaintext: string; sealed: string };
  }[];
  readonly typed: { pairing: number; codes: readonly string[] };
  readonly mistyped: { pairing: number; codes: readonly string[] };
}

const vectors = readVectors<Vectors>('pairing');
const crypto = seeded(nodeCrypto, 'pairing tests');
const random = (length: number) => toBase64Url(crypto.randomBytes(length));
const keys = { accountId: uuid(1), identityKey: random(32), exchangeKey: random(32) };
const code = makePairingCode(crypto);
const request = pairingRequest(crypto, code, keys)!;
const welcome = sealWelcome(crypto, utf8('all that the account knows'), { code, ...keys })!;
const others = [
  { accountId: uuid(2) },
  { identityKey: random(32) },
  { exchangeKey: random(32) },
  { identityKey: keys.exchangeKey, exchangeKey: keys.identityKey },
];

describe('EE-16 the code of a new device', () => {
  it('EE-16 is 25 digits in five groups, each digit as likely as any other', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let n = 0; n < 400; n++) {
      const made = makePairingCode(crypto);
      expect(made).toMatch(/^(\d{5} ){4}\d{5}$/);
      for (const digit of made.replaceAll(' ', '')) counts[Number(digit)]! += 1;
    }
    // 1000 of each are expected, with a deviation of 30.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it('EE-16 bytes that would make some digits more likely are not used', () => {
    const draws = [new Uint8Array(25).fill(255), new Uint8Array(25).fill(250), new Uint8Array(25).fill(249)];
    const drawn = { ...nodeCrypto, randomBytes: () => draws.shift()! };
    expect(makePairingCode(drawn)).toBe('99999 99999 99999 99999 99999');
    expect(draws).toEqual([]);
  });

  it.each(vectors.pairings)('EE-16 the published request and welcome fit $code', (pairing) => {
    const { code: shown, account_id, identity_key, exchange_key, welcome: left } = pairing;
    const subject = { accountId: account_id, identityKey: identity_key, exchangeKey: exchange_key };
    expect(pairingRequest(nodeCrypto, shown, subject)).toBe(pairing.request);
    const opened = openWelcome(nodeCrypto, left.sealed, { code: shown, ...subject });
    expect(opened && toBase64Url(opened)).toBe(left.plaintext);
  });

  it('EE-16 however it is typed, it is the same; with a digit wrong, missing or too many it is none', () => {
    const { account_id, identity_key, exchange_key, request: published, welcome: left } = vectors.pairings[1]!;
    const subject = { accountId: account_id, identityKey: identity_key, exchangeKey: exchange_key };
    for (const typed of vectors.typed.codes) {
      expect(isPairingRequest(nodeCrypto, published, { code: typed, ...subject })).toBe(true);
      expect(openWelcome(nodeCrypto, left.sealed, { code: typed, ...subject })).toBeDefined();
    }
    for (const typed of vectors.mistyped.codes) {
      expect(isPairingRequest(nodeCrypto, published, { code: typed, ...subject })).toBe(false);
      expect(openWelcome(nodeCrypto, left.sealed, { code: typed, ...subject })).toBeUndefined();
    }
    expect(pairingRequest(crypto, '12345', keys)).toBeUndefined();
    expect(sealWelcome(crypto, utf8('x'), { code: '12345', ...keys })).toBeUndefined();
  });
});

describe('EE-16 attack: the server between the two devices', () => {
  it('EE-16 attack: it puts keys of its own, or another account, in the place of those of the new device', () => {
    expect(isPairingRequest(crypto, request, { code, ...keys })).toBe(true);
    for (const other of others) expect(isPairingRequest(crypto, request, { code, ...keys, ...other })).toBe(false);
  });

  it('EE-16 attack: it answers with a welcome of its own, made under any code but the one on the screen', () => {
    for (const guess of [makePairingCode(crypto), '00000 00000 00000 00000 00000']) {
      const forged = sealWelcome(crypto, utf8('an account key of the server'), { code: guess, ...keys })!;
      expect(openWelcome(crypto, forged, { code, ...keys })).toBeUndefined();
    }
  });

  it('EE-16 attack: it gives a welcome that was made for other keys, or another account', () => {
    expect(openWelcome(crypto, welcome, { code, ...keys })).toEqual(utf8('all that the account knows'));
    for (const other of others) {
      expect(openWelcome(crypto, welcome, { code, ...keys, ...other })).toBeUndefined();
      const elsewhere = sealWelcome(crypto, utf8('other'), { code, ...keys, ...other })!;
      expect(openWelcome(crypto, elsewhere, { code, ...keys })).toBeUndefined();
    }
  });

  it('EE-16 attack: the request says nothing that a welcome could be sealed with', () => {
    const sealed = fromBase64Url(welcome)!;
    const [nonce, ciphertext] = [sealed.subarray(0, 12), sealed.subarray(12)];
    const key = fromBase64Url(request)!;
    expect(crypto.decrypt(ciphertext, { key, nonce, aad: new Uint8Array(0) })).toBeUndefined();
  });

  it('EE-16 attack: no letter of a welcome or a request can be changed, and nothing shorter is taken', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=';
    const place = fc.record({ at: fc.nat(), to: fc.constantFrom(...letters) });
    const change = (text: string, { at, to }: { at: number; to: string }) =>
      text.slice(0, at % text.length) + to + text.slice((at % text.length) + 1);
    fc.assert(
      fc.property(place, (where) => {
        const [sealed, asked] = [change(welcome, where), change(request, where)];
        if (sealed !== welcome) expect(openWelcome(crypto, sealed, { code, ...keys })).toBeUndefined();
        if (asked !== request) expect(isPairingRequest(crypto, asked, { code, ...keys })).toBe(false);
      }),
    );
    for (const short of ['', 'A', welcome.slice(0, 36), welcome.slice(0, -1), `${welcome}A`]) {
      expect(openWelcome(crypto, short, { code, ...keys })).toBeUndefined();
    }
    expect(isPairingRequest(crypto, '', { code, ...keys })).toBe(false);
  });

  it('EE-16 two welcomes under one code have nothing in common', () => {
    const again = sealWelcome(crypto, utf8('all that the account knows'), { code, ...keys })!;
    expect(again.slice(0, 16)).not.toBe(welcome.slice(0, 16));
  });
});
