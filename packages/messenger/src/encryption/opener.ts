import { isParleyError } from '@parley/base';
import { type Crypto, type Opened, type OpenProblem, type OwnKeys, open, toHex } from '@parley/e2ee';
import {
  type Envelope,
  type EventPayload,
  findFlaw,
  type Header,
  PAYLOADS,
  type Payload,
  type PayloadFlaw,
  readPayload,
  type Sender,
  takeHeads,
  withoutArguments,
} from '@parley/protocol';
import { ApiError } from '../api/api-error.ts';
import type { Contact } from '../binding/contact.ts';
import type { BoundConversation } from '../binding/conversations.ts';
import type { Directory } from '../directory/directory.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Conversation, Incoming } from '../types.ts';
import type { Peers } from './peers.ts';
import type { RatchetSessions } from './ratchet-sessions.ts';
import { isStreamKey } from './stream-key.ts';

export type Delivered = EventPayload<'message.new'>;

type Unopened = { readonly state: 'repeated' } | { readonly state: 'refused'; readonly reason: string };
export type OpenResult = { readonly state: 'opened'; readonly incoming: Incoming } | Unopened;

/** The content of an envelope, and the conversation it was sent to. */
interface Content {
  readonly state: 'content';
  readonly header: Header;
  readonly plaintext: Uint8Array;
  /** The key that it is signed by. */
  readonly identityKey: Uint8Array;
  readonly isForUsAlone: boolean;
  readonly conversation: Conversation;
}

/** Opens messages from the server. Changed states are in the write buffer when it returns, not yet on disk. */
export interface Opener {
  open(message: Delivered): Promise<OpenResult>;
  openEnvelope(conversationId: string, envelope: Envelope): Promise<Content | Unopened>;
}

interface Deps {
  readonly crypto: Crypto;
  readonly own: OwnKeys;
  readonly directory: Directory;
  readonly peers: Peers;
  /** Deletes a one-time prekey that was used. */
  readonly deletePrekey: (keyId: number) => void;
  readonly sessions: RatchetSessions;
  readonly writeBuffer: WriteBuffer;
  /** For modes without sessions: older messages are refused, and no state of the sender is stored. */
  readonly stateless?: { notBefore(): string };
}

/** Whose message it is said to be, by a key that was verified; `contact` unless the server no longer shows them. */
interface Known {
  readonly sender: Sender;
  readonly identityKey: Uint8Array;
  readonly contact?: Contact;
}

/** The two sides disagree about the session, so a new one is needed. */
const LOST: readonly OpenProblem[] = ['session_unknown', 'prekey_unknown', 'skipped', 'wrap'];
/** What we know about the sender may be out of date. */
const OUTDATED: readonly OpenProblem[] = ['signature', 'sender_key', 'downgraded'];
/** The server accepts nothing older than a day, and repeats a delivery for no longer (SK-5). */
const MAX_AGE_MS = 25 * 60 * 60 * 1_000;
const decoder = new TextDecoder('utf-8', { fatal: true });
const refuse = (reason: string): Unopened => ({ state: 'refused', reason });

/** Without session state a replay looks like a new message, so older messages are refused. */
export function oldestAccepted(now: Date): string {
  return new Date(now.getTime() - MAX_AGE_MS).toISOString();
}

