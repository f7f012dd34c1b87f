import { concat, uint, utf8 } from './bytes.ts';
import { checkBytes, checkPair } from './check.ts';
import { expand, extract } from './hkdf.ts';
import { type Crypto, generateX25519, type KeyPair } from './provider/crypto.ts';

// HPKE (RFC 9180), base mode, one message per encapsulation: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-GCM.

const EMPTY = new Uint8Array(0);
const KEM_ID = 0x0020;
const KDF_ID = 0x0001;
const MODE_BASE = 0x00;

/** What every labelled input begins with (RFC 9180 section 4). */
const labelled = (suite: Uint8Array, label: string) => concat(utf8('HPKE-v1'), suite, utf8(label));

const KEM_SUITE = concat(utf8('KEM'), uint(KEM_ID, 2));
const EAE_PRK = labelled(KEM_SUITE, 'eae_prk');
const SHARED_SECRET = labelled(KEM_SUITE, 'shared_secret');

type Aead = ReturnType<typeof defineAead>;

/** RFC 9180 section 7.3. */
export function defineAead(id: number, keyLength: 16 | 32) {
  const suite = concat(utf8('HPKE'), uint(KEM_ID, 2), uint(KDF_ID, 2), uint(id, 2));
  return {
    keyLength,
    pskIdHash: labelled(suite, 'psk_id_hash'),
    infoHash: labelled(suite, 'info_hash'),
    secret: labelled(suite, 'secret'),
    key: labelled(suite, 'key'),
    baseNonce: labelled(suite, 'base_nonce'),
  };
}

export const AES_256_GCM = defineAead(0x0002, 32);

/** RFC 9180 section 4, LabeledExtract. */
function labelledExtract(crypto: Crypto, salt: Uint8Array, { label, secret }: Record<'label' | 'secret', Uint8Array>) {
  return extract(crypto, salt, concat(label, secret));
}

/** RFC 9180 section 4, LabeledExpand. */
function labelledExpand(
  crypto: Crypto,
  prk: Uint8Array,
  { label, info, length }: { label: Uint8Array; info: Uint8Array; length: number },
) {
  return expand(crypto, prk, { info: concat(uint(length, 2), label, info), length });
}

/** RFC 9180 section 4.1, ExtractAndExpand with kem_context = enc || pkRm. */
function sharedSecret(crypto: Crypto, dh: Uint8Array, kemContext: Uint8Array): Uint8Array {
  const prk = labelledExtract(crypto, EMPTY, { label: EAE_PRK, secret: dh });
  return labelledExpand(crypto, prk, { label: SHARED_SECRET, info: kemContext, length: 32 });
}

export interface Schedule {
  readonly sharedSecret: Uint8Array;
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/** Depends on the suite and the info alone, and we have one of each. */
const contexts = new WeakMap<Uint8Array, Uint8Array>();

function scheduleContext(crypto: Crypto, aead: Aead, info: Uint8Array): Uint8Array {
  const known = aead === AES_256_GCM ? contexts.get(info) : undefined;
  if (known !== undefined) return known;
  const pskIdHash = labelledExtract(crypto, EMPTY, { label: aead.pskIdHash, secret: EMPTY });
  const infoHash = labelledExtract(crypto, EMPTY, { label: aead.infoHash, secret: info });
  const context = concat(uint(MODE_BASE, 1), pskIdHash, infoHash);
  if (aead === AES_256_GCM) contexts.set(info, context);
  return context;
}

/** RFC 9180 section 5.1, KeySchedule with no psk. The nonce of the first message is base_nonce itself (section 5.2). */
function schedule(crypto: Crypto, secret: Uint8Array, { aead, info }: { aead: Aead; info: Uint8Array }): Schedule {
  const context = scheduleContext(crypto, aead, info);
  const prk = labelledExtract(crypto, secret, { label: aead.secret, secret: EMPTY });
  return {
    sharedSecret: secret,
    key: labelledExpand(crypto, prk, { label: aead.key, info: context, length: aead.keyLength }),
    nonce: labelledExpand(crypto, prk, { label: aead.baseNonce, info: context, length: 12 }),
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
