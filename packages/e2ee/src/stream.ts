import { canonicalise } from '@parley/documents';
import type { Sender } from '@parley/protocol';
import { concat, uint, utf8, wipe } from './bytes.ts';
import { checkBytes, checkPair } from './check.ts';
import { hkdf } from './hkdf.ts';
import type { Crypto, KeyPair } from './provider/crypto.ts';

// Streamed text: the stream's key comes in an ordinary sealed message, and each delta is sealed under it by its number.
// Everyone in the conversation holds that key, so each delta is signed as well (EE-3): otherwise a member of a group
// could put words into another's mouth.

const NO_SALT = new Uint8Array(0);
const DOMAIN = 'parley-stream-delta-v1\n';
const SIGNATURE = 64;

/** What the key of a stream is bound to. */
export interface StreamBinding {
  readonly conversationId: string;
  readonly streamId: string;
  readonly sender: Sender;
}

/** One direction of one stream. Nothing in it is ever altered: each delta makes a new one. */
export interface StreamState {
  readonly key: Uint8Array;
  readonly context: string;
  /** The number of the next delta. */
  readonly next: number;
}

export interface SealedDelta {
  readonly state: StreamState;
  readonly index: number;
  /** Ciphertext, tag, signature. */
  readonly sealed: Uint8Array;
}

export interface OpenedDelta {
  readonly ok: true;
  readonly state: StreamState;
  readonly plaintext: Uint8Array;
  /** How many deltas before it are missing. */
  readonly missed: number;
}
/** `replayed`: that number or a later one was opened before; `delta`: altered, from another stream or someone else. */
export interface DeltaRefused {
  readonly ok: false;
  readonly problem: 'replayed' | 'delta';
}

/** Derives a key that differs by conversation, stream and sender, so that delta numbers may start from 0 in each. */
export function startStream(crypto: Crypto, streamKey: Uint8Array, binding: StreamBinding): StreamState {
  checkBytes(streamKey, 'streamKey', 32);
  const { conversationId: conversation_id, streamId: stream_id, sender } = binding;
  const { kind, id, device_id } = sender;
  const named = device_id === undefined ? { kind, id } : { kind, id, device_id };
  const context = `parley-stream-v1\n${canonicalise({ conversation_id, stream_id, sender: named })}`;
  const key = hkdf(crypto, { secret: streamKey, salt: NO_SALT, info: utf8(context), length: 32 });
  return { key, context, next: 0 };
}

/** Seals a delta, and signs it by the sender's identity key. */
export function sealDelta(
  crypto: Crypto,
  state: StreamState,
  { plaintext, identity }: { readonly plaintext: Uint8Array; readonly identity: KeyPair },
): SealedDelta {
  checkBytes(plaintext, 'plaintext');
  checkPair(identity, 'identity');
  const { key, next: index } = state;
  const ciphertext = crypto.encrypt(plaintext, { key, ...boundTo(state, index) });
  const signature = crypto.sign(identity.privateKey, signedBytes(state, index, ciphertext));
  return { state: { ...state, next: index + 1 }, index, sealed: concat(ciphertext, signature) };
}

/** Opens a delta. Deltas are transient: some may be missing, but none is opened twice or after a later one. */
export function openDelta(
  crypto: Crypto,
  state: StreamState,
  { index, sealed, identityKey }: { index: number; sealed: Uint8Array; identityKey: Uint8Array },
): OpenedDelta | DeltaRefused {
  checkBytes(sealed, 'sealed');
  checkBytes(identityKey, 'identityKey', 32);
  if (!Number.isSafeInteger(index) || index < 0 || sealed.length < SIGNATURE) return { ok: false, problem: 'delta' };
  if (index < state.next) return { ok: false, problem: 'replayed' };
  const ciphertext = sealed.subarray(0, -SIGNATURE);
  const isSigned = crypto.verify(identityKey, signedBytes(state, index, ciphertext), sealed.subarray(-SIGNATURE));
  const plaintext = isSigned ? crypto.decrypt(ciphertext, { key: state.key, ...boundTo(state, index) }) : undefined;
  if (plaintext === undefined) return { ok: false, problem: 'delta' };
  return { ok: true, state: { ...state, next: index + 1 }, plaintext, missed: index - state.next };
}

/** Wipes the key after the last delta. */
export function endStream({ key }: StreamState): void {
  wipe([key]);
}

/** A number is used once under a key, so it may be the nonce. */
function boundTo({ context }: StreamState, index: number): { nonce: Uint8Array; aad: Uint8Array } {
  return { nonce: uint(index, 12), aad: utf8(`${context}\n${index}`) };
}

function signedBytes({ context }: StreamState, index: number, ciphertext: Uint8Array): Uint8Array {
  return concat(utf8(`${DOMAIN}${context}\n${index}\n`), ciphertext);
}
