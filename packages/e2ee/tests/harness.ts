import { canonicalise } from '@parley/documents';
import type { Envelope, Header, Sender } from '@parley/protocol';
import { toBase64Url, utf8, wipe } from '../src/bytes.ts';
import {
  addressOf,
  type Certificate,
  type ConnectionMode,
  type Crypto,
  createPeer,
  type Group,
  generateEd25519,
  generateX25519,
  type KeyPair,
  type Opened,
  type OwnKeys,
  open,
  type Peer,
  type PublicIdentity,
  type Recipient,
  type Refused,
  readState,
  seal,
  signStatement,
  startRatchetSession,
  type VerifiedPrekeyBundle,
  writeState,
} from '../src/index.ts';
import { signEnvelope } from '../src/signature.ts';

export const CONVERSATION = '01900000-0000-7000-8000-00000000c0de';
export const OTHER_CONVERSATION = '01900000-0000-7000-8000-00000000beef';

export const uuid = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** Random bytes that are the same in every run: SHA-256 of the seed and a count. */
export function seeded(crypto: Crypto, seed: string): Crypto {
  let count = 0;
  return {
    ...crypto,
    randomBytes(length) {
      const bytes = new Uint8Array(length);
      for (let offset = 0; offset < length; offset += 32) {
        bytes.set(crypto.sha256(utf8(`${seed}/${count++}`)).subarray(0, length - offset), offset);
      }
      return bytes;
    },
  };
}

export function makeKeys(crypto: Crypto, sender: Sender, oneTimePrekeys = 3): OwnKeys {
  const prekeys = Array.from({ length: oneTimePrekeys }, (_, index) => [index + 1, generateX25519(crypto)] as const);
  return {
    sender,
    identity: generateEd25519(crypto),
    exchange: generateX25519(crypto),
    signedPrekeys: new Map([[1, generateX25519(crypto)]]),
    oneTimePrekeys: new Map(prekeys),
  };
}

/** EE-14: as devices of the version before made it; nothing in `src` does any more. */
export function certify(
  crypto: Crypto,
  accountKey: KeyPair,
  { createdAt, ...subject }: PublicIdentity & { accountId: string; deviceId?: string; createdAt: string },
): Certificate {
  const statement = {
    purpose: 'parley-device-v1' as const,
    account_id: subject.accountId,
    ...(subject.deviceId === undefined ? {} : { device_id: subject.deviceId }),
    identity_key: toBase64Url(subject.identityKey),
    exchange_key: toBase64Url(subject.exchangeKey),
    created_at: createdAt,
  };
  return { ...statement, signature: signStatement(crypto, statement, accountKey) };
}

/** What the server would hand out, as if it had been verified. */
function bundleOf(own: OwnKeys, oneTimeId?: number): VerifiedPrekeyBundle {
  const [keyId, { publicKey }] = [...own.signedPrekeys].at(-1)!;
  const bundle = {
    identityKey: own.identity.publicKey,
    exchangeKey: own.exchange.publicKey,
    signedPrekey: { keyId, publicKey },
  };
  if (oneTimeId === undefined) return bundle;
  return { ...bundle, oneTimePrekey: { keyId: oneTimeId, publicKey: own.oneTimePrekeys.get(oneTimeId)!.publicKey } };
}

export const humanDevice = (n: number): Sender => ({ kind: 'human', id: uuid(n), device_id: uuid(n + 0x1000) });
export const agent = (n: number): Sender => ({ kind: 'agent', id: uuid(n) });

export interface SealOptions extends Partial<Header> {
  readonly mode?: ConnectionMode;
}
export interface OpenOptions {
  readonly mode?: ConnectionMode;
  readonly conversationId?: string;
  readonly notBefore?: string;
}

/** Made anew by a sender who misbehaves, with a signature that is right. */
export function resign({ crypto, own }: Endpoint, envelope: Envelope): Envelope {
  const signed = { ...envelope, header: canonicalise(envelope.header) };
  return { ...envelope, signature: signEnvelope(crypto, signed, own.identity) };
}

