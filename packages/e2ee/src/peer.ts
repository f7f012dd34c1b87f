import type { Sender } from '@parley/protocol';
import { isEqual, toBase64Url } from './bytes.ts';
import type { PublicIdentity } from './handshake.ts';
import type { KeyPair } from './provider/crypto.ts';
import type { RatchetState } from './ratchet/state.ts';
import type { ReplayGuard } from './replay.ts';
import type { Handshake } from './wraps.ts';

/** The keys of this device or agent (EE-10). */
export interface OwnKeys {
  readonly sender: Sender;
  readonly identity: KeyPair;
  readonly exchange: KeyPair;
  readonly signedPrekeys: ReadonlyMap<number, KeyPair>;
  readonly oneTimePrekeys: ReadonlyMap<number, KeyPair>;
}

/** A Double Ratchet between two devices, or a device and an agent. */
export interface RatchetSession {
  /** The ephemeral key of its handshake, as text. */
  readonly id: string;
  readonly associated: Uint8Array;
  readonly ratchet: RatchetState;
  /** Sent with every message until the other side has answered: any of them may arrive first. */
  readonly handshake?: Handshake;
}

/** Everything known about one other device or agent. Its identity key is pinned, or certified under a pinned one. */
export interface Peer {
  readonly sender: Sender;
  readonly identityKey: Uint8Array;
  /** The exchange key of a device, as certified. An agent's is signed with the handshake that brings it. */
  readonly exchangeKey?: Uint8Array;
  /** The first session is used for writing; messages may still arrive in the others. */
  readonly sessions: readonly RatchetSession[];
  /** By conversation. */
  readonly replay: ReadonlyMap<string, ReplayGuard>;
  /**
   * Sessions that the other side began without a one-time prekey. Nothing else keeps their first message from beginning
   * them again (EE-22), once they are no longer among `sessions`.
   */
  readonly begun?: readonly BegunSession[];
}

interface BegunSession {
  readonly id: string;
  readonly signedPrekeyId: number;
}

/** Returns the address that wraps name. */
export function addressOf(sender: Sender): string {
  return sender.device_id ?? sender.id;
}

/** The whole name of a peer (EE-22): no other account can have it, nor the same one with another key. */
export function peerName({ kind, id, device_id = '' }: Sender, identityKey: Uint8Array, separator = ' '): string {
  return kind + separator + id + separator + device_id + separator + textOf(identityKey);
}

/** A name is asked for several times with each message. */
const texts = new WeakMap<Uint8Array, string>();

function textOf(key: Uint8Array): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = toBase64Url(key);
  texts.set(key, text);
  return text;
}

export function isSameSender(a: Sender, b: Sender): boolean {
  return a.kind === b.kind && a.id === b.id && a.device_id === b.device_id;
}

/** An agent speaks for itself; for a person, always one device does. */
export function isWhole(sender: Sender): boolean {
  return (sender.kind === 'human') === (sender.device_id !== undefined);
}

export function createPeer(sender: Sender, identity: { identityKey: Uint8Array; exchangeKey?: Uint8Array }): Peer {
  const { identityKey, exchangeKey } = identity;
  return {
    sender,
    identityKey,
    ...(exchangeKey === undefined ? {} : { exchangeKey }),
    sessions: [],
    replay: new Map(),
  };
}

/** Is it the key that was pinned (EE-9)? */
export function isPinned(peer: Peer, { identityKey }: Pick<PublicIdentity, 'identityKey'>): boolean {
  return isEqual(peer.identityKey, identityKey);
}
