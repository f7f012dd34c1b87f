import { type MessageForWebhooks, queueMessagesForWebhooks } from '../events/webhook-outbox.ts';
import { RequestError, rateLimited } from '../http/request-error.ts';
import { createId } from '../id.ts';
import type { Platform } from '../platform.ts';
import { pipeTransaction, settleInOrder } from '../storage/pipeline.ts';
import { findAccepted, insertMessages, type NewMessage, sendKey } from './batch-store.ts';
import { type ConversationState, readConversations } from './conversation-state.ts';
import { checkMayTalk } from './may-talk.ts';
import { type Ack, type Outgoing, toFields } from './message.ts';
import { countToolCalls, readToolRates } from './tool-rate.ts';
import { isTimely } from './validate-message.ts';

/** Of a conversation that someone else has locked, nothing was done. */
type Result = Ack | RequestError | 'busy';

export interface BatchResult {
  /** One result for each message of the batch, in its order. */
  readonly results: readonly Result[];
  readonly stored: readonly NewMessage[];
  /** Whom to wake: the members of conversations with new messages, or whose sender sent a retry. */
  readonly woken: readonly Woken[];
  /** Does any of them go to a webhook? */
  readonly hasWebhooks: boolean;
  /** How often an agent's webhook was to get a message, and its delivery is not made (OP-4). */
  readonly undelivered: ReadonlyMap<string, number>;
  /** How many are in each conversation that was read; those with a webhook are told twice. */
  readonly sizes: ReadonlyMap<string, number>;
}
interface Woken {
  readonly conversation: string;
  readonly upTo: number;
  /** The bus keys of its members. */
  readonly audience: readonly string[];
  /** The accounts of those who sent something into it. */
  readonly accounts: readonly string[];
}

/**
 * Numbers and stores messages in one transaction. A message that is refused uses no number.
 *
 * Few messages are retries. So unless `everyRetry` is set, only those are looked up whose answer depends on it: messages
 * that are too old, and calls over the limit. A retry among the rest violates a unique index; the caller then sets `everyRetry`.
 */
export async function commitBatch(
  platform: Platform,
  batch: readonly Outgoing[],
  { everyRetry, lock }: { readonly everyRetry: boolean; readonly lock: 'wait' | 'skip' },
): Promise<BatchResult> {
  return pipeTransaction(platform.relayPool, async (transaction) => {
    const now = platform.now();
    const { toolCallsPerMinute } = platform.config;
    const callers = countToolCallers(batch);
    const late = everyRetry ? batch : batch.filter(({ envelope }) => !isTimely(envelope.header.created_at, now));
    const [states, known, rates] = await settleInOrder([
      readConversations(transaction, batch.map(toSpeaking), lock),
      findAccepted(transaction, late),
      readToolRates(transaction, [...callers.keys()], toolCallsPerMinute),
    ]);
    const left = new Map([...rates].map(([id, rate]) => [id, rate.left]));
    // A retry is not counted, so retries must be known before anyone is refused for too many calls.
    const isShort = [...callers].some(([id, count]) => left.get(id)! < count);
    const accepted = isShort && !everyRetry ? await findAccepted(transaction, batch) : known;
    const lastSeq = new Map([...states.values()].map((state) => [state.id, state.lastSeq]));
    const messages: NewMessage[] = [];
    const calls: { agentId: string; time: string }[] = [];

    const accept = (outgoing: Outgoing): Ack | 'busy' => {
      const { header } = outgoing.envelope;
      const { conversation_id, sender, client_message_id } = header;
      const state = states.get(conversation_id);
      if (state?.isBusy) return 'busy';
      checkMayTalk(state, sender);
      if (state?.kind === 'account' && header.content_type !== 'system')
        throw new RequestError('MESSAGE_LABEL_INVALID');
      const before = accepted.get(sendKey(outgoing));
      if (before !== undefined) {
        if (before.hash !== outgoing.hash) throw new RequestError('IDEMPOTENCY_CONFLICT');
        return { message_id: before.id, conversation_seq: before.seq, client_message_id };
      }
      if (!isTimely(header.created_at, now)) {
        throw new RequestError('MESSAGE_TIME_INVALID', { server_time: now.toISOString() });
      }
      if (header.msg_subtype === 'artifact_tool_call') {
        const rate = rates.get(sender.id)!;
        if (left.get(sender.id)! <= 0) throw rateLimited(Math.max(1, rate.waitSeconds), 'tool_calls');
        left.set(sender.id, left.get(sender.id)! - 1);
        calls.push({ agentId: sender.id, time: rate.time });
      }
      const seq = lastSeq.get(conversation_id)! + 1;
      lastSeq.set(conversation_id, seq);
      const message = toMessage(outgoing, { id: createId(now), seq, now });
      messages.push(message);
      accepted.set(sendKey(outgoing), message);
      return { message_id: message.id, conversation_seq: seq, client_message_id };
    };
    const results = batch.map((outgoing) => attempt(() => accept(outgoing)));

    const forWebhooks = findForWebhooks(messages, states);
    const limitOf = (account: string) => platform.budgets.limitOf(account, 'waiting_deliveries');
    const [, , queued] = await settleInOrder([
      messages.length === 0 ? undefined : insertMessages(transaction, messages),
      countToolCalls(transaction, calls, toolCallsPerMinute),
      queueMessagesForWebhooks(transaction, forWebhooks, { now, limitOf }),
      transaction.commit(),
    ] as const);
    return {
      results,
      stored: messages,
      woken: toWoken(batch, results, { states, lastSeq }),
      hasWebhooks: queued.size > 0,
      undelivered: countUndelivered(forWebhooks.filter((message) => !queued.has(message))),
      sizes: toSizes(states),
    };
  });
}

