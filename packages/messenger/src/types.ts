import type { ConnectionMode } from '@parley/e2ee';
import type { ContentType, EventPayload, EventType, Header, MsgSubtype, Payload, Sender } from '@parley/protocol';
import type { Api } from './api/api.ts';
import type { Platform } from './platform.ts';
import type { Store } from './stores/store.ts';

/** Who this messenger sends and receives for. */
export type Identity =
  | { readonly kind: 'agent'; readonly agentId: string }
  | { readonly kind: 'human'; readonly accountId: string; readonly deviceId: string };

export interface MessengerOptions {
  readonly api: Api;
  readonly identity: Identity;
  /** An agent's own mode (EE-7). People are always `websocket`. */
  readonly mode: ConnectionMode;
  readonly store: Store;
  readonly platform: Platform;
  /** Of an agent: give the server the keys of this keystore, though it knows others. Everyone who pinned those is warned. */
  readonly replaceIdentity?: boolean;
  /** In order within a conversation; the next one waits. The message is acknowledged when it resolves. */
  readonly onMessage: (message: Incoming) => void | Promise<void>;
  readonly onEvent?: (event: PlatformEvent) => void | Promise<void>;
  readonly onStatus?: (status: Status) => void;
  readonly onTransient?: (event: TransientEvent) => void;
  readonly onProblem?: (problem: Problem) => void;
  /** The store held no identity and one was made; before anything is sent under it. */
  readonly onKeyGenerated?: (fingerprint: string) => void;
}

export type Status = 'connecting' | 'online' | 'offline' | 'closed';
export type ConversationKind = 'h2a' | 'h2h' | 'group';

/** Who is in a conversation: between two as first seen and held to ever after, in a group as the server says. */
export interface Conversation {
  readonly kind: ConversationKind;
  readonly members: readonly { readonly kind: 'human' | 'agent'; readonly id: string }[];
  /** Of `h2a`: the relation of the two. */
  readonly relationId?: string;
}

/** A message that was opened and verified. */
export interface Incoming {
  readonly conversationId: string;
  readonly conversationKind: ConversationKind;
  readonly messageId: string;
  readonly seq: number;
  readonly clientMessageId: string;
  /** A device of a person, or an agent; certified or pinned. */
  readonly sender: Sender;
  readonly contentType: ContentType;
  readonly msgSubtype: MsgSubtype;
  /** As the sender signed it. */
  readonly createdAt: string;
  readonly receivedAt: string;
  /** No other device can open it: what it asks for need not be claimed (CG-11). */
  readonly isForUsAlone: boolean;
  readonly payload: Payload;
}

export interface Outgoing {
  readonly conversationId: string;
  readonly payload: Payload;
  /** Given again, it is the same message. */
  readonly clientMessageId?: string;
  /** It is sealed at once, but does not leave before this; if it fails, not at all. */
  readonly after?: Promise<unknown>;
  /** Saved together with it, all or nothing. */
  readonly also?: ReadonlyMap<string, string>;
}

export interface Ack {
  readonly messageId: string;
  readonly seq: number;
  readonly clientMessageId: string;
}

export type PlatformEvent = {
  [Name in EventType]: { readonly type: Name; readonly eventId: number } & EventPayload<Name>;
}[EventType];

/** Events that the server does not store: they are lost if nobody listens. */
export type TransientEvent =
  | { readonly type: 'typing'; readonly conversationId: string; readonly sender: Sender }
  | { readonly type: 'read'; readonly conversationId: string; readonly sender: Sender; readonly seq: number }
  | { readonly type: 'claimed'; readonly conversationId: string; readonly messageId: string; readonly deviceId: string }
  /** The last connected device that might have run it has gone or passed: this one answers (CG-11). */
  | { readonly type: 'last'; readonly conversationId: string; readonly messageId: string }
  | {
      readonly type: 'stream';
      readonly conversationId: string;
      readonly streamId: string;
      readonly sender: Sender;
      readonly state: 'start' | 'delta' | 'done' | 'abort' | 'error';
      /** All of the text so far. */
      readonly text: string;
      /** Of the message that replaces it. */
      readonly clientMessageId?: string;
    };

/**
 * What did not go as it should, without a secret in it. `identity_changed` blocks tool calls until someone confirms
 * (EE-9); `undecryptable` messages are acknowledged and lost, which the sender cannot know.
 */
