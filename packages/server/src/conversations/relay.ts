import type { Envelope } from '@parley/protocol';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { keyOf } from '../events/bus.ts';
import { wakeWebhooks } from '../events/webhook-outbox.ts';
import { type AgentCaller, accountOf, type Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
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

  const announce = ({ stored, woken, hasWebhooks }: BatchResult): void => {
    const recipients = new Map(
      woken.map(({ conversation, members }) => [conversation, members.map(({ kind, id }) => keyOf[kind](id))]),
    );
    platform.metrics.messages.inc(stored.length);
    if (hasWebhooks) wakeWebhooks(platform.bus);
    for (const message of stored) {
      for (const listener of listeners)
        listener({ message, account: message.account, recipients: recipients.get(message.conversation_id)! });
    }
    platform.bus.wake(
      woken.flatMap(({ conversation, upTo }) =>
        recipients.get(conversation)!.map((key) => ({ key, about: conversation, upTo })),
      ),
    );
  };
  const queues = Array.from({ length: SHARDS }, () => createCommitQueue(platform, announce));

  return {
    send: async (caller, { conversationId, envelope }) => {
      const accountId = accountOf(caller);
      // What passing on costs is known only afterwards.
      platform.budgets.take(accountId, { bytes_passed_on_per_second: 0 });
      const outgoing = validateMessage(caller, conversationId, envelope);
      await platform.budgets.reserveBytes(accountId, ROW_BYTES.message + outgoing.text.length);
      if (closed) throw new RequestError('UNAVAILABLE');
      // The last digits of an id are random.
      return queues[Number.parseInt(conversationId.slice(-4), 16) % SHARDS]!.add(accountId, outgoing);
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