/** A device that saves, wipes and reads back what it holds after every step, as a keystore would. */
export class Endpoint {
  readonly crypto: Crypto;
  own: OwnKeys;
  readonly peers = new Map<string, Peer>();
  group: Group | undefined;
  private sent = 0;

  constructor(crypto: Crypto, sender: Sender) {
    this.crypto = crypto;
    this.own = makeKeys(crypto, sender);
  }

  get address(): string {
    return addressOf(this.own.sender);
  }

  meet(other: Endpoint): void {
    this.peers.set(
      other.address,
      createPeer(other.own.sender, {
        identityKey: other.own.identity.publicKey,
        exchangeKey: other.own.exchange.publicKey,
      }),
    );
  }

  peer(other: Endpoint): Peer {
    if (!this.peers.has(other.address)) this.meet(other);
    return this.peers.get(other.address)!;
  }

  begin(other: Endpoint, oneTimeId?: number): void {
    const peer = startRatchetSession(this.crypto, this.own, {
      peer: this.peer(other),
      bundle: bundleOf(other.own, oneTimeId),
    });
    this.peers.set(other.address, peer!);
  }

  header(changes: Partial<Header> = {}): Header {
    const n = this.sent++;
    return {
      version: 1,
      conversation_id: CONVERSATION,
      sender: this.own.sender,
      client_message_id: `m-${n}`,
      content_type: 'text',
      msg_subtype: 'text',
      created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      ...changes,
    };
  }

  recipient(other: Endpoint, mode: ConnectionMode = 'websocket'): Recipient {
    const peer = this.peer(other);
    return mode === 'webhook' ? { mode, peer, prekey: bundleOf(other.own).signedPrekey } : { mode, peer };
  }

  seal(text: string, to: readonly Endpoint[], { mode, ...changes }: SealOptions = {}): Envelope {
    const sealed = seal(this.crypto, this.own, {
      header: this.header(changes),
      plaintext: utf8(text),
      recipients: to.map((other) => this.recipient(other, mode)),
      ...(this.group === undefined ? {} : { group: this.group }),
    });
    if (!sealed.ok) throw new Error(sealed.problem);
    for (const peer of sealed.peers) this.peers.set(addressOf(peer.sender), peer);
    this.group = sealed.group;
    this.save(sealed.consumed);
    return JSON.parse(JSON.stringify(sealed.envelope));
  }

  /** Opens without keeping anything. */
  tryOpen(envelope: unknown, from: Endpoint, options: OpenOptions = {}): Opened | Refused {
    const { mode = 'websocket', conversationId = CONVERSATION, notBefore } = options;
    return open(this.crypto, envelope, {
      own: this.own,
      peer: this.peer(from),
      conversationId,
      mode,
      ...(this.group === undefined ? {} : { group: this.group }),
      ...(notBefore === undefined ? {} : { notBefore }),
    });
  }

  /** The text, or the problem. */
  open(envelope: unknown, from: Endpoint, options: OpenOptions = {}): string {
    const opened = this.tryOpen(envelope, from, options);
    if (!opened.ok) return `! ${opened.problem}`;
    this.peers.set(from.address, opened.peer);
    this.group = opened.group ?? this.group;
    if (opened.spentPrekey !== undefined) {
      const left = new Map(this.own.oneTimePrekeys);
      left.delete(opened.spentPrekey);
      this.own = { ...this.own, oneTimePrekeys: left };
    }
    const text = new TextDecoder().decode(opened.plaintext);
    this.save(opened.consumed);
    return text;
  }

  private save(consumed: readonly Uint8Array[]): void {
    const saved = writeState({ own: this.own, peers: this.peers, group: this.group ?? null });
    wipe(consumed);
    const again = readState<{ own: OwnKeys; peers: Map<string, Peer>; group: Group | null }>(saved);
    // What was consumed must not be part of what is kept.
    if (writeState({ own: this.own, peers: this.peers, group: this.group ?? null }) !== saved) {
      throw new Error('a consumed key is still in use');
    }
    this.own = again.own;
    for (const [address, peer] of again.peers) this.peers.set(address, peer);
    this.group = again.group ?? undefined;
  }
}
