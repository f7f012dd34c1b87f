import type { ConnectionMode } from '@parley/e2ee';
import type {
  ChainKind,
  ChainMark,
  ContentType,
  EventPayload,
  EventType,
  GroupRole,
  Head,
  Header,
  ListMark,
  MsgSubtype,
  Payload,
  Sender,
  Signer,
} from '@parley/protocol';
import type { Api } from './api/api.ts';
import type { Platform } from './platform.ts';
import type { Store } from './stores/store.ts';

/** Whom this messenger sends and receives for. */
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
  /**
   * For an agent: uploads the keys of this keystore, although the server knows others. Everyone who pinned those is
   * warned.
   */
  readonly replaceIdentity?: boolean;
  /** Called in order within a conversation; the next message waits. The message is acknowledged when it resolves. */
  readonly onMessage: (message: Incoming) => void | Promise<void>;
  /** For a person's device: heads to add to a message that is sent anyway, for the account's other devices (EE-23). */
  readonly headsFor?: (conversationId: string) => readonly Head[] | undefined;
  /** For a person's device: what the account's other devices have been shown of a list or a group (EE-23). */
  readonly heard?: HeardMarks;
  readonly onEvent?: (event: PlatformEvent) => void | Promise<void>;
  readonly onStatus?: (status: Status) => void;
  readonly onTransient?: (event: TransientEvent) => void;
  readonly onProblem?: (problem: Problem) => void;
  /** Called if the store held no identity and one was created, before anything is sent under it. */
  readonly onKeyGenerated?: (fingerprint: string) => void;
}

export interface HeardMarks {
  list(accountId: string): readonly ListMark[];
  group(conversationId: string): readonly ChainMark[];
}

export type Status = 'connecting' | 'online' | 'offline' | 'closed';
export type ConversationKind = 'h2a' | 'h2h' | 'group';
/** A person's devices among themselves (EE-23): the id is the account's, and nobody else is in it. */
type WithOwnDevices = 'account';

export interface Member {
  readonly kind: 'human' | 'agent';
  readonly id: string;
  /** In a group, as it was signed. */
  readonly role?: GroupRole;
}

/** The members of a conversation (EE-20): of two as signed or first seen, of a group as its creator and admins signed. */
export interface Conversation {
  readonly kind: ConversationKind | WithOwnDevices;
  readonly members: readonly Member[];
  /** For `h2a`: the relation of the two. */
  readonly relationId?: string;
  /** For a group: whether anyone signed who is in it. Where nobody did, nobody gets a key. */
  readonly signed?: boolean;
  /** For a group: whom the server names and nobody signed. They get no key. */
  readonly strangers?: readonly Member[];
  readonly title?: string | null;
  /** For a group: where its statements end, for whoever signs the next. */
  readonly end?: { readonly length: number; readonly head: string };
  /** For a group: another own device was shown statements that the server does not show here (EE-23). */
  readonly withheld?: boolean;
}

/** A conversation as it is bound, beside what only the server says: names, and roles that nobody signed. */
export interface DescribedConversation {
  readonly conversation: Conversation & { readonly kind: ConversationKind };
  readonly names: ReadonlyMap<string, { readonly name: string; readonly role: GroupRole }>;
  readonly title: string | null;
  readonly createdAt: string;
  readonly lastSeq: number;
}

/** A message that was opened and verified. */
export interface Incoming {
  readonly conversationId: string;
  readonly conversationKind: ConversationKind | WithOwnDevices;
  readonly messageId: string;
  readonly seq: number;
  readonly clientMessageId: string;
  /** A certified device of a person, or a pinned agent. */
  readonly sender: Sender;
  readonly contentType: ContentType;
  readonly msgSubtype: MsgSubtype;
  /** As the sender signed it. */
  readonly createdAt: string;
  readonly receivedAt: string;
  /** True if no other device can open it, so a call in it need not be claimed (CG-11). */
  readonly isForUsAlone: boolean;
  readonly payload: Payload;
  /** What came with it about where the chains end, as the sender was shown them (EE-23). Unchecked claims. */
  readonly heads?: readonly Head[];
  /**
   * For a tool call whose arguments cannot be held: nested too deep (EE-26), or without an RFC 8785 form (CG-16). The
   * payload has `{}` in their place; `digest` is the SHA-256 of the payload as it was received, in hex.
   */
  readonly unusableArguments?: { readonly problem: 'nesting' | 'canonical_form'; readonly digest: string };
}

