import type { keyRoutes, ReplyOf } from '@parley/protocol';
import { fromBase64Url } from '../bytes.ts';
import type { PublicIdentity } from '../handshake.ts';
import type { Crypto } from '../provider/crypto.ts';
import { verifyCertificate } from './device.ts';
import { verifyPrekey } from './prekey.ts';

export type WirePrekeyBundle = ReplyOf<typeof keyRoutes.takeBundles>['bundles'][number];

export interface PublicPrekey {
  readonly keyId: number;
  readonly publicKey: Uint8Array;
}

/** The keys for a first message to someone, handed out by the server and verified to be theirs. */
export interface VerifiedPrekeyBundle extends PublicIdentity {
  readonly signedPrekey: PublicPrekey;
  readonly oneTimePrekey?: PublicPrekey;
}

/** For a person the account key is pinned (EE-14), for an agent its identity key (EE-9). */
export type Pin =
  | { readonly kind: 'device'; readonly id: string; readonly accountId: string; readonly accountKey: string }
  | { readonly kind: 'agent'; readonly id: string; readonly identityKey: string };

export type PrekeyBundleProblem =
  | 'other'
  | 'uncertified'
  | 'identity_changed'
  | 'prekey_missing'
  | 'prekey'
  | 'malformed';

/** Verifies a bundle: everything in it comes from a server that may lie. */
export function verifyPrekeyBundle(
  crypto: Crypto,
  bundle: WirePrekeyBundle,
  pin: Pin,
): { ok: true; bundle: VerifiedPrekeyBundle } | { ok: false; problem: PrekeyBundleProblem } {
  const problem = findProblem(crypto, bundle, pin);
  if (problem !== undefined) return { ok: false, problem };
  const identityKey = readKey(bundle.identity_key);
  const exchangeKey = readKey(bundle.exchange_key);
  const signedPrekey = readPrekey(bundle.signed_prekey);
  const oneTimePrekey = readPrekey(bundle.one_time_prekey);
  if (identityKey === undefined || exchangeKey === undefined || signedPrekey === undefined) {
    return { ok: false, problem: 'malformed' };
  }
  if (bundle.one_time_prekey !== null && oneTimePrekey === undefined) return { ok: false, problem: 'malformed' };
  const keys = { identityKey, exchangeKey, signedPrekey };
  return { ok: true, bundle: oneTimePrekey === undefined ? keys : { ...keys, oneTimePrekey } };
}

function findProblem(crypto: Crypto, bundle: WirePrekeyBundle, pin: Pin): PrekeyBundleProblem | undefined {
  if (bundle.kind !== pin.kind || bundle.id !== pin.id) return 'other';
  if (pin.kind === 'agent') {
    if (bundle.identity_key !== pin.identityKey) return 'identity_changed';
  } else {
    const subject = { ...pin, deviceId: pin.id, identity_key: bundle.identity_key, exchange_key: bundle.exchange_key };
    if (bundle.certificate === null || !verifyCertificate(crypto, bundle.certificate, subject)) return 'uncertified';
  }
  if (bundle.signed_prekey === null) return 'prekey_missing';
  return verifyPrekey(crypto, bundle.signed_prekey, bundle.identity_key) ? undefined : 'prekey';
}

function readKey(text: string): Uint8Array | undefined {
  const key = fromBase64Url(text);
  return key?.length === 32 ? key : undefined;
}

function readPrekey(prekey: { key_id: number; public_key: string } | null): PublicPrekey | undefined {
  const publicKey = prekey === null ? undefined : readKey(prekey.public_key);
  return publicKey && { keyId: prekey!.key_id, publicKey };
}
