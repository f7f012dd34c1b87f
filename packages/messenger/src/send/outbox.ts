import { createKeyedQueue, type Retrier } from '@parley/base';
import { type Crypto, type OwnKeys, toBase64Url } from '@parley/e2ee';
import { addHeads, type Envelope, encodePayload, type Head, type Header } from '@parley/protocol';
import type { ApiError } from '../api/api-error.ts';
import { isOutage } from '../api/api-error.ts';
import type { ServerClock } from '../api/server-clock.ts';
import type { Sealer } from '../encryption/sealer.ts';
import type { YieldSlice } from '../encryption/yield-slice.ts';
import { messengerError } from '../errors.ts';
import type { Platform } from '../platform.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Ack, Outgoing, Problem } from '../types.ts';
import { createPendingSend, type PendingSend } from './pending-send.ts';
import { loadSentLog } from './sent-log.ts';

interface SealedMessage {
  readonly clientMessageId: string;
  readonly conversationId: string;
  /** The envelope as JSON. */
  readonly text: string;
}

/** Sends sealed messages. It calls `acknowledged` or `refused` later, or neither if the connection is lost. */
export interface Carrier {
  isReady(): boolean;
  carry(message: SealedMessage): void;
}

/** Takes messages from sealing to the server's acknowledgement. */
export interface Outbox {
  send(message: Outgoing): Promise<Ack>;
  outcome(clientMessageId: string): Promise<Ack> | undefined;
  acknowledged(ack: Ack): void;
  refused(clientMessageId: string, error: ApiError): void;
  /** Called when there is a connection, or room in it again. */
  pump(): void;
  /** Called when the connection was lost: unacknowledged messages are sent again, unchanged. */
  rewind(): void;
  /** Resolves when nothing waits any more, or after the given time. */
  drain(ms: number): Promise<void>;
  stop(): void;
}

interface Entry extends SealedMessage {
  readonly key: string;
  /** True if the caller chose the id, and may send it again. */
  readonly isNamed: boolean;
  readonly pending: PendingSend;
  /** A `sealed` message is not on disk yet, so it must not be sent. */
  state: 'sealed' | 'queued' | 'carried';
  attempts: number;
}

type Encoded = ReturnType<typeof encodePayload>;
type Named = Pick<Entry, 'clientMessageId' | 'pending'>;

interface Deps {
  readonly platform: Platform;
  readonly crypto: Crypto;
  readonly own: OwnKeys;
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly sealer: Sealer;
  readonly retrier: Retrier;
  readonly yieldSlice: YieldSlice;
  readonly carrier: Carrier;
  readonly clock: Pick<ServerClock, 'pruningTime'>;
  readonly headsFor?: ((conversationId: string) => readonly Head[] | undefined) | undefined;
  readonly report: (problem: Problem) => void;
}

const PREFIX = 'outbox/';
/** The server stops reading when 200 messages of a socket wait for its disk. */
const MAX_UNDER_WAY = 150;
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;
const MAX_ATTEMPTS = 60;
const encoder = new TextEncoder();

