import { createKeyedQueue, isParleyError, type Retrier } from '@parley/base';
import { ApiError, isOutage } from '../api/api-error.ts';
import type { Delivered, Opener, OpenResult } from '../encryption/opener.ts';
import type { YieldSlice } from '../encryption/yield-slice.ts';
import { messengerError } from '../errors.ts';
import type { Platform } from '../platform.ts';
import { checkRoom } from '../stores/shortage.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Incoming, MessengerOptions, Problem } from '../types.ts';

/**
 * Takes messages from the wire to the handler: in order within a conversation, saved until handled, acknowledged after.
 */
export interface Inbox {
  /** Begins with what an earlier run saved and did not handle. */
  start(): void;
  receive(message: Delivered): Promise<OpenResult['state']>;
  gone(conversationId: string, fromSeq: number, toSeq: number): void;
  /** The last message received in each conversation, acknowledged or not. */
  positions(): Readonly<Record<string, number>>;
  /** Resolves when no handler is running. */
  idle(): Promise<unknown>;
  /** Sends at once the acknowledgements that are due. */
  acknowledge(): void;
  /** Handles nothing more; saved messages come again with the next start. */
  stop(): void;
}

interface Deps {
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly opener: Opener;
  /** Under which envelopes name us. */
  readonly address: string;
  readonly retrier: Retrier;
  readonly setTimer: Platform['setTimer'];
  readonly yieldSlice: YieldSlice;
  readonly onMessage: MessengerOptions['onMessage'];
  readonly acknowledge: (conversationId: string, seq: number) => void;
  readonly report: (problem: Problem) => void;
}

/**
 * No caller waits for a received message, so the server is asked again about its sender as long as its answer says
 * nothing about them: it is overloaded, refuses our token, or its reply makes no sense.
 */
const isBusy = (error: unknown) =>
  isOutage(error) ||
  isParleyError(error, 'STORE_FULL') ||
  (error instanceof ApiError && ([401, 429, 500].includes(error.status) || error.code === 'REPLY_INVALID'));
/** Nobody waits for an acknowledgement, and each costs the server a write: those of a moment are sent together. */
const ACK_MS = 20;
const PREFIX = 'inbox/';
const keyOf = (conversationId: string, seq: number) => `${PREFIX}${conversationId}/${String(seq).padStart(16, '0')}`;

