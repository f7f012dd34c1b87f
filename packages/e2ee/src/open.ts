import { canonicalise } from '@parley/documents';
import { Envelope, type Header, isValid, labelFits } from '@parley/protocol';
import { fromBase64Url, wipe } from './bytes.ts';
import { openContent } from './content.ts';
import { adoptKey, type Group, unwrapUnderGroup } from './group.ts';
import { addressOf, isSameSender, isWhole, type OwnKeys, type Peer, peerName } from './peer.ts';
import type { Crypto } from './provider/crypto.ts';
import { openInSession, type SessionRefused } from './ratchet-session.ts';
import { findRepetition, NOTHING_SEEN, remember, type Seen } from './replay.ts';
import { verifyEnvelope } from './signature.ts';
import { type ConnectionMode, isRatcheted } from './statements/mode.ts';
import { unwrapSecret } from './wrap.ts';
import { type DeviceWrap, type HpkeWrap, type ReadWraps, readWraps, wrapContext } from './wraps.ts';

export interface Opening {
  readonly own: OwnKeys;
  /** The party that the message must be from. */
  readonly peer: Peer;
  readonly conversationId: string;
  /** The connection mode that was promised between the two (EE-7): anything weaker is refused. */
  readonly mode: ConnectionMode;
  /** Only in a group conversation. */
  readonly group?: Group;
  /** Refuses messages that were created earlier (SK-5), where no state tells a replay from a new message. */
  readonly notBefore?: string;
}

export interface Opened {
  readonly ok: true;
  readonly header: Header;
  readonly plaintext: Uint8Array;
  /** True if no other device was given a key to it. */
  readonly isForUsAlone: boolean;
  /** Save this before the message is acknowledged. */
  readonly peer: Peer;
  readonly group?: Group;
  /** The one-time prekey to delete in the same write. */
  readonly spentPrekey?: number;
  /** Wipe these keys after that. */
  readonly consumed: readonly Uint8Array[];
}

/**
 * `malformed`, `conversation`, `sender`, `label`: not what was expected here; `signature`: altered or forged;
 * `replayed`: opened before; `stale`: too old to tell whether it was; `not_addressed`: nothing in it for us; `downgraded`: weaker than promised; `session_unknown`,
 * `prekey_unknown`, `group_key_unknown`: the sender believes that we hold a key we do not; `sender_key`: not the
 * certified one; `skipped`: too far ahead; `wrap`, `content`: does not open.
 */
export type OpenProblem =
  | 'malformed'
  | 'conversation'
  | 'sender'
  | 'label'
  | 'signature'
  | 'replayed'
  | 'stale'
  | 'not_addressed'
  | 'downgraded'
  | 'group_key_unknown'
  | 'content'
  | SessionRefused['problem'];

export interface Refused {
  readonly ok: false;
  readonly problem: OpenProblem;
}

const refuse = (problem: OpenProblem): Refused => ({ ok: false, problem });

/** Uses nothing of an envelope before its signature was verified, and changes nothing unless all of it opens. */
export function open(crypto: Crypto, envelope: unknown, opening: Opening): Opened | Refused {
  if (!isValid(Envelope, envelope)) return refuse('malformed');
  const { header } = envelope;
  const { peer, own } = opening;
  // What has no canonical form cannot have been signed.
  const wraps = readWraps(envelope.wraps);
  const ciphertext = fromBase64Url(envelope.ciphertext);
  if (wraps === undefined || ciphertext === undefined) return refuse('malformed');
  const problem = findMisplacement(header, opening);
  if (problem !== undefined) return refuse(problem);
  const headerText = canonicalise(header);
  if (!verifyEnvelope(crypto, { ...envelope, header: headerText }, peer.identityKey)) return refuse('signature');
  const guard = peer.replay.get(header.conversation_id) ?? NOTHING_SEEN;
  const wrap = wraps.devices.get(addressOf(own.sender));
  const seen: Seen = { name: header.client_message_id, createdAt: header.created_at, by: findOrder(wraps, wrap) };
  const repetition = findRepetition(guard, seen);
  if (repetition !== undefined) return refuse(repetition);
  const key =
    wraps.group === undefined
      ? unwrapForDevice(crypto, opening, { header: headerText, wrap, carries: 'content' })
      : unwrapForGroup(crypto, opening, { header: headerText, wraps });
  if (!key.ok) return key;
  const { secret, ...changed } = key;
  const plaintext = openContent(crypto, { cek: secret, ciphertext }, headerText);
  wipe([secret]);
  if (plaintext === undefined) return refuse('content');
  const held = (changed.group ?? opening.group)?.keys.map(({ id }) => id);
  const replay = new Map(peer.replay).set(header.conversation_id, remember(guard, seen, held));
  const isForUsAlone = wraps.group === undefined && wraps.devices.size === 1;
  return { ...changed, header, plaintext, isForUsAlone, peer: { ...changed.peer, replay } };
}

