import { isId } from '@parley/base';
import type { Turns } from '../budgets/turns.ts';
import { keyOf } from '../events/bus.ts';
import { readNextEvents, type StoredEvent } from '../events/inbox.ts';
import { createWakeSignal } from '../events/wake-signal.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { type Consumer, keyOfConsumer } from './consumer.ts';
import type { Cursors } from './cursors.ts';
import { isKept, isOwn, type StoredMessage } from './message.ts';
import { findUnread, type Reader } from './read-messages.ts';
import type { SharedReads } from './shared-reads.ts';

export interface PollOptions {
  readonly cursor: string | undefined;
  readonly waitSeconds: number;
  /** Aborted when the client has disconnected, or the server closes. */
  readonly signal: AbortSignal;
  /** Rejects once the agent may not poll any more: a token can be revoked during a poll. */
  readonly recheck: () => Promise<void>;
}
export interface PollResult {
  readonly messages: readonly StoredMessage[];
  readonly events: readonly StoredEvent[];
  readonly cursor: string;
}
interface PollDeps {
  readonly platform: Platform;
  readonly reader: Reader;
  readonly reads: SharedReads;
  /** In which polls collect what they answer. */
  readonly pollTurns: Turns;
  readonly cursors: Cursors;
  /** A poller remembers no position once it has sent it back. */
  readonly durableCursors: Cursors;
}

/** The most conversations in one reply; their positions make up the cursor, which must fit into an address. */
const MAX_CONVERSATIONS = 50;
const MAX_MESSAGES = 100;
const MAX_EVENTS = 100;
/** Beyond this many no more are added: replies are held in memory until they are read. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_EVENT_BYTES = 256 * 1024;
/** How many polls of one account collect at a time, on one node. */
const MAX_COLLECTING = 8;

/**
 * Long polling (TR-4). A reply acknowledges nothing, so what is not handled comes again. Its cursor says where its own
 * items end, and sending it back acknowledges them; so it stays short however many conversations the agent is in.
 */
export async function poll(deps: PollDeps, consumer: Consumer, options: PollOptions): Promise<PollResult> {
  const { platform, durableCursors, pollTurns } = deps;
  const handled = readCursor(options.cursor);
  await Promise.all([...handled.conversations].map(([id, seq]) => durableCursors.move(consumer, id, seq)));
  if (handled.event > 0) await durableCursors.moveEvents(consumer, handled.event);
  const wakeUp = createWakeSignal();
  const stopListening = platform.bus.listen(keyOf.agent(consumer.id), wakeUp.notify);
  // Not AbortSignal.timeout: Node 20 collects one that only AbortSignal.any knows of, and it never comes.
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), options.waitSeconds * 1_000);
  const timeout = AbortSignal.any([options.signal, ending.signal]);
  try {
    for (;;) {
      const found = await pollTurns.run(consumer.account, MAX_COLLECTING, () =>
        collect(deps, consumer, options.signal),
      );
      if (found !== undefined) return found;
      if (!(await wakeUp.wait(timeout))) return NOTHING;
      await options.recheck();
    }
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}

const NOTHING: PollResult = { messages: [], events: [], cursor: writeCursor(new Map(), 0) };

/** Returns undefined if there is nothing yet. Whoever is not waited for any more finds nothing. */
async function collect(deps: PollDeps, consumer: Consumer, signal: AbortSignal): Promise<PollResult | undefined> {
  const { reader, reads, cursors } = deps;
  const { db } = deps.platform;
  const read = <Result>(what: string, task: () => Promise<Result>) =>
    reads.run(consumer.account, `poll ${what} ${keyOfConsumer(consumer)}`, task);
  for (;;) {
    const messages: StoredMessage[] = [];
    let bytes = 0;
    const positions = new Map<string, number>();
    const passed = new Map<string, number>();
    const unread = await read('unread', () => findUnread(db, consumer, MAX_CONVERSATIONS));
    for (const { conversationId } of unread) {
      if (messages.length >= MAX_MESSAGES || bytes >= MAX_MESSAGE_BYTES) break;
      if (signal.aborted) return NOTHING;
      const page = await reader.read({ consumer, conversationId, after: undefined });
      if (page === undefined) continue;
      const some = page.messages.slice(0, MAX_MESSAGES - messages.length);
      const others = some.filter(isKept).filter((message) => !isOwn(message, consumer));
      const position = some.at(-1)?.seq ?? page.lastSeq;
      // The page has only the agent's own messages and what is no longer stored: there is nothing to handle.
      if (others.length === 0) passed.set(conversationId, position);
      else positions.set(conversationId, position);
      messages.push(...others);
      bytes += others.reduce((sum, { envelope }) => sum + envelope.length, 0);
    }
    const position = { known: undefined, claimed: undefined, limit: MAX_EVENTS };
    const next = await read('events', () => readNextEvents(db, consumer, position));
    const events = takeEvents(next.events);
    await Promise.all([...passed].map(([id, seq]) => cursors.move(consumer, id, seq)));
    if (messages.length > 0 || events.length > 0) {
      return { messages, events, cursor: writeCursor(positions, events.at(-1)?.position ?? 0) };
    }
    if (passed.size === 0) return undefined;
  }
}

/** As many as fit, at least one if there is any. */
function takeEvents(events: readonly StoredEvent[]): readonly StoredEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ payload }) => {
    const isFull = bytes >= MAX_EVENT_BYTES;
    bytes += JSON.stringify(payload).length;
    return isFull;
  });
  return end === -1 ? events : events.slice(0, end);
}

function writeCursor(conversations: ReadonlyMap<string, number>, event: number): string {
  return Buffer.from(JSON.stringify([event, ...[...conversations].flat()])).toString('base64url');
}

function readCursor(cursor: string | undefined): { conversations: Map<string, number>; event: number } {
  const conversations = new Map<string, number>();
  if (cursor === undefined || cursor === '') return { conversations, event: 0 };
  const [event, ...rest] = parseList(cursor);
  if (!isNumber(event) || rest.length > 2 * MAX_CONVERSATIONS) throw new RequestError('BAD_REQUEST');
  for (let at = 0; at < rest.length; at += 2) {
    const [id, seq] = [rest[at], rest[at + 1]];
    if (typeof id !== 'string' || !isId(id) || !isNumber(seq)) throw new RequestError('BAD_REQUEST');
    conversations.set(id, seq);
  }
  return { conversations, event };
}

function parseList(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
