import { canonicalise } from '@parley/documents';
import { concat, fromBase64Url, isEqual, toBase64Url, utf8 } from './bytes.ts';
import { hkdf } from './hkdf.ts';
import type { Crypto } from './provider/crypto.ts';

// EE-16: a new device shows a code, and a person types it on a device that lets it in. The server never sees it. Both
// directions are authenticated by it: the request, that these are the new device's keys, and the welcome, that it comes
// from the device where the code was typed. 25 digits are 83 bits, too many to be guessed from either.

const DIGITS = 25;
const NONCE = 12;

export interface PairedKeys {
  readonly accountId: string;
  /** Of the new device. */
  readonly identityKey: string;
  readonly exchangeKey: string;
}

/** Returns a fresh code: five groups of five digits. */
export function makePairingCode(crypto: Crypto): string {
  const digits: number[] = [];
  while (digits.length < DIGITS) {
    // Larger bytes would make small digits more likely.
    for (const byte of crypto.randomBytes(DIGITS)) if (byte < 250) digits.push(byte % 10);
  }
  return digits
    .slice(0, DIGITS)
    .join('')
    .replaceAll(/(\d{5})(?=\d)/g, '$1 ');
}

/** However it was typed: spaces, dashes, full-width digits. Undefined for anything but 25 digits. */
function readCode(typed: string): Uint8Array | undefined {
  const digits = typed.normalize('NFKC').replaceAll(/[^\d]/g, '');
  return digits.length === DIGITS ? utf8(digits) : undefined;
}

function keyFor(crypto: Crypto, code: string, purpose: string, keys: PairedKeys) {
  const secret = readCode(code);
  if (secret === undefined) return undefined;
  const { accountId, identityKey, exchangeKey } = keys;
  const context = { purpose, account_id: accountId, identity_key: identityKey, exchange_key: exchangeKey };
  return hkdf(crypto, { secret, salt: utf8('parley-pairing-v1'), info: utf8(canonicalise(context)), length: 32 });
}

/** What the new device tells everyone: only who knows its code can tell that it fits these keys. */
export function pairingRequest(crypto: Crypto, code: string, keys: PairedKeys): string | undefined {
  const key = keyFor(crypto, code, 'parley-pairing-request-v1', keys);
  return key && toBase64Url(key);
}

export function isPairingRequest(crypto: Crypto, request: string, { code, ...keys }: PairedKeys & { code: string }) {
  const expected = pairingRequest(crypto, code, keys);
  return expected !== undefined && isEqual(utf8(expected), utf8(request));
}

/** Seals what the account knows for the new device. Undefined for what is no code. */
export function sealWelcome(
  crypto: Crypto,
  plaintext: Uint8Array,
  { code, ...keys }: PairedKeys & { code: string },
): string | undefined {
  const key = keyFor(crypto, code, 'parley-pairing-welcome-v1', keys);
  if (key === undefined) return undefined;
  const nonce = crypto.randomBytes(NONCE);
  return toBase64Url(concat(nonce, crypto.encrypt(plaintext, { key, nonce, aad: new Uint8Array(0) })));
}

/** Undefined unless it was sealed where this very code was typed, for these very keys. */
export function openWelcome(
  crypto: Crypto,
  welcome: string,
  { code, ...keys }: PairedKeys & { code: string },
): Uint8Array | undefined {
  const key = keyFor(crypto, code, 'parley-pairing-welcome-v1', keys);
  const sealed = fromBase64Url(welcome);
  if (key === undefined || sealed === undefined || sealed.length < NONCE + 16) return undefined;
  const [nonce, ciphertext] = [sealed.subarray(0, NONCE), sealed.subarray(NONCE)];
  return crypto.decrypt(ciphertext, { key, nonce, aad: new Uint8Array(0) });
}