export async function loadInbox(deps: Deps): Promise<Inbox> {
  const { store, writeBuffer, opener, address, retrier, setTimer, yieldSlice, onMessage, acknowledge, report } = deps;
  const opening = createKeyedQueue();
  const handling = createKeyedQueue();
  const running = new Set<Promise<unknown>>();
  /** Messages that were received and not acknowledged. */
  const waiting = new Map<string, Set<number>>();
  /** Due, because what they acknowledge is on disk. */
  const acks = new Map<string, number>();
  let stopTimer = () => {};
  let stopped = false;

  const enter = (conversationId: string, seq: number): boolean => {
    const seqs = waiting.get(conversationId) ?? new Set();
    waiting.set(conversationId, seqs);
    if (seqs.has(seq)) return false;
    seqs.add(seq);
    return true;
  };
  const sendAcks = (): void => {
    stopTimer();
    for (const [conversationId, seq] of acks) {
      acknowledge(conversationId, seq);
      const seqs = waiting.get(conversationId);
      for (const one of seqs ?? []) if (one <= seq) seqs!.delete(one);
      if (seqs?.size === 0) waiting.delete(conversationId);
    }
    acks.clear();
  };
  /**
   * Each waits for a batch that is made after it: one that is on its way lacks its state. What is never on disk is never
   * acknowledged.
   */
  const acknowledgeSoon = (conversationId: string, seq: number): void => {
    const onSaved = (): void => {
      if (acks.size === 0) stopTimer = setTimer(sendAcks, ACK_MS);
      acks.set(conversationId, Math.max(seq, acks.get(conversationId) ?? 0));
    };
    writeBuffer.savedLater().then(onSaved, () => {});
  };
  const handle = async (incoming: Incoming, finish: () => void): Promise<void> => {
    if (stopped) return;
    try {
      await onMessage(incoming);
    } catch (error) {
      report({ kind: 'handler', error });
    }
    // The store was closed meanwhile.
    if (stopped) return;
    finish();
    acknowledgeSoon(incoming.conversationId, incoming.seq);
  };
  const track = (work: Promise<unknown>): void => {
    running.add(work);
    work.finally(() => running.delete(work)).catch(() => {});
  };
  const deliver = (incoming: Incoming, finish: () => void): void =>
    track(handling.run(incoming.conversationId, () => handle(incoming, finish)));
  /** Waits for the handlers before it: an acknowledgement covers everything up to its number. */
  const pass = (conversationId: string, seq: number): void =>
    track(handling.run(conversationId, async () => acknowledgeSoon(conversationId, seq)));

  const accept = (incoming: Incoming): void => {
    const key = keyOf(incoming.conversationId, incoming.seq);
    let isWritten = false;
    writeBuffer.set(key, () => {
      isWritten = true;
      return writeText(incoming);
    });
    writeBuffer.savedLater().catch(() => {});
    // A message that is handled before the batch is written is not written at all.
    deliver(incoming, () => (isWritten ? writeBuffer.set(key, null) : writeBuffer.drop(key)));
  };
  /** What cannot be written fails alone: everything else in the batch is kept (EE-26). */
  const writeText = (incoming: Incoming): string | null => {
    try {
      return JSON.stringify(incoming);
    } catch (error) {
      report({ kind: 'handler', error });
      return null;
    }
  };
  /** One that cannot even be looked at is lost like one that does not open, and that is told (EE-26). */
  const open = async (message: Delivered): Promise<OpenResult> => {
    try {
      return await retrier.run(() => {
        checkRoom(store);
        return opener.open(message);
      }, isBusy);
    } catch (error) {
      if (stopped || isParleyError(error, 'CLOSED')) throw error;
      report({ kind: 'handler', error });
      return { state: 'refused', reason: 'failed' };
    }
  };
  const take = async (message: Delivered): Promise<OpenResult['state']> => {
    await yieldSlice();
    // The message was not opened, so the server pushes it again.
    if (stopped) throw messengerError('CLOSED');
    const result = await open(message);
    const { conversation_id: conversationId, conversation_seq: seq } = message;
    if (result.state === 'opened') accept(result.incoming);
    else {
      if (result.state === 'refused') {
        const { header, wraps } = message.envelope;
        const isAddressed = wraps.some(({ to }) => to === address);
        const { reason } = result;
        report({ kind: 'undecryptable', header, messageId: message.message_id, seq, reason, isAddressed });
      }
      pass(conversationId, seq);
    }
    return result.state;
  };

  const kept = (await store.list(PREFIX)).map(([key, text]) => ({ key, incoming: JSON.parse(text) as Incoming }));
  for (const { incoming } of kept) enter(incoming.conversationId, incoming.seq);

  return {
    start: () => {
      for (const { key, incoming } of kept.splice(0)) deliver(incoming, () => writeBuffer.set(key, null));
    },
    receive: async (message) => {
      const { conversation_id: conversationId, conversation_seq: seq } = message;
      if (stopped || !enter(conversationId, seq)) return 'repeated';
      try {
        return await opening.run(conversationId, () => take(message));
      } catch (error) {
        // The message was not acknowledged, so the server pushes it again.
        const seqs = waiting.get(conversationId);
        seqs?.delete(seq);
        if (seqs?.size === 0) waiting.delete(conversationId);
        throw error;
      }
    },
    gone: (conversationId, fromSeq, toSeq) => {
      report({ kind: 'gone', conversationId, fromSeq, toSeq });
      void opening.run(conversationId, async () => pass(conversationId, toSeq));
    },
    positions: () => {
      const positions: Record<string, number> = {};
      // A set of a hundred thousand is too large for the arguments of Math.max.
      for (const [id, seqs] of waiting) for (const seq of seqs) positions[id] = Math.max(seq, positions[id] ?? 0);
      return positions;
    },
    idle: () => Promise.allSettled(running),
    acknowledge: sendAcks,
    stop: () => {
      stopped = true;
    },
  };
}