function findMisplacement(header: Header, { own, peer, conversationId, notBefore }: Opening): OpenProblem | undefined {
  if (header.conversation_id !== conversationId) return 'conversation';
  const isReflected = isSameSender(header.sender, own.sender);
  if (isReflected || !isWhole(header.sender) || !isSameSender(header.sender, peer.sender)) return 'sender';
  if (!labelFits(header)) return 'label';
  return notBefore !== undefined && header.created_at < notBefore ? 'stale' : undefined;
}

/** EE-25: where a ratchet exists it decides what is a repetition; under a group key the sender's number does. */
function findOrder({ group }: ReadWraps, wrap: DeviceWrap | undefined): Seen['by'] {
  if (group !== undefined) return group.n === undefined ? 'time' : { key: group.key, n: group.n };
  return wrap?.kind === 'ratchet' ? 'ratchet' : 'time';
}

/** The content key, and the state that unwrapping it changed. */
interface Unwrapped {
  readonly ok: true;
  readonly secret: Uint8Array;
  readonly peer: Peer;
  readonly group?: Group;
  readonly spentPrekey?: number;
  readonly consumed: readonly Uint8Array[];
}

function unwrapForGroup(
  crypto: Crypto,
  opening: Opening,
  { header, wraps }: { header: string; wraps: ReadWraps },
): Unwrapped | Refused {
  const { group, own, peer, conversationId } = opening;
  const wrap = wraps.group!;
  // A conversation of two was promised the ratchet, and a group key is weaker.
  if (group === undefined || group.conversationId !== conversationId) return refuse('downgraded');
  const context = wrapContext(header, wrap.key, 'content');
  const held = group.keys.find(({ id }) => id === wrap.key);
  if (held !== undefined) {
    const secret = unwrapUnderGroup(crypto, held, { wrap, context });
    return secret === undefined ? refuse('wrap') : { ok: true, secret, peer, group, consumed: [] };
  }
  const ownWrap = wraps.devices.get(addressOf(own.sender));
  if (ownWrap === undefined) return refuse('group_key_unknown');
  const given = unwrapForDevice(crypto, opening, { header, wrap: ownWrap, carries: `group:${wrap.key}` });
  if (!given.ok) return given;
  const members = [addressOf(peer.sender), ...wraps.devices.keys()];
  const key = { id: wrap.key, key: given.secret, members, maker: peerName(peer.sender, peer.identityKey) };
  const adopted = adoptKey(crypto, group, key);
  const secret = adopted && unwrapUnderGroup(crypto, key, { wrap, context });
  if (adopted === undefined || secret === undefined) return refuse('wrap');
  return { ...given, secret, group: adopted };
}

function unwrapForDevice(
  crypto: Crypto,
  { own, peer, mode }: Opening,
  what: { header: string; wrap: DeviceWrap | undefined; carries: 'content' | `group:${string}` },
): Unwrapped | Refused {
  const { header, wrap, carries } = what;
  if (wrap === undefined) return refuse('not_addressed');
  const context = wrapContext(header, wrap.to, carries);
  if (wrap.kind === 'ratchet') return openInSession(crypto, own, { peer, wrap, context });
  return isRatcheted(mode) ? refuse('downgraded') : openHpke(crypto, { own, peer }, { wrap, context });
}

function openHpke(
  crypto: Crypto,
  { own, peer }: { own: OwnKeys; peer: Peer },
  { wrap, context }: { wrap: HpkeWrap; context: Uint8Array },
): Unwrapped | Refused {
  const prekey = own.signedPrekeys.get(wrap.prekey_id);
  if (prekey === undefined) return refuse('prekey_unknown');
  const sealed = { enc: fromBase64Url(wrap.enc)!, ciphertext: fromBase64Url(wrap.ct)! };
  const secret = unwrapSecret(crypto, sealed, { own: prekey, aad: context });
  return secret === undefined ? refuse('wrap') : { ok: true, secret, peer, consumed: [] };
}
