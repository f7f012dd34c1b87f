import { canonicalise } from '@parley/documents';
import { type Envelope, type Header, labelFits } from '@parley/protocol';
import { toBase64Url, wipe } from './bytes.ts';
import { checkBytes, checkPair } from './check.ts';
import { sealContent } from './content.ts';
import { type Group, groupKeyFor, withKey, wrapUnderGroup } from './group.ts';
import { addressOf, isSameSender, type OwnKeys, type Peer, peerName } from './peer.ts';
import type { Crypto } from './provider/crypto.ts';
import { sealInSession } from './ratchet-session.ts';
import { signEnvelope } from './signature.ts';
import type { ConnectionMode } from './statements/mode.ts';
import type { PublicPrekey } from './statements/prekey-bundle.ts';
import { wrapSecret } from './wrap.ts';
import { type DeviceWrap, type HpkeWrap, wrapContext } from './wraps.ts';

/** Uses the ratchet, unless the agent on either side said that it keeps no state (EE-7). */
export type Recipient =
  | { readonly mode: Exclude<ConnectionMode, 'webhook'>; readonly peer: Peer }
  | { readonly mode: 'webhook'; readonly peer: Peer; readonly prekey: PublicPrekey };

export interface Message {
  readonly header: Header;
  readonly plaintext: Uint8Array;
  readonly recipients: readonly Recipient[];
  /** The group of a group conversation; the recipients are then all other devices of its members. */
  readonly group?: Group;
  /** True if the sender keeps no state (EE-7), so that its messages under a group key cannot be counted. */
  readonly isStateless?: boolean;
}

export interface Sealed {
  readonly ok: true;
  readonly envelope: Envelope;
  /** Save these before the envelope is sent: a message key must never be used twice. */
  readonly peers: readonly Peer[];
  readonly group?: Group;
  /** Wipe these keys after that. */
  readonly consumed: readonly Uint8Array[];
}
/** `session_missing`: begin one with the peer's bundle; `recipient_key`: a key of low order. */
export interface NotSealed {
  readonly ok: false;
  readonly problem: 'session_missing' | 'recipient_key';
  readonly address: string;
}

export function seal(crypto: Crypto, own: OwnKeys, message: Message): Sealed | NotSealed {
  checkMessage(own, message);
  const { header, plaintext, recipients, group, isStateless = false } = message;
  const headerText = canonicalise(header);
  const { cek, ciphertext } = sealContent(crypto, plaintext, headerText);
  const sealed =
    group === undefined
      ? wrapForAll(crypto, recipients, { secret: cek, header: headerText, carries: 'content' })
      : wrapForGroup(crypto, own, { cek, header: headerText, recipients, group, isStateless });
  wipe([cek]);
  if (!sealed.ok) return sealed;
  const { wraps, ...rest } = sealed;
  const content = { ciphertext: toBase64Url(ciphertext), wraps };
  const signature = signEnvelope(crypto, { ...content, header: headerText }, own.identity);
  return { ...rest, envelope: { header, ...content, signature } };
}

type Wrapped = Omit<Sealed, 'envelope'> & { readonly wraps: Envelope['wraps'] };

function wrapForGroup(
  crypto: Crypto,
  own: OwnKeys,
  what: { cek: Uint8Array; header: string; recipients: readonly Recipient[]; group: Group; isStateless: boolean },
): Wrapped | NotSealed {
  const { cek, header, recipients, group, isStateless } = what;
  const members = [addressOf(own.sender), ...recipients.map(({ peer }) => addressOf(peer.sender))];
  const makers = recipients.map(({ peer }) => peerName(peer.sender, peer.identityKey));
  const { key, fresh } = groupKeyFor(crypto, group, {
    members,
    makers: [peerName(own.sender, own.identity.publicKey), ...makers],
  });
  const given = wrapForAll(crypto, fresh ? recipients : [], { secret: key.key, header, carries: `group:${key.id}` });
  if (!given.ok) return given;
  const context = wrapContext(header, key.id, 'content');
  const n = isStateless ? undefined : (key.sent ?? 0);
  const wraps = [wrapUnderGroup(crypto, key, { secret: cek, context, n }), ...given.wraps];
  return { ...given, wraps, group: withKey(group, n === undefined ? key : { ...key, sent: n + 1 }) };
}

function wrapForAll(
  crypto: Crypto,
  recipients: readonly Recipient[],
  what: { secret: Uint8Array; header: string; carries: 'content' | `group:${string}` },
): Wrapped | NotSealed {
  const wraps: DeviceWrap[] = [];
  const peers: Peer[] = [];
  const consumed: Uint8Array[] = [];
  for (const recipient of recipients) {
    const to = addressOf(recipient.peer.sender);
    const context = wrapContext(what.header, to, what.carries);
    if (recipient.mode === 'webhook') {
      const wrap = wrapWithHpke(crypto, what.secret, { to, prekey: recipient.prekey, context });
      if (wrap === undefined) return { ok: false, problem: 'recipient_key', address: to };
      wraps.push(wrap);
      continue;
    }
    const sealed = sealInSession(crypto, recipient.peer, { secret: what.secret, to, context });
    if (sealed === undefined) return { ok: false, problem: 'session_missing', address: to };
    wraps.push(sealed.wrap);
    peers.push(sealed.peer);
    consumed.push(...sealed.consumed);
  }
  return { ok: true, wraps, peers, consumed };
}

function wrapWithHpke(
  crypto: Crypto,
  secret: Uint8Array,
  { to, prekey, context }: { to: string; prekey: PublicPrekey; context: Uint8Array },
): HpkeWrap | undefined {
  const sealed = wrapSecret(crypto, secret, { publicKey: prekey.publicKey, aad: context });
  return (
    sealed && {
      kind: 'hpke',
      to,
      prekey_id: prekey.keyId,
      enc: toBase64Url(sealed.enc),
      ct: toBase64Url(sealed.ciphertext),
    }
  );
}

function checkMessage(own: OwnKeys, { header, plaintext, recipients, group }: Message): void {
  checkPair(own.identity, 'own.identity');
  checkBytes(plaintext, 'plaintext');
  if (!isSameSender(header.sender, own.sender)) throw new TypeError('header.sender must be own.sender');
  if (!labelFits(header)) throw new TypeError('header.msg_subtype must fit header.content_type and the sender');
  if (group !== undefined && group.conversationId !== header.conversation_id) {
    throw new TypeError('group must be of the conversation in header');
  }
  const addresses = [own.sender, ...recipients.map(({ peer }) => peer.sender)].map(addressOf);
  if (new Set(addresses).size < addresses.length) throw new TypeError('recipients must be other devices, each once');
}
