import type { Incoming } from '@parley/messenger';
import type { CardAnswer, Payload, Sender } from '@parley/protocol';
import type { CallRecord } from '../guard/call-record.ts';

/** A message as it is stored and shown. For a tool call, `call` says how far it is. */
export interface ChatMessage {
  /** Made by the sender; unique together with the sender. */
  readonly clientMessageId: string;
  readonly conversationId: string;
  /** Absent until the server has numbered it. */
  readonly seq?: number;
  readonly messageId?: string;
  readonly sender: Sender;
  /** Written by this account, here or on another device. */
  readonly own: boolean;
  readonly createdAt: string;
  readonly state: 'received' | 'sending' | 'sent' | 'failed';
  readonly payload: Payload;
  readonly call?: Pick<CallRecord, 'state' | 'response' | 'startedAt'>;
  /** For a card: what was done with it, here or on another device. */
  readonly answer?: CardAnswerNote;
  /** For an answer that was given here: whose card it is to. */
  readonly answerTo?: Pick<Sender, 'kind' | 'id'>;
  /** It was sent with secret values, which are not kept: it cannot be sent again as it was (WC-23). */
  readonly hadSecret?: true;
  /** For a card that the agent has changed: when the revision that is shown was made. */
  readonly revisedAt?: string;
}

/** All but the action is missing where an earlier version wrote it. */
interface CardAnswerNote {
  readonly action: string;
  readonly values?: CardAnswer['values'];
  readonly answeredAt?: string;
  /** How often it was answered. */
  readonly times?: number;
}

export function toMessage(incoming: Incoming, own: boolean): ChatMessage {
  const { clientMessageId, conversationId, seq, messageId, sender, createdAt, payload } = incoming;
  return { clientMessageId, conversationId, seq, messageId, sender, own, createdAt, state: 'received', payload };
}

/** Sorts by sequence number; messages without one come last. */
export function compareMessages(a: ChatMessage, b: ChatMessage): number {
  return (a.seq ?? Infinity) - (b.seq ?? Infinity) || compare(a.createdAt, b.createdAt);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