export type Problem =
  | {
      readonly kind: 'identity_changed';
      readonly party: { readonly kind: 'account' | 'agent'; readonly id: string };
      readonly known: string;
      readonly offered: string;
    }
  | { readonly kind: 'weaker_mode'; readonly agentId: string; readonly known: string; readonly offered: string }
  | {
      readonly kind: 'undecryptable';
      readonly header: Header;
      readonly messageId: string;
      readonly seq: number;
      readonly reason: string;
    }
  | { readonly kind: 'gone'; readonly conversationId: string; readonly fromSeq: number; readonly toSeq: number }
  /** A message of an earlier run, whose sender is not waiting any more. */
  | {
      readonly kind: 'unsent';
      readonly conversationId: string;
      readonly clientMessageId: string;
      readonly error: unknown;
    }
  /** Nothing is sent or acknowledged any more: what is in memory could not be kept. */
  | { readonly kind: 'store'; readonly error: unknown }
  | { readonly kind: 'handler'; readonly error: unknown }
  | { readonly kind: 'connection'; readonly error: unknown };

export interface Messenger {
  readonly identity: Identity;
  status(): Status;
  /** Resolves when the server has it on disk; survives reconnects and, through the store, restarts. */
  send(message: Outgoing): Promise<Ack>;
  /**
   * In `webhook` mode: a message that a verified delivery brought (SK-5). Opened like any other, nothing from more than
   * 25 hours ago, nothing twice; `handled` once onMessage has resolved.
   */
  receive(message: EventPayload<'message.new'>): Promise<'handled' | 'repeated' | 'refused'>;
  /** In `webhook` mode: an event that a verified delivery brought. Those it names are looked up again before the next message. */
  receiveEvent(event: PlatformEvent): void;
  typing(conversationId: string): void;
  /** Live text that ends as an ordinary text message. */
  stream(conversationId: string): Promise<OutgoingStream>;
  /** Compare-and-set at the server (CG-11): true for exactly one device, once. */
  claim(message: Pick<Incoming, 'messageId' | 'conversationId'>): Promise<boolean>;
  /** This device will not run it. True if no other connected device is left to. */
  pass(message: Pick<Incoming, 'messageId' | 'conversationId'>): Promise<boolean>;
  /** Asks the server only for groups, and for a conversation of two that was never seen before. */
  conversation(conversationId: string): Promise<Conversation>;
  /** Forgets what was learnt from the server about someone, not what was pinned. */
  refresh(party: { kind: 'conversation' | 'account' | 'agent'; id: string }): void;
  readonly trust: Trust;
  /** Sends what is waiting, disconnects, and closes the store. */
  close(): Promise<void>;
}

export interface OutgoingStream {
  readonly streamId: string;
  write(text: string): Promise<void>;
  /** The whole text becomes a message. */
  done(): Promise<Ack>;
  abort(): void;
}

/** Keys that were pinned (EE-9, EE-14). Keys and fingerprints are base64url. */
export interface Trust {
  /** Pins at first contact; a given fingerprint must fit, or the answer is a refusal. */
  agent(agentId: string, expected?: { fingerprint: string }): Promise<Trusted>;
  account(accountId: string): Promise<Trusted>;
  /** The user has looked at the new key and wants it. */
  accept(party: { kind: 'account' | 'agent'; id: string }, key: string): Promise<void>;
  /** Sixty digits both sides can compare; about an agent or a person. */
  safetyNumber(party: { kind: 'account' | 'agent'; id: string }): Promise<string>;
  markVerified(party: { kind: 'account' | 'agent'; id: string }): Promise<void>;
  /** The identity key of a device that was certified under the account key, for reading ledgers. */
  deviceKey(accountId: string, deviceId: string): Promise<string | undefined>;
}

export type Trusted =
  | {
      readonly ok: true;
      readonly key: string;
      readonly fingerprint: string;
      /** False right after the first contact, until someone has compared or came by a link with a fingerprint. */
      readonly verified: boolean;
      /** Of an agent, signed by it (EE-7). */
      readonly mode?: ConnectionMode;
    }
  | {
      readonly ok: false;
      readonly problem: 'identity_changed' | 'fingerprint' | 'no_keys' | 'mode_signature';
      readonly known?: string;
      readonly offered?: string;
    };
