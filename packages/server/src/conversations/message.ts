import type { Envelope, Sender, ServerFrame } from '@parley/protocol';
import type { Consumer } from './consumer.ts';

type NewMessage = Extract<ServerFrame, { type: 'message.new' }>;

/** A sealed and validated message, on its way to the database. */
export interface Outgoing {
  /** Whose it is: the sender's, or its owner's. */
  readonly account: string;
  readonly envelope: Envelope;
  /** Canonical JSON, which is stored and delivered as it is. */
  readonly text: string;
  /** The hash of the text, in hex. */
  readonly hash: string;
}

/** A message with its number, as read from the database. */
export interface StoredMessage {
  readonly id: string;
  readonly conversation_id: string;
  readonly seq: number;
  readonly client_message_id: string;
  readonly sender_kind: 'human' | 'agent';
  readonly sender_id: string;
  readonly sender_device_id: string | null;
  readonly content_type: string;
  readonly msg_subtype: string;
  readonly created_at: Date;
  readonly received_at: Date;
  /** JSON text, which is passed on unchanged. */
  readonly envelope: string;
}

export interface Ack {
  readonly message_id: string;
  readonly conversation_seq: number;
  readonly client_message_id: string;
}

/** A message whose envelope is no longer stored, because everyone else has it. */
export type EmptyMessage = Omit<StoredMessage, 'envelope'> & { readonly envelope: null };

export const isKept = (message: StoredMessage | EmptyMessage): message is StoredMessage => message.envelope !== null;

/** Did this consumer send it? Then it has the message already. */
export function isOwn(message: StoredMessage | EmptyMessage, consumer: Consumer): boolean {
  if (message.sender_kind !== consumer.kind || message.sender_id !== consumer.id) return false;
  return consumer.kind === 'agent' || message.sender_device_id === (consumer.deviceId ?? null);
}

function toSender(message: StoredMessage): Sender {
  const { sender_kind: kind, sender_id: id, sender_device_id } = message;
  return sender_device_id === null ? { kind, id } : { kind, id, device_id: sender_device_id };
}

/** Everything about a message except its envelope. */
export function toFields(message: StoredMessage) {
  return {
    message_id: message.id,
    conversation_id: message.conversation_id,
    conversation_seq: message.seq,
    client_message_id: message.client_message_id,
    sender: toSender(message),
    content_type: message.content_type,
    msg_subtype: message.msg_subtype,
    created_at: message.created_at.toISOString(),
    received_at: message.received_at.toISOString(),
  };
}

/** Adds the envelope's text as it is, without parsing it. */
const writeMessage = (fields: object, { envelope }: StoredMessage) =>
  `${JSON.stringify(fields).slice(0, -1)},"envelope":${envelope}}`;

/** The JSON of a list of messages. */
export function writeMessages(messages: readonly StoredMessage[]): string {
  return `[${messages.map((message) => writeMessage(toFields(message), message)).join(',')}]`;
}

const frames = new WeakMap<StoredMessage, Buffer>();

/** Returns the frame, whose bytes all sockets share that a message goes to. */
export function toMessageFrame(message: StoredMessage): Buffer {
  const known = frames.get(message);
  if (known !== undefined) return known;
  const fields = { type: 'message.new', ...toFields(message) } satisfies Omit<NewMessage, 'envelope'>;
  const frame = Buffer.from(writeMessage(fields, message));
  frames.set(message, frame);
  return frame;
}
