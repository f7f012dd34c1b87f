import { hash } from 'node:crypto';
import { canonicalise, type Json } from '@parley/documents';
import { type Envelope, isTooLarge, labelFits, MAX_ENVELOPE_BYTES } from '@parley/protocol';
import { type AgentCaller, accountOf, type Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Outgoing } from './message.ts';

/**
 * A message may be sealed offline and sent up to a day later. It may be ahead of our clock only as far as clocks differ,
 * because the lifetime of a call begins with it (TC-2).
 */
const MAX_AGE_MS = 24 * 60 * 60 * 1_000;
const MAX_AHEAD_MS = 5 * 60 * 1_000;

/** Validates what can be known without the database. The contract has checked its shape before. */
export function validateMessage(caller: Human | AgentCaller, conversationId: string, envelope: Envelope): Outgoing {
  const { header } = envelope;
  if (header.conversation_id !== conversationId || !isSender(caller, envelope))
    throw new RequestError('SENDER_MISMATCH');
  if (!labelFits(header)) throw new RequestError('MESSAGE_LABEL_INVALID');
  if (isTooLarge(envelope)) throw new RequestError('PAYLOAD_TOO_LARGE', { limit: 64 * 1024 });
  const text = canonicalise(envelope as unknown as Json);
  if (Buffer.byteLength(text) > MAX_ENVELOPE_BYTES) {
    throw new RequestError('PAYLOAD_TOO_LARGE', { limit: MAX_ENVELOPE_BYTES });
  }
  return { account: accountOf(caller), envelope, text, hash: hash('sha256', text) };
}

function isSender(caller: Human | AgentCaller, { header: { sender } }: Envelope): boolean {
  if (caller.kind === 'agent') {
    return sender.kind === 'agent' && sender.id === caller.agentId && sender.device_id === undefined;
  }
  // Without registered keys nobody could verify what is sent.
  if (caller.deviceId === undefined) throw new RequestError('IDENTITY_MISSING');
  return sender.kind === 'human' && sender.id === caller.accountId && sender.device_id === caller.deviceId;
}

/**
 * Checked separately, because a retry of an accepted message is right at any time. False for a date that does not
 * exist.
 */
export function isTimely(createdAt: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(createdAt);
  return age <= MAX_AGE_MS && age >= -MAX_AHEAD_MS;
}
