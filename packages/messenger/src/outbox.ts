import { createKeyedQueue, type Retrier } from '@parley/base';
import { type Crypto, type OwnKeys, toBase64Url } from '@parley/e2ee';
import { type Envelope, type Header, labelOf, readPayload } from '@parley/protocol';
import type { ApiError } from './api/api.ts';
import type { Breath } from './breath.ts';
import { failure, isPassing } from './failure.ts';
import type { Journal } from './journal.ts';
import type { Sealer } from './sealer.ts';
import { loadSentLog } from './sent-log.ts';
import type { Store } from './store.ts';
import type { Ack, Outgoing, Platform, Problem } from './types.ts';
import { createWaiter, type Waiter } from './waiter.ts';

interface SealedMessage {
  readonly clientMessageId: string;
  readonly conversationId: string;
  /** The envelope as JSON. */
  readonly text: string;
}

/** How sealed messages leave. It answers by `acknowledged` or `refused`, or not at all if the line breaks. */
export interface Carrier {
  isReady(): boolean;
  carry(message: SealedMessage): void;
}

/** Messages from being sealed to being on the server's disk. */
export interface Outbox {
  send(message: Outgoing): Promise<Ack>;
  acknowledged(ack: Ack): void;
  refused(clientMessageId: string, error: ApiError): void;
  /** The line is there, or has room again. */
  pump(): void;
  /** What was under way may have been lost: it is sent again, as it is. */
  rewind(): void;
  /** Until nothing waits, or for so long. */
  drain(ms: number): Promise<void>;
  stop(): void;
}

interface Entry extends SealedMessage {
  readonly key: string;
  /** The caller chose the id, and may come back with it. */
  readonly isNamed: boolean;
  readonly waiter: Waiter;
  /** `sealed` is not on disk yet, so it must not leave. */
  state: 'sealed' | 'queued' | 'carried';
  attempts: number;
}

interface Means {
  readonly platform: Platform;
  readonly crypto: Crypto;
  readonly own: OwnKeys;
  readonly store: Store;
  readonly journal: Journal;
  readonly sealer: Sealer;
  readonly retrier: Retrier;
  readonly breath: Breath;
  readonly carrier: Carrier;
  readonly report: (problem: Problem) => void;
}

const PREFIX = 'outbox/';
/** The server reads no further when 200 of a socket wait for its disk. */
const MAX_UNDER_WAY = 150;
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;
const MAX_ATTEMPTS = 60;
const encoder = new TextEncoder();