export interface Outgoing {
  readonly conversationId: string;
  readonly payload: Payload;
  /** A second send with the same id is the same message. */
  readonly clientMessageId?: string;
  /** The message is sealed at once, but sent only after this resolves; if it rejects, the message is not sent. */
  readonly after?: Promise<unknown>;
  /** Entries that are saved together with the message, all or nothing. */
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
  /** No other connected device can run the call any more: this one answers (CG-11). */
  | { readonly type: 'last'; readonly conversationId: string; readonly messageId: string }
  | {
      readonly type: 'stream';
      readonly conversationId: string;
      readonly streamId: string;
      readonly sender: Sender;
      readonly state: 'start' | 'delta' | 'done' | 'abort' | 'error';
      /** The whole text so far. */
      readonly text: string;
      /** The id of the message that replaces it. */
      readonly clientMessageId?: string;
    };

/**
 * A problem to report, without a secret in it. `identity_changed` blocks tool calls until someone confirms (EE-9);
 * `undecryptable` messages are acknowledged and lost, which the sender cannot know.
 */
export type Problem =
  | {
      readonly kind: 'identity_changed';
      readonly party: { readonly kind: 'account' | 'agent'; readonly id: string };
      readonly known: string;
      readonly offered: string;
    }
  | { readonly kind: 'weaker_mode'; readonly agentId: string; readonly known: string; readonly offered: string }
  /** EE-18: the server shows a device list that does not verify, less of it than before, or a second successor. */
  | {
      readonly kind: 'device_list';
      readonly accountId: string;
      readonly problem: 'forked' | 'shortened' | 'invalid';
    }
  /** EE-15: a row of the server contradicts what was signed or pinned, and is refused. */
  | { readonly kind: 'row'; readonly subject: 'relation' | 'conversation'; readonly id: string }
  /** EE-25: the clock of this device differs from the server's by more than a day. Nothing old is removed meanwhile. */
  | { readonly kind: 'clock'; readonly byMs: number }
  /** No problem: the server shows again what was signed or pinned, or its clock agrees. What was told is over (EE-24). */
  | { readonly kind: 'over'; readonly subject: 'agent' | 'account' | 'conversation'; readonly id: string }
  | { readonly kind: 'over'; readonly subject: 'clock' }
  /** EE-20: the server names members of a group whom nobody signed. They get no key. */
  | { readonly kind: 'members'; readonly conversationId: string; readonly strangers: readonly Member[] }
  | {
      readonly kind: 'undecryptable';
      readonly header: Header;
      readonly messageId: string;
      readonly seq: number;
      readonly reason: string;
      /** Did the sender seal a key for us? What was written before a device existed has none for it. */
      readonly isAddressed: boolean;
    }
  | { readonly kind: 'gone'; readonly conversationId: string; readonly fromSeq: number; readonly toSeq: number }
  /** A message of an earlier run failed, and nobody waits for it any more. */
  | {
      readonly kind: 'unsent';
      readonly conversationId: string;
      readonly clientMessageId: string;
      readonly error: unknown;
    }
  /** Nothing is sent or acknowledged any more: the store failed to keep what is in memory. */
  | { readonly kind: 'store'; readonly error: unknown }
  | { readonly kind: 'handler'; readonly error: unknown }
  | { readonly kind: 'connection'; readonly error: unknown };

export interface OutgoingStream {
  readonly streamId: string;
  write(text: string): Promise<void>;
  /** Sends the whole text as a message. */
  done(): Promise<Ack>;
  abort(): void;
}

/** Keys that were pinned (EE-9, EE-14). Keys and fingerprints are base64url. */
export interface Trust {
  /** Pins the key at first contact; a given fingerprint must match, or the answer is a refusal. */
  agent(agentId: string, expected?: { fingerprint: string }): Promise<Trusted>;
  account(accountId: string): Promise<Trusted>;
  /** Pins a new key that the user has looked at and accepted. */
  accept(party: { kind: 'account' | 'agent'; id: string }, key: string): Promise<void>;
  /** Returns sixty digits that both sides can compare, about an agent or a person. */
  safetyNumber(party: { kind: 'account' | 'agent'; id: string }): Promise<string>;
  markVerified(party: { kind: 'account' | 'agent'; id: string }): Promise<void>;
  /** Returns whose signatures count in a chain: those of a listed device, or of a revoked one up to a point (EE-18). */
  signer(
    accountId: string,
    deviceId: string,
    chain: { readonly kind: ChainKind; readonly id: string },
  ): Promise<Signer | undefined>;
}

export type Trusted =
  | {
      readonly ok: true;
      readonly key: string;
      readonly fingerprint: string;
      /** False after first contact, until someone compared the safety number or used a link with a fingerprint. */
      readonly verified: boolean;
      /** The mode of an agent, signed by it (EE-7). */
      readonly mode?: ConnectionMode;
      /** The server shows a weaker mode, signed by the agent, which waits for consent (EE-7). `mode` is the pinned one. */
      readonly weaker?: true;
    }
  | {
      readonly ok: false;
      readonly problem: 'identity_changed' | 'fingerprint' | 'no_keys' | 'mode_signature' | 'device_list' | 'forked';
      readonly known?: string;
      readonly offered?: string;
    };
