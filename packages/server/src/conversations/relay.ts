import type { Envelope } from '@parley/protocol';
import { keyOf } from '../events/bus.ts';
import type { AgentCaller, Human } from '../http/caller.ts';
import { RequestError, rateLimited } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { type BatchResult, commitBatch } from './batch.ts';
import type { Ack, Outgoing, StoredMessage } from './message.ts';
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
  /** The bus keys of the recipients. */
  readonly recipients: readonly string[];
}

/**
 * Commits that run at the same time. A conversation always uses the same queue, so its messages keep their order; while
 * one queue waits for the disk, another uses the processor.
 */
const SHARDS = 2;
/** Beyond this, senders are refused for now, to bound memory. */
const MAX_WAITING = 5_000;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** The limit of one sender, so that there is capacity for the others. */
const MAX_OF_ONE = 1_000;
const MAX_OF_ONE_BYTES = 8 * 1024 * 1024;
const MAX_BATCH = 500;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const ATTEMPTS = 4;
const RETRY_BATCHES = 20;
const UNIQUE_VIOLATION = '23505';

export function createRelay(platform: Platform): Relay {
  const listeners = new Set<(stored: Stored) => void>();
  let closed = false;

  const announce = ({ stored, woken }: BatchResult): void => {
    const recipients = new Map(
      woken.map(({ conversation, members }) => [conversation, members.map(({ kind, id }) => keyOf[kind](id))]),
    );
    platform.metrics.messages.inc(stored.length);
    for (const message of stored) {
      for (const listener of listeners) listener({ message, recipients: recipients.get(message.conversation_id)! });
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
      const outgoing = validateMessage(caller, conversationId, envelope);
      if (closed) throw new RequestError('UNAVAILABLE');
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

interface CommitQueue {
  add(outgoing: Outgoing): Promise<Ack>;
  idle(): Promise<void>;
}
interface Waiting {
  readonly outgoing: Outgoing;
  resolve(ack: Ack): void;
  reject(error: unknown): void;
}

/** Adaptive group commit: what arrives while one commit runs goes into the next. */
function createCommitQueue(platform: Platform, announce: (result: BatchResult) => void): CommitQueue {
  const queue: Waiting[] = [];
  const senders = new Map<string, { count: number; bytes: number }>();
  let bytes = 0;
  let running: Promise<void> | undefined;
  /**
   * For this many batches, retries are looked up at once: a client that sends nothing else must not double everyone's
   * work.
   */
  let expectedRetries = 0;

  const takeBatch = (): Waiting[] => {
    let size = 0;
    const end = queue.findIndex(({ outgoing }, index) => {
      size += outgoing.text.length;
      return index === MAX_BATCH || (index > 0 && size > MAX_BATCH_BYTES);
    });
    const batch = queue.splice(0, end === -1 ? queue.length : end);
    for (const { outgoing } of batch) count(outgoing, -1);
    return batch;
  };
  const count = ({ text, envelope }: Outgoing, by: 1 | -1): void => {
    const { id } = envelope.header.sender;
    const share = senders.get(id) ?? { count: 0, bytes: 0 };
    bytes += by * text.length;
    share.count += by;
    share.bytes += by * text.length;
    if (share.count === 0) senders.delete(id);
    else senders.set(id, share);
  };
  const run = async (): Promise<void> => {
    // What arrived in one packet should not be split into a batch of one and the rest.
    await new Promise(setImmediate);
    while (queue.length > 0) await settle(takeBatch());
    running = undefined;
  };
  const commit = async (batch: readonly Outgoing[]): Promise<BatchResult> => {
    if (expectedRetries > 0) expectedRetries--;
    for (let attempt = 1; ; attempt++) {
      try {
        return await commitBatch(platform, batch, expectedRetries > 0);
      } catch (error) {
        const code = sqlState(error);
        const isRetry = code === UNIQUE_VIOLATION && expectedRetries === 0;
        if (isRetry) expectedRetries = RETRY_BATCHES;
        else if (!isTransient(code) || attempt === ATTEMPTS) throw error;
        else platform.log.warn({ sqlstate: code, attempt }, 'relay: the batch is tried again');
      }
    }
  };
  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    let result: BatchResult;
    try {
      result = await commit(batch.map(({ outgoing }) => outgoing));
    } catch (error) {
      // A message that the database refuses must not fail the others with it.
      if (isAboutData(error) && batch.length > 1) for (const one of batch) await settle([one]);
      else for (const { reject } of batch) reject(toRequestError(error));
      return;
    }
    batch.forEach(({ resolve, reject }, index) => {
      const ack = result.results[index]!;
      if (ack instanceof RequestError) reject(ack);
      else resolve(ack);
    });
    announce(result);
  };

  return {
    add: (outgoing) => {
      const share = senders.get(outgoing.envelope.header.sender.id);
      if (share !== undefined && (share.count >= MAX_OF_ONE || share.bytes > MAX_OF_ONE_BYTES)) throw rateLimited(1);
      if (queue.length >= MAX_WAITING || bytes > MAX_WAITING_BYTES) throw new RequestError('UNAVAILABLE');
      return new Promise<Ack>((resolve, reject) => {
        queue.push({ outgoing, resolve, reject });
        count(outgoing, 1);
        running ??= run();
      });
    },
    idle: async () => {
      await running;
    },
  };
}

function sqlState(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Deadlocks and serialisation failures succeed when they are tried again. */
const isTransient = (code: string) => code.startsWith('40');

/** Classes 22 and 23 of SQLSTATE: a value that does not fit. */
function isAboutData(error: unknown): boolean {
  return /^2[23][0-9A-Z]{3}$/.test(sqlState(error));
}

/** Whether it was stored is unknown: a retry with the same client_message_id finds out. */
function toRequestError(error: unknown): RequestError {
  return error instanceof RequestError ? error : new RequestError('UNAVAILABLE', {}, { cause: error });
}
