import type { Envelope } from '@parley/protocol';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { wakeWebhooks } from '../events/webhook-outbox.ts';
import type { AgentCaller, Human } from '../http/caller.ts';
import { RequestError, rateLimited } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { BatchResult } from './batch.ts';
import { createCommitQueue } from './commit-queue.ts';
import type { Ack, StoredMessage } from './message.ts';
import { validateMessage } from './validate-message.ts';

/** Stores messages and wakes their recipients. There is one for each server. */
export interface Relay {
  /** Resolves when the message is on disk (TR-3). */
  send(caller: Human | AgentCaller, message: { conversationId: string; envelope: Envelope }): Promise<Ack>;
  /**
   * Calls the listener for each message that this node stored, in the order of its conversation. Returns a function
   * that stops it.
   */
  onStored(listener: (stored: Stored) => void): () => void;
  /** Takes no new messages and finishes those it has. */
  close(): Promise<void>;
}
interface Stored {
  readonly message: StoredMessage;
  /** Whose message it is: passing it on is at its expense. */
  readonly account: string;
  /** The bus keys of the recipients. */
  readonly recipients: readonly string[];
}

/**
 * Commits that run at the same time, each on a connection of its own. A conversation always uses the same queue, so its
 * messages keep their order; while one queue waits for the disk, another uses the processor.
 */
export const SHARDS = 2;

export function createRelay(platform: Platform): Relay {
  const listeners = new Set<(stored: Stored) => void>();
  let closed = false;

  const announce = ({ stored, woken, hasWebhooks, undelivered }: BatchResult): void => {
    const { agentEvents, bus, metrics } = platform;
    const recipients = new Map(woken.map(({ conversation, audience }) => [conversation, audience]));
    metrics.messages.inc(stored.length);
    if (hasWebhooks) wakeWebhooks(bus);
    for (const [agentId, count] of undelivered) {
      agentEvents.countUndelivered(agentId, count);
      metrics.refusals.inc({ limit: 'waiting_deliveries' }, count);
    }
    for (const message of stored) {
      for (const listener of listeners)
        listener({ message, account: message.account, recipients: recipients.get(message.conversation_id)! });
    }
    for (const { conversation, upTo, audience, accounts } of woken)
      bus.wakeAll({ keys: audience, about: conversation, upTo, accounts });
  };
  const queues = Array.from({ length: SHARDS }, () => createCommitQueue(platform, announce));

  return {
    send: async (caller, { conversationId, envelope }) => {
      const outgoing = validateMessage(caller, conversationId, envelope);
      const { account: accountId } = outgoing;
      // What passing on costs is known only afterwards.
      platform.budgets.take(accountId, { bytes_passed_on_per_second: 0 });
      await platform.budgets.reserveBytes(accountId, ROW_BYTES.message + outgoing.text.length);
      if (closed) throw new RequestError('UNAVAILABLE');
      // What other nodes were not told yet is kept in memory.
      if (platform.bus.isBehind(accountId)) throw rateLimited(1, 'relay_share');
      // The last digits of an id are random.
      return queues[Number.parseInt(conversationId.slice(-4), 16) % SHARDS]!.add(outgoing);
    },
    onStored: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      closed = true;
      await Promise.all(queues.map((queue) => queue.idle()));
    },
  };
}