export function createOpener(deps: Deps): Opener {
  const { crypto, own, directory, peers, deletePrekey, sessions, writeBuffer, stateless } = deps;

  const findContact = async (sender: Sender): Promise<Contact | undefined> => {
    const contact = await orUnknown(directory.contact(sender));
    if (contact !== undefined) return contact;
    // The device may be newer than our cached list.
    directory.forget({ kind: sender.kind === 'human' ? 'account' : 'agent', id: sender.id });
    return orUnknown(directory.contact(sender));
  };
  const findConversation = async (id: string, sender: Sender): Promise<BoundConversation | undefined> => {
    // Someone who has left a group may have written before.
    const isIn = ({ members, past = [] }: BoundConversation) =>
      [...members, ...past].some(({ kind, id: member }) => kind === sender.kind && member === sender.id);
    const known = await orUnknown(directory.conversation(id));
    if (known === undefined || isIn(known)) return known;
    directory.forget({ kind: 'conversation', id });
    const fresh = await orUnknown(directory.conversation(id));
    return fresh !== undefined && isIn(fresh) ? fresh : undefined;
  };
  const findSender = async (sender: Sender, { kind }: Conversation): Promise<Known | undefined> => {
    const contact = await findContact(sender);
    if (contact !== undefined) return { sender, identityKey: contact.identityKey, contact };
    const trust = await orUnknown(findTrust(sender));
    if (kind !== 'group' || trust !== undefined) return undefined;
    const identityKey = await directory.seenIdentity(sender);
    if (identityKey === undefined) return undefined;
    const known = { sender, identityKey };
    return (await peers.find(known)) === undefined ? undefined : known;
  };
  /** Rejects if the server does not show the sender. */
  const findTrust = async ({ kind, id }: Sender) =>
    kind === 'human' ? (await directory.person(id)).trust : (await directory.agent(id)).trust;

  const keep = ({ peer, group, spentPrekey, consumed }: Opened): void => {
    if (stateless === undefined) peers.set(peer);
    if (group !== undefined) peers.setGroup(group);
    if (spentPrekey !== undefined) deletePrekey(spentPrekey);
    writeBuffer.wipe(consumed);
  };

  const openEnvelope: Opener['openEnvelope'] = async (id, envelope) => {
    const first = await attempt(id, envelope);
    if (first.state !== 'refused' || !OUTDATED.includes(first.reason as OpenProblem)) return first;
    // The sender's keys may have changed: looking them up again reports that.
    const { kind, id: party } = envelope.header.sender;
    directory.forget({ kind: kind === 'human' ? 'account' : 'agent', id: party });
    return attempt(id, envelope);
  };
  const attempt: Opener['openEnvelope'] = async (id, envelope) => {
    const { sender } = envelope.header;
    const conversation = await findConversation(id, sender);
    if (conversation === undefined) return refuse('conversation');
    const known = await findSender(sender, conversation);
    if (known === undefined) return refuse('sender');
    // Not before the server was asked: meanwhile, hundreds of other groups may drive this one out of memory.
    if (conversation.kind === 'group') await peers.loadGroup(id);
    await (known.contact === undefined ? peers.find(known) : peers.load(known.contact));
    // No await from here on: another conversation may change the same states.
    const peer = peers.peek(known);
    if (peer === undefined) return refuse('sender');
    const group = conversation.kind === 'group' ? peers.peekGroup(id) : undefined;
    const result = open(crypto, envelope, {
      own,
      peer: stateless === undefined ? peer : { ...peer, replay: new Map() },
      conversationId: id,
      mode: known.contact === undefined ? 'websocket' : sessions.modeWith(known.contact),
      ...(group === undefined ? {} : { group }),
      ...(stateless === undefined ? {} : { notBefore: stateless.notBefore() }),
    });
    if (!result.ok) {
      if (result.problem === 'replayed') return { state: 'repeated' };
      if (LOST.includes(result.problem)) sessions.reset(peer);
      return refuse(result.problem);
    }
    keep(result);
    const { header, plaintext, isForUsAlone } = result;
    const { identityKey } = known;
    return { state: 'content', header, plaintext, identityKey, isForUsAlone, conversation };
  };

  return {
    openEnvelope,
    open: async (message) => {
      const { envelope, conversation_id: id } = message;
      if (envelope.header.client_message_id !== message.client_message_id) return refuse('malformed');
      const content = await openEnvelope(id, envelope);
      if (content.state !== 'content') return content;
      const parsed = parsePayload(content.header, content.plaintext);
      // The key of a stream is not a message, whoever sends it as one.
      if (parsed === undefined || isStreamKey(parsed.payload)) return refuse('payload');
      const incoming = toIncoming(message, content, parsed.payload);
      if (parsed.flaw === undefined) return { state: 'opened', incoming };
      const digest = toHex(crypto.sha256(content.plaintext));
      return { state: 'opened', incoming: { ...incoming, unusableArguments: { problem: parsed.flaw, digest } } };
    },
  };
}

/** Resolves with undefined for what the server does not show to us. */
async function orUnknown<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const isHidden = error instanceof ApiError && (error.status === 404 || error.status === 403);
    if (isHidden || isParleyError(error, 'CONVERSATION_CHANGED')) return undefined;
    throw error;
  }
}

interface ParsedPayload {
  readonly payload: Payload;
  /** Of a tool call whose arguments were left out. */
  readonly flaw?: PayloadFlaw;
}

/** Returns undefined if the payload does not match its label (TC-6), or is nested too deep (EE-26). */
export function parsePayload(header: Header, plaintext: Uint8Array): ParsedPayload | undefined {
  const { maxBytes = Number.POSITIVE_INFINITY } = PAYLOADS[header.msg_subtype];
  if (plaintext.length > maxBytes) return undefined;
  const value = parse(plaintext);
  const flaw = findFlaw(value);
  const isCall = header.msg_subtype === 'artifact_tool_call';
  const isUsable = flaw === undefined || (flaw === 'canonical_form' && !isCall);
  if (!isUsable && !isCall) return undefined;
  const payload = readPayload(header, isUsable ? value : withoutArguments(value));
  if (payload === undefined) return undefined;
  return isUsable ? { payload } : { payload, flaw };
}

function parse(plaintext: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(plaintext));
  } catch {
    return undefined;
  }
}

function toIncoming(message: Delivered, { header, conversation, isForUsAlone }: Content, payload: Payload): Incoming {
  return {
    conversationId: header.conversation_id,
    conversationKind: conversation.kind,
    messageId: message.message_id,
    seq: message.conversation_seq,
    clientMessageId: header.client_message_id,
    sender: header.sender,
    contentType: header.content_type,
    msgSubtype: header.msg_subtype,
    createdAt: header.created_at,
    receivedAt: message.received_at,
    isForUsAlone,
    ...takeHeads(payload),
  };
}