export async function loadOutbox(deps: Deps): Promise<Outbox> {
  const { platform, crypto, own, store, writeBuffer, sealer, retrier, yieldSlice, carrier, report } = deps;
  const sent = await loadSentLog(store, writeBuffer, deps.clock);
  /** Every message that is not settled yet. */
  const pendingSends = new Map<string, PendingSend>();
  /** The entries are in the order in which they were sealed. */
  const entries = new Map<string, Entry>();
  const sealing = createKeyedQueue();
  let queue: Entry[] = [];
  let underWay = 0;
  let order = 0;
  let onDrained = () => {};
  let stopped = false;

  for (const [key, text] of await store.list(PREFIX)) {
    const { client_message_id: clientMessageId, conversation_id: conversationId } = (JSON.parse(text) as Envelope)
      .header;
    const pending = createPendingSend(conversationId);
    const sealed = { clientMessageId, conversationId, text };
    const entry: Entry = { ...sealed, key, isNamed: true, pending, state: 'queued', attempts: 0 };
    entries.set(clientMessageId, entry);
    pendingSends.set(clientMessageId, pending);
    queue.push(entry);
    order = Number(key.slice(PREFIX.length));
  }

  const pump = (): void => {
    let taken = 0;
    while (taken < queue.length && underWay < MAX_UNDER_WAY && carrier.isReady()) {
      const entry = queue[taken++]!;
      entry.state = 'carried';
      underWay++;
      carrier.carry(entry);
    }
    if (taken > 0) queue = queue.slice(taken);
  };
  const enqueue = (entry: Entry): void => {
    if (!entries.has(entry.clientMessageId)) return;
    entry.state = 'queued';
    queue.push(entry);
    pump();
  };
  const forget = (clientMessageId: string): void => {
    pendingSends.delete(clientMessageId);
    if (pendingSends.size === 0) onDrained();
  };
  const finish = (entry: Entry): void => {
    if (entry.state === 'carried') underWay--;
    else queue = queue.filter((one) => one !== entry);
    entries.delete(entry.clientMessageId);
    writeBuffer.set(entry.key, null);
    writeBuffer.savedLater().catch(() => {});
    forget(entry.clientMessageId);
    pump();
  };

  const seal = async (
    message: Outgoing,
    { label, text }: Encoded,
    { clientMessageId, pending }: Named,
  ): Promise<void> => {
    await yieldSlice();
    if (stopped) return;
    const plaintext = encoder.encode(text);
    const makeHeader = (): Header => ({
      version: 1,
      conversation_id: message.conversationId,
      sender: own.sender,
      client_message_id: clientMessageId,
      ...label,
      created_at: platform.now().toISOString(),
    });
    const envelope = await retrier.run(() => sealer.seal(makeHeader(), plaintext), isOutage);
    const entry: Entry = {
      key: PREFIX + String(++order).padStart(12, '0'),
      clientMessageId,
      conversationId: message.conversationId,
      text: JSON.stringify(envelope),
      isNamed: message.clientMessageId !== undefined,
      pending,
      state: 'sealed',
      attempts: 0,
    };
    entries.set(clientMessageId, entry);
    writeBuffer.set(entry.key, entry.text);
    for (const [key, value] of message.also ?? []) writeBuffer.set(key, value);
    // The write is not awaited, so that the next message is sealed meanwhile. A message that is sent before it is saved
    // might use its key twice.
    Promise.all([writeBuffer.saved(), message.after]).then(
      () => enqueue(entry),
      (error: unknown) => {
        entries.delete(clientMessageId);
        writeBuffer.set(entry.key, null);
        const reject = () => {
          forget(clientMessageId);
          pending.reject(error);
        };
        // The promise rejects once the message is off the disk; otherwise the next start would send it.
        writeBuffer.saved().then(reject, reject);
      },
    );
  };

  return {
    send: async (message) => {
      const { conversationId } = message;
      const encoded = encodePayload(message.payload);
      const clientMessageId = message.clientMessageId ?? toBase64Url(crypto.randomBytes(16));
      const known = pendingSends.get(clientMessageId);
      if (known !== undefined) {
        if (known.conversationId !== conversationId) throw new TypeError('clientMessageId is in use elsewhere');
        known.isAwaited = true;
        return known.promise;
      }
      const before = message.clientMessageId === undefined ? undefined : sent.find(clientMessageId);
      if (before !== undefined) return before;
      if (pendingSends.size >= MAX_WAITING) throw messengerError('OUTBOX_FULL');
      const pending = createPendingSend(conversationId);
      pending.isAwaited = true;
      const heads = deps.headsFor?.(conversationId);
      pendingSends.set(clientMessageId, pending);
      sealing
        .run(conversationId, () =>
          seal(message, heads ? addHeads(encoded, heads) : encoded, { clientMessageId, pending }),
        )
        .catch((error: unknown) => {
          forget(clientMessageId);
          pending.reject(error);
        });
      return pending.promise;
    },
    outcome: (clientMessageId) => {
      const pending = pendingSends.get(clientMessageId);
      if (pending !== undefined) {
        pending.isAwaited = true;
        return pending.promise;
      }
      const ack = sent.find(clientMessageId);
      return ack && Promise.resolve(ack);
    },
    acknowledged: (ack) => {
      const entry = entries.get(ack.clientMessageId);
      if (entry === undefined || entry.state !== 'carried') return;
      if (entry.isNamed) sent.add(ack);
      finish(entry);
      entry.pending.resolve(ack);
    },
    refused: (clientMessageId, error) => {
      const entry = entries.get(clientMessageId);
      if (entry === undefined || entry.state !== 'carried') return;
      // It is unknown whether the message was stored; sending it again will tell.
      const isOpen = isOutage(error) || error.code === 'UNAVAILABLE';
      if (isOpen && ++entry.attempts < MAX_ATTEMPTS) {
        underWay--;
        entry.state = 'sealed';
        platform.setTimer(() => enqueue(entry), RETRY_MS);
        return;
      }
      finish(entry);
      const { conversationId } = entry;
      if (!entry.pending.isAwaited) report({ kind: 'unsent', conversationId, clientMessageId, error });
      // The promise rejects once the message is off the disk: a message that was reported as failed must not be sent by
      // the next start.
      const reject = () => entry.pending.reject(error);
      writeBuffer.saved().then(reject, reject);
    },
    pump,
    rewind: () => {
      underWay = 0;
      queue = [...entries.values()].filter(({ state }) => state !== 'sealed');
      for (const entry of queue) entry.state = 'queued';
    },
    drain: (ms) =>
      new Promise((resolve) => {
        if (pendingSends.size === 0) return resolve();
        const cancel = platform.setTimer(resolve, ms);
        onDrained = () => {
          cancel();
          resolve();
        };
      }),
    stop: () => {
      stopped = true;
      for (const pending of pendingSends.values()) pending.reject(messengerError('CLOSED'));
    },
  };
}
