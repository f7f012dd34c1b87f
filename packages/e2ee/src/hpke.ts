import { concat, uint, utf8 } from './bytes.ts';
import { checkBytes, checkPair } from './check.ts';
import { expand, extract } from './hkdf.ts';
import { type Crypto, generateX25519, type KeyPair } from './provider/crypto.ts';

// HPKE (RFC 9180), base mode, one message per encapsulation: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-GCM.

export interface Aead {
  /** RFC 9180 section 7.3. */
  readonly id: number;
  readonly keyLength: 16 | 32;
}
export const AES_256_GCM: Aead = { id: 0x0002, keyLength: 32 };

const EMPTY = new Uint8Array(0);
const KEM_ID = 0x0020;
const KDF_ID = 0x0001;
const VERSION = utf8('HPKE-v1');
const KEM_SUITE = concat(utf8('KEM'), uint(KEM_ID, 2));
const MODE_BASE = 0x00;

function hpkeSuite(aead: Aead): Uint8Array {
  return concat(utf8('HPKE'), uint(KEM_ID, 2), uint(KDF_ID, 2), uint(aead.id, 2));
}

interface Labelled {
  readonly suite: Uint8Array;
  readonly label: string;
}

/** RFC 9180 section 4, LabeledExtract. */
function labelledExtract(
  crypto: Crypto,
  salt: Uint8Array,
  { suite, label, secret }: Labelled & { secret: Uint8Array },
) {
  return extract(crypto, salt, concat(VERSION, suite, utf8(label), secret));
}

/** RFC 9180 section 4, LabeledExpand. */
function labelledExpand(crypto: Crypto, prk: Uint8Array, what: Labelled & { info: Uint8Array; length: number }) {
  const { suite, label, info, length } = what;
  return expand(crypto, prk, { info: concat(uint(length, 2), VERSION, suite, utf8(label), info), length });
}

/** RFC 9180 section 4.1, ExtractAndExpand with kem_context = enc || pkRm. */
function sharedSecret(crypto: Crypto, dh: Uint8Array, kemContext: Uint8Array): Uint8Array {
  const prk = labelledExtract(crypto, EMPTY, { suite: KEM_SUITE, label: 'eae_prk', secret: dh });
  return labelledExpand(crypto, prk, { suite: KEM_SUITE, label: 'shared_secret', info: kemContext, length: 32 });
}

export interface Schedule {
  readonly sharedSecret: Uint8Array;
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/** RFC 9180 section 5.1, KeySchedule with no psk. The nonce of the first message is base_nonce itself (section 5.2). */
function schedule(crypto: Crypto, secret: Uint8Array, { aead, info }: { aead: Aead; info: Uint8Array }): Schedule {
  const suite = hpkeSuite(aead);
  const pskIdHash = labelledExtract(crypto, EMPTY, { suite, label: 'psk_id_hash', secret: EMPTY });
  const infoHash = labelledExtract(crypto, EMPTY, { suite, label: 'info_hash', secret: info });
  const context = concat(uint(MODE_BASE, 1), pskIdHash, infoHash);
  const prk = labelledExtract(crypto, secret, { suite, label: 'secret', secret: EMPTY });
  return {
    sharedSecret: secret,
    key: labelledExpand(crypto, prk, { suite, label: 'key', info: context, length: aead.keyLength }),
    nonce: labelledExpand(crypto, prk, { suite, label: 'base_nonce', info: context, length: 12 }),
  };
}

export interface HpkeContext {
  readonly aead: Aead;
  readonly info: Uint8Array;
}

/** RFC 9180 section 4.1 Encap and section 5.1.1 SetupBaseS. Undefined for a recipient key of low order. */
export function setupSender(crypto: Crypto, recipient: Uint8Array, context: HpkeContext) {
  checkBytes(recipient, 'recipient', 32);
  const ephemeral = generateX25519(crypto);
  const dh = crypto.x25519(ephemeral.privateKey, recipient);
  if (dh === undefined) return undefined;
  const enc = ephemeral.publicKey;
  return { enc, ...schedule(crypto, sharedSecret(crypto, dh, concat(enc, recipient)), context) };
}

/** RFC 9180 section 4.1 Decap and section 5.1.1 SetupBaseR. */
export function setupReceiver(crypto: Crypto, own: KeyPair, { enc, ...context }: HpkeContext & { enc: Uint8Array }) {
  checkPair(own, 'own');
  const dh = crypto.x25519(own.privateKey, enc);
  return dh && schedule(crypto, sharedSecret(crypto, dh, concat(enc, own.publicKey)), context);
}
