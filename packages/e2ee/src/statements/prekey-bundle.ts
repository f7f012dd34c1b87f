import type { keyRoutes, ReplyOf } from '@parley/protocol';
import { fromBase64Url } from '../bytes.ts';
import type { PublicIdentity } from '../handshake.ts';
import type { Crypto } from '../provider/crypto.ts';
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

/** Of a device both keys are listed (EE-18), of an agent the identity key is pinned (EE-9). */
export type Pin =
  | { readonly kind: 'device'; readonly id: string; readonly identityKey: string; readonly exchangeKey: string }
  | { readonly kind: 'agent'; readonly id: string; readonly identityKey: string };

export type PrekeyBundleProblem = 'other' | 'identity_changed' | 'prekey_missing' | 'prekey' | 'malformed';

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
  if (bundle.identity_key !== pin.identityKey) return 'identity_changed';
  if (pin.kind === 'device' && bundle.exchange_key !== pin.exchangeKey) return 'identity_changed';
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
