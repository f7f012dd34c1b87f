import type { EventPayload, GroupStatement } from '@parley/protocol';
import type { BoundPair } from './binding/conversations.ts';
import type { SeenList } from './binding/device-lists.ts';
import type { RelationBinder, RelationBinderDeps } from './binding/relations.ts';
import type {
  Ack,
  Conversation,
  DescribedConversation,
  Identity,
  Incoming,
  Outgoing,
  OutgoingStream,
  PlatformEvent,
  Status,
  Trust,
} from './types.ts';

export interface Messenger {
  readonly identity: Identity;
  /** Of this device or agent: the public key that others list or pin, in base64url. */
  readonly identityKey: string;
  status(): Status;
  /** Resolves when the server has the message on disk; survives reconnects and, through the store, restarts. */
  send(message: Outgoing): Promise<Ack>;
  /** Of a message that an earlier run may have sealed: undefined if it is neither on its way nor was sent lately. */
  outcome(clientMessageId: string): Promise<Ack> | undefined;
  /**
   * In `webhook` mode: handles a message of a verified delivery (SK-5). It refuses messages older than 25 hours and
   * repeated ones; `handled` once onMessage has resolved.
   */
  receive(message: EventPayload<'message.new'>): Promise<'handled' | 'repeated' | 'refused'>;
  /**
   * In `webhook` mode: handles an event of a verified delivery. Those it names are looked up again before the next
   * message.
   */
  receiveEvent(event: PlatformEvent): void;
  typing(conversationId: string): void;
  /** Streams text that ends as an ordinary text message. */
  stream(conversationId: string): Promise<OutgoingStream>;
  /** Claims a call at the server (CG-11): true for exactly one device, once. */
  claim(message: Pick<Incoming, 'messageId' | 'conversationId'>): Promise<boolean>;
  /** Tells the server that this device will not run the call. True if no other connected device is left. */
  pass(message: Pick<Incoming, 'messageId' | 'conversationId'>): Promise<boolean>;
  /** Asks the server only for groups, and for a conversation of two that was never seen before. */
  conversation(conversationId: string): Promise<Conversation>;
  /** Asks the server, and binds the answer: what people are shown of a conversation. */
  describeConversation(conversationId: string): Promise<DescribedConversation>;
  /** Pins a conversation of two that this device made, or whose relation it has signed (EE-20). */
  bindConversation(conversationId: string, pair: BoundPair): Promise<boolean>;
  /**
   * Keeps a statement about a group that this device has signed, once the server has taken it: a removal that the server
   * leaves out later still counts here (EE-20).
   */
  holdStatement(statement: GroupStatement): Promise<void>;
  /** Keeps the own account's list as this device has made it, before any server has shown it (EE-18). */
  holdDeviceList(seen: SeenList): Promise<void>;
  /** Binds rows of relations to what was signed, for a person's device (EE-19). */
  bindRelations(deps: Pick<RelationBinderDeps, 'refused' | 'broken'>): RelationBinder;
  /** Resolves when everything that was learnt is on disk. */
  flush(): Promise<void>;
  /** Forgets what the server said about someone, but not what was pinned. */
  refresh(party: { kind: 'conversation' | 'account' | 'agent'; id: string }): void;
  readonly trust: Trust;
  /** Sends what is waiting, disconnects, and closes the store. */
  close(): Promise<void>;
  /** Disconnects at once: the store was taken over (STORE_LOST), and whoever has it sends what is waiting. */
  abandon(): Promise<void>;
}