export async function loadOutbox(means: Means): Promise<Outbox> {
  const { platform, crypto, own, store, journal, sealer, retrier, breath, carrier, report } = means;
  const sent = await loadSentLog(store, journal, platform.now);
  /** From being given to being settled. */
  const waiters = new Map<string, Waiter>();
  /** In the order in which they were sealed. */
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
    const waiter = createWaiter(conversationId);
    const sealed = { clientMessageId, conversationId, text };
    const entry: Entry = { ...sealed, key, isNamed: true, waiter, state: 'queued', attempts: 0 };
    entries.set(clientMessageId, entry);
    waiters.set(clientMessageId, waiter);
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
    waiters.delete(clientMessageId);
    if (waiters.size === 0) onDrained();
  };
  const finish = (entry: Entry): void => {
    if (entry.state === 'carried') underWay--;
    else queue = queue.filter((one) => one !== entry);
    entries.delete(entry.clientMessageId);
    journal.set(entry.key, null);
    journal.savedLater().catch(() => {});
    forget(entry.clientMessageId);
    pump();
  };

  const makeHeader = ({ conversationId, payload }: Outgoing, clientMessageId: string): Header => ({
    version: 1,
    conversation_id: conversationId,
    sender: own.sender,
    client_message_id: clientMessageId,
    ...labelOf(payload),
    created_at: platform.now().toISOString(),
  });
  const seal = async (message: Outgoing, clientMessageId: string, waiter: Waiter): Promise<void> => {
    await breath();
    if (stopped) return;
    const plaintext = encoder.encode(JSON.stringify(message.payload));
    const envelope = await retrier.run(() => sealer.seal(makeHeader(message, clientMessageId), plaintext), isPassing);
    const entry: Entry = {
      key: PREFIX + String(++order).padStart(12, '0'),
      clientMessageId,
      conversationId: message.conversationId,
      text: JSON.stringify(envelope),
      isNamed: message.clientMessageId !== undefined,
      waiter,
      state: 'sealed',
      attempts: 0,
    };
    entries.set(clientMessageId, entry);
    journal.set(entry.key, entry.text);
    for (const [key, value] of message.also ?? []) journal.set(key, value);
    // Not awaited, so that the next one is sealed meanwhile. Sent before it is saved, a message key might be used twice.
    Promise.all([journal.saved(), message.after]).then(
      () => enqueue(entry),
      (error: unknown) => {
        entries.delete(clientMessageId);
        journal.set(entry.key, null);
        const reject = () => {
          forget(clientMessageId);
          waiter.reject(error);
        };
        // Not before it is off the disk, or the next start would send what must not leave.
        journal.saved().then(reject, reject);
      },
    );
  };

  return {
    send: async (message) => {
      const { conversationId, payload } = message;
      if (readPayload(labelOf(payload), payload) === undefined) throw new TypeError('payload does not fit its type');
      const clientMessageId = message.clientMessageId ?? toBase64Url(crypto.randomBytes(16));
      const known = waiters.get(clientMessageId);
      if (known !== undefined) {
        if (known.conversationId !== conversationId) throw new TypeError('clientMessageId is in use elsewhere');
        known.isAwaited = true;
        return known.promise;
      }
      const before = message.clientMessageId === undefined ? undefined : sent.find(clientMessageId);
      if (before !== undefined) return before;
      if (waiters.size >= MAX_WAITING) throw failure('OUTBOX_FULL');
      const waiter = createWaiter(conversationId);
      waiter.isAwaited = true;
      waiters.set(clientMessageId, waiter);
      sealing
        .run(conversationId, () => seal(message, clientMessageId, waiter))
        .catch((error: unknown) => {
          forget(clientMessageId);
          waiter.reject(error);
        });
      return waiter.promise;
    },
    acknowledged: (ack) => {
      const entry = entries.get(ack.clientMessageId);
      if (entry === undefined || entry.state !== 'carried') return;
      if (entry.isNamed) sent.add(ack);
      finish(entry);
      entry.waiter.resolve(ack);
    },
    refused: (clientMessageId, error) => {
      const entry = entries.get(clientMessageId);
      if (entry === undefined || entry.state !== 'carried') return;
      // Whether it was stored is unknown; the same message again will tell.
      const isOpen = isPassing(error) || error.code === 'UNAVAILABLE';
      if (isOpen && ++entry.attempts < MAX_ATTEMPTS) {
        underWay--;
        entry.state = 'sealed';
        platform.setTimer(() => enqueue(entry), RETRY_MS);
        return;
      }
      finish(entry);
      const { conversationId } = entry;
      if (!entry.waiter.isAwaited) report({ kind: 'unsent', conversationId, clientMessageId, error });
      // Not before it is off the disk: whoever was told that it failed must not find it sent by the next start.
      const reject = () => entry.waiter.reject(error);
      journal.saved().then(reject, reject);
    },
    pump,
    rewind: () => {
      underWay = 0;
      queue = [...entries.values()].filter(({ state }) => state !== 'sealed');
      for (const entry of queue) entry.state = 'queued';
    },
    drain: (ms) =>
      new Promise((resolve) => {
        if (waiters.size === 0) return resolve();
        const cancel = platform.setTimer(resolve, ms);
        onDrained = () => {
          cancel();
          resolve();
        };
      }),
    stop: () => {
      stopped = true;
      for (const waiter of waiters.values()) waiter.reject(failure('CLOSED'));
    },
  };
}
