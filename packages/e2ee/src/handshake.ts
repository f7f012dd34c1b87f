import { concat, utf8, wipe } from './bytes.ts';
import { checkBytes, checkPair } from './check.ts';
import { hkdf } from './hkdf.ts';
import { type Crypto, generateX25519, type KeyPair } from './provider/crypto.ts';

// L5 (EE-5): X3DH. Our identities have one key for signing and one for exchange, so no key has two uses. The signing
// key signs the signed prekey (statement) and the first message (L3), and is part of the associated data.

const INFO = utf8('parley-x3dh-v1');
const NO_SALT = new Uint8Array(32);
/** F of section 2.2: what no encoded point begins with. */
const PREFIX = new Uint8Array(32).fill(0xff);

/** The two public keys of a device or agent. */
export interface PublicIdentity {
  readonly identityKey: Uint8Array;
  readonly exchangeKey: Uint8Array;
}

/** What both sides of a handshake derive. */
export interface Agreement {
  readonly secret: Uint8Array;
  /** AD of section 3.3: both identities, the initiator's first. */
  readonly associated: Uint8Array;
}

export interface PrekeyBundle extends PublicIdentity {
  readonly signedPrekey: Uint8Array;
  readonly oneTimePrekey?: Uint8Array;
}

/** Section 3.3, sending the initial message. Undefined if a key of the bundle is of low order. */
export function initiate(
  crypto: Crypto,
  own: { readonly identityKey: Uint8Array; readonly exchange: KeyPair },
  bundle: PrekeyBundle,
): (Agreement & { readonly ephemeralKey: Uint8Array }) | undefined {
  checkPair(own.exchange, 'own.exchange');
  checkBundle(bundle);
  const { signedPrekey, oneTimePrekey, exchangeKey } = bundle;
  const ephemeral = generateX25519(crypto);
  const secrets = [
    crypto.x25519(own.exchange.privateKey, signedPrekey),
    crypto.x25519(ephemeral.privateKey, exchangeKey),
    crypto.x25519(ephemeral.privateKey, signedPrekey),
    ...(oneTimePrekey === undefined ? [] : [crypto.x25519(ephemeral.privateKey, oneTimePrekey)]),
  ];
  wipe([ephemeral.privateKey]);
  const initiator = { identityKey: own.identityKey, exchangeKey: own.exchange.publicKey };
  const agreement = agree(crypto, secrets, { initiator, responder: bundle });
  return agreement && { ...agreement, ephemeralKey: ephemeral.publicKey };
}

export interface Responding {
  readonly own: { readonly identityKey: Uint8Array; readonly exchange: KeyPair };
  readonly signedPrekey: KeyPair;
  readonly oneTimePrekey?: KeyPair;
}

/** Section 3.4, receiving the initial message. */
export function respond(
  crypto: Crypto,
  { own, signedPrekey, oneTimePrekey }: Responding,
  initiator: PublicIdentity & { readonly ephemeralKey: Uint8Array },
): Agreement | undefined {
  const { exchangeKey, ephemeralKey } = initiator;
  const secrets = [
    crypto.x25519(signedPrekey.privateKey, exchangeKey),
    crypto.x25519(own.exchange.privateKey, ephemeralKey),
    crypto.x25519(signedPrekey.privateKey, ephemeralKey),
    ...(oneTimePrekey === undefined ? [] : [crypto.x25519(oneTimePrekey.privateKey, ephemeralKey)]),
  ];
  const responder = { identityKey: own.identityKey, exchangeKey: own.exchange.publicKey };
  return agree(crypto, secrets, { initiator, responder });
}

function agree(
  crypto: Crypto,
  secrets: readonly (Uint8Array | undefined)[],
  { initiator, responder }: { initiator: PublicIdentity; responder: PublicIdentity },
): Agreement | undefined {
  const known = secrets.filter((secret) => secret !== undefined);
  if (known.length < secrets.length) return undefined;
  const input = concat(PREFIX, ...known);
  const secret = hkdf(crypto, { secret: input, salt: NO_SALT, info: INFO, length: 32 });
  wipe([input, ...known]);
  const associated = concat(initiator.identityKey, initiator.exchangeKey, responder.identityKey, responder.exchangeKey);
  return { secret, associated };
}

function checkBundle({ identityKey, exchangeKey, signedPrekey, oneTimePrekey }: PrekeyBundle): void {
  checkBytes(identityKey, 'bundle.identityKey', 32);
  checkBytes(exchangeKey, 'bundle.exchangeKey', 32);
  checkBytes(signedPrekey, 'bundle.signedPrekey', 32);
  if (oneTimePrekey !== undefined) checkBytes(oneTimePrekey, 'bundle.oneTimePrekey', 32);
}
