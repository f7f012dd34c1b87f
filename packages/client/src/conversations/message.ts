import type { Incoming } from '@parley/messenger';
import type { Payload, Sender } from '@parley/protocol';
import type { CallRecord } from '../guard/call-record.ts';

/** A message as it is kept and drawn. Of a tool call, `call` says how it stands. */
export interface ChatMessage {
  /** Of the sender's making; with the sender it is unique. */
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
  /** Of a card: what was done with it, here or on another device. */
  readonly answer?: { readonly action: string };
}

export function toMessage(incoming: Incoming, own: boolean): ChatMessage {
  const { clientMessageId, conversationId, seq, messageId, sender, createdAt, payload } = incoming;
  return { clientMessageId, conversationId, seq, messageId, sender, own, createdAt, state: 'received', payload };
}

/** Numbered ones by their number, those on their way behind them. */
export function compareMessages(a: ChatMessage, b: ChatMessage): number {
  return (a.seq ?? Infinity) - (b.seq ?? Infinity) || compare(a.createdAt, b.createdAt);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
