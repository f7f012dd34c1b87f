import type { ConversationKind, Incoming, PlatformEvent } from '@parley/messenger';
import {
  type CardAnswer,
  type ContentType,
  isMessage,
  type MsgSubtype,
  type MessagePayload as PlainMessagePayload,
  type Sender,
  type ToolResponse,
  textOf,
} from '@parley/protocol';
import { reasonOf } from './tool-response.ts';

// Converts the messenger's messages to the SDK's snake_case shapes (SK-2).

interface Received {
  readonly conversation_id: string;
  readonly conversation_kind: ConversationKind;
  readonly message_id: string;
  readonly conversation_seq: number;
  readonly client_message_id: string;
  readonly sender: Sender;
  readonly content_type: ContentType;
  readonly msg_subtype: MsgSubtype;
  readonly created_at: string;
  readonly received_at: string;
}

/** `text` is always set: it is the caption of an attachment, and empty where there is no text. */
export type MessagePayload = { readonly text: string } & PlainMessagePayload;

export interface AgentMessage extends Received {
  readonly payload: MessagePayload;
}

/** `payload` holds the same as `artifact`, in the form of the SDK guide. */
export type ArtifactResponseEvent = Received & { readonly type: 'artifact_response' } & (
    | {
        readonly artifact: ToolResponse;
        readonly payload: Omit<ToolResponse, 'subtype'> & { readonly ref_artifact_subtype: 'tool_response' };
      }
    | {
        readonly artifact: CardAnswer;
        readonly payload: Omit<CardAnswer, 'subtype'> & { readonly ref_artifact_subtype: CardAnswer['subtype'] };
      }
  );

type ForwardedEvent = Exclude<PlatformEvent, { type: 'message.new' | 'message.ack' | 'artifact_response' }>;
type InSnakeCase<E> = E extends ForwardedEvent ? Omit<E, 'eventId'> & { readonly event_id?: number } : never;

export type AgentEvent = ArtifactResponseEvent | InSnakeCase<ForwardedEvent>;

function toReceived(message: Incoming): Received {
  return {
    conversation_id: message.conversationId,
    // The other kind is of a person's devices among themselves.
    conversation_kind: message.conversationKind as ConversationKind,
    message_id: message.messageId,
    conversation_seq: message.seq,
    client_message_id: message.clientMessageId,
    sender: message.sender,
    content_type: message.contentType,
    msg_subtype: message.msgSubtype,
    created_at: message.createdAt,
    received_at: message.receivedAt,
  };
}

/**
 * Returns undefined for what is not a message to an agent: answers, which are events, and calls, which are for devices.
 */
export function toAgentMessage(message: Incoming): AgentMessage | undefined {
  const { payload } = message;
  if (!isMessage(payload)) return undefined;
  return { ...toReceived(message), payload: { ...payload, text: textOf(payload) } };
}

/** Returns undefined if the message answers nothing. */
export function toResponseEvent(message: Incoming): ArtifactResponseEvent | undefined {
  const { payload } = message;
  if (payload.type !== 'artifact') return undefined;
  const { artifact } = payload;
  if (artifact.subtype === 'tool_response') {
    const reason = reasonOf(artifact);
    const response = reason === undefined ? artifact : { ...artifact, reason };
    const { subtype, ...fields } = response;
    return {
      ...toReceived(message),
      type: 'artifact_response',
      artifact: response,
      payload: { ...fields, ref_artifact_subtype: subtype },
    };
  }
  if (artifact.subtype === 'tool_call' || !('action' in artifact)) return undefined;
  const { subtype, ...fields } = artifact;
  return {
    ...toReceived(message),
    type: 'artifact_response',
    artifact,
    payload: { ...fields, ref_artifact_subtype: subtype },
  };
}

/** Returns undefined for events that announce a message, which reaches the message handlers. */
export function toAgentEvent(event: PlatformEvent): InSnakeCase<ForwardedEvent> | undefined {
  if (event.type === 'message.new' || event.type === 'message.ack' || event.type === 'artifact_response') {
    return undefined;
  }
  const { eventId, ...rest } = event;
  return { ...rest, event_id: eventId } as InSnakeCase<ForwardedEvent>;
}