const conversationOf = ({ envelope }: Outgoing) => envelope.header.conversation_id;
const toSpeaking = ({ envelope: { header } }: Outgoing) => ({
  conversationId: header.conversation_id,
  sender: header.sender,
});

function attempt<T>(run: () => T): T | RequestError {
  try {
    return run();
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}

/** Counts the tool calls of each agent. */
function countToolCallers(batch: readonly Outgoing[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { envelope } of batch) {
    const { msg_subtype, sender } = envelope.header;
    if (msg_subtype === 'artifact_tool_call') counts.set(sender.id, (counts.get(sender.id) ?? 0) + 1);
  }
  return counts;
}

function toMessage(
  { account, envelope, text, hash }: Outgoing,
  { id, seq, now }: { id: string; seq: number; now: Date },
) {
  const { header } = envelope;
  return {
    id,
    conversation_id: header.conversation_id,
    seq,
    client_message_id: header.client_message_id,
    sender_kind: header.sender.kind,
    sender_id: header.sender.id,
    sender_device_id: header.sender.device_id ?? null,
    content_type: header.content_type,
    msg_subtype: header.msg_subtype,
    created_at: new Date(header.created_at),
    received_at: now,
    envelope: text,
    hash,
    account,
  } satisfies NewMessage;
}

/** The messages that go to webhooks, each once, however many there are. */
function findForWebhooks(
  messages: readonly NewMessage[],
  states: ReadonlyMap<string, ConversationState>,
): readonly MessageForWebhooks[] {
  return messages.flatMap((message) => {
    const agentIds = states.get(message.conversation_id)!.webhooks.filter((id) => id !== message.sender_id);
    if (agentIds.length === 0) return [];
    return [
      {
        account: message.account,
        type: message.msg_subtype === 'artifact_response' ? 'artifact_response' : 'message.new',
        payload: JSON.stringify(toFields(message)),
        conversationId: message.conversation_id,
        seq: message.seq,
        agentIds,
      },
    ];
  });
}

function toSizes(states: ReadonlyMap<string, ConversationState>): ReadonlyMap<string, number> {
  const read = [...states.values()].filter(({ isBusy }) => !isBusy);
  return new Map(read.map(({ id, audience, webhooks }) => [id, audience.length + webhooks.length]));
}

function countUndelivered(messages: readonly MessageForWebhooks[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { agentIds } of messages) for (const id of agentIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function toWoken(
  batch: readonly Outgoing[],
  results: readonly Result[],
  { states, lastSeq }: { states: ReadonlyMap<string, ConversationState>; lastSeq: ReadonlyMap<string, number> },
): BatchResult['woken'] {
  const accounts = new Map<string, Set<string>>();
  batch.forEach((outgoing, index) => {
    const result = results[index];
    if (result === 'busy' || result instanceof RequestError) return;
    const id = conversationOf(outgoing);
    accounts.set(id, (accounts.get(id) ?? new Set()).add(outgoing.account));
  });
  return [...accounts].map(([id, senders]) => ({
    conversation: id,
    upTo: lastSeq.get(id)!,
    audience: states.get(id)!.audience,
    accounts: [...senders],
  }));
}
