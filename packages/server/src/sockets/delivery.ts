import { type Consumer, keyOfConsumer } from '../conversations/consumer.ts';
import type { Conversations } from '../conversations/index.ts';
import { isKept, isOwn, type StoredMessage, toMessageFrame } from '../conversations/message.ts';
import { findUnread } from '../conversations/read-messages.ts';
import type { Wake } from '../events/bus.ts';
import { readNextEvents } from '../events/inbox.ts';
import { toWireEvent } from '../events/wire.ts';
import { rateLimited } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { SendBuffer } from './send-buffer.ts';

/** The most conversations that are read at the same time for one socket. */
const PARALLEL = 4;
const EVENTS = 100;
const ALL = 1_000_000;
const RETRY_MS = 1_000;
/** More than one frame can name. Without a limit a client could name conversations faster than they are looked up. */
const MAX_NAMED = 12_000;

interface Resume {
  readonly conversations: ReadonlyMap<string, number>;
  readonly eventId: number | undefined;
}

/** Pushes messages and events to one socket, each once, in order, from the database (TR-1). */
export interface Delivery {
  /** Begins to push everything undelivered and everything new. */
  start(): void;
  /** Skips what the client has already. It can only narrow: what was acknowledged or pushed does not come again. */
  resume(resume: Resume): void;
  onWake(wake: Wake): void;
  /**
   * Offers a message that this node has just stored: it is pushed at once if it is the next one, else read in its turn.
   */
  offer(message: StoredMessage): void;
  stop(): void;
}

export function createDelivery(
  platform: Platform,
  { reader, reads }: Conversations,
  { consumer, sendBuffer }: { readonly consumer: () => Consumer; readonly sendBuffer: SendBuffer },
): Delivery {
  /** How far each conversation was pushed; those without news since the start are not in it. */
  const positions = new Map<string, number>();
  /** What the client said it has, until the conversation is read next: the client may name anything. */
  const named = new Map<string, number>();
  const dirty = new Set<string>();
  let eventPosition: number | undefined;
  let namedEvent: number | undefined;
  let eventsDirty = false;
  let everythingDirty = false;
  let started = false;
  let stopped = false;
  let pumping = false;

  const pump = async (): Promise<void> => {
    if (pumping || !started) return;
    pumping = true;
    try {
      while (!stopped && (everythingDirty || eventsDirty || dirty.size > 0)) {
        if (sendBuffer.congested()) await sendBuffer.drained();
        else if (everythingDirty) await findNews();
        else if (eventsDirty) await pushEvents();
        else await Promise.all([...dirty].slice(0, PARALLEL).map(pushConversation));
      }
    } catch (error) {
      platform.log.warn({ err: error }, 'sockets: reading failed, trying again');
      everythingDirty = true;
      setTimeout(() => void pump(), RETRY_MS).unref();
    } finally {
      pumping = false;
    }
  };

  const findNews = async (): Promise<void> => {
    everythingDirty = false;
    eventsDirty = true;
    for (const id of named.keys()) dirty.add(id);
    const who = consumer();
    const find = () => findUnread(platform.db, who, ALL);
    for (const { conversationId, lastSeq } of await reads.run(who.account, `unread ${keyOfConsumer(who)}`, find)) {
      if ((positions.get(conversationId) ?? -1) < lastSeq) dirty.add(conversationId);
    }
  };

  const pushEvents = async (): Promise<void> => {
    eventsDirty = false;
    const who = consumer();
    const [known, claimed] = [eventPosition, namedEvent];
    const read = () => readNextEvents(platform.db, who, { known, claimed, limit: EVENTS });
    const key = `events ${keyOfConsumer(who)} ${known} ${claimed}`;
    const { after, events } = await reads.run(who.account, key, read);
    // A resume came meanwhile, and may rule out some of them.
    if (claimed !== namedEvent) {
      eventsDirty = true;
      return;
    }
    namedEvent = undefined;
    for (const event of events) sendBuffer.send(toWireEvent(event));
    eventPosition = events.at(-1)?.position ?? after;
    if (events.length === EVENTS) eventsDirty = true;
  };

  const pushConversation = async (conversationId: string): Promise<void> => {
    dirty.delete(conversationId);
    const pushed = positions.get(conversationId);
    const claimed = named.get(conversationId);
    const after = claimed === undefined ? pushed : Math.max(claimed, pushed ?? 0);
    // Once something was pushed, acks of the agent's other sockets no longer affect this one.
    const sinceAck = pushed === undefined;
    const page = await reader.read({ consumer: consumer(), conversationId, after, sinceAck, allOwn: true });
    // A resume came meanwhile, and may rule out some of the page.
    if (named.get(conversationId) !== claimed) return void dirty.add(conversationId);
    named.delete(conversationId);
    if (page === undefined) return void positions.delete(conversationId);
    // The client cannot have what does not exist: such a number must not hide what comes.
    if (claimed !== undefined && claimed > page.lastSeq) return void dirty.add(conversationId);
    const offered = positions.get(conversationId);
    // The numbers may have begun again after a backup was restored.
    let position = offered === pushed ? Math.min(page.after, page.lastSeq) : offered!;
    const skipTo = (to: number) => {
      if (to > position)
        sendBuffer.send({ type: 'message.gone', conversation_id: conversationId, from_seq: position + 1, to_seq: to });
    };
    for (const message of page.messages) {
      if (message.seq <= position) continue;
      if (sendBuffer.congested()) break;
      skipTo(message.seq - 1);
      if (isKept(message) && !isOwn(message, consumer())) sendBuffer.send(toMessageFrame(message));
      position = message.seq;
    }
    if (page.messages.length === 0) {
      skipTo(page.lastSeq);
      position = Math.max(position, page.lastSeq);
    }
    positions.set(conversationId, position);
    if (position < page.lastSeq) dirty.add(conversationId);
  };

  return {
    start: () => {
      started = true;
      everythingDirty = true;
      void pump();
    },
    resume: ({ conversations, eventId }) => {
      const news = [...conversations].filter(([id, seq]) => seq > (named.get(id) ?? positions.get(id) ?? -1));
      const more = news.filter(([id]) => !named.has(id)).length;
      if (more > 0 && named.size + more > MAX_NAMED) throw rateLimited(RETRY_MS / 1_000, 'resume');
      for (const [id, seq] of news) {
        named.set(id, seq);
        dirty.add(id);
      }
      if (eventId !== undefined && eventId > (namedEvent ?? eventPosition ?? -1)) {
        namedEvent = eventId;
        eventsDirty = true;
      }
      void pump();
    },
    onWake: ({ about, upTo = Number.POSITIVE_INFINITY }) => {
      if (about === undefined) everythingDirty = true;
      else if (about === 'events') eventsDirty = true;
      else if ((positions.get(about) ?? -1) < upTo) dirty.add(about);
      else return;
      void pump();
    },
    offer: (message) => {
      const { conversation_id: id, seq } = message;
      if (!started || stopped || named.has(id)) return;
      if (positions.get(id) !== seq - 1 || dirty.has(id) || sendBuffer.congested()) return;
      positions.set(id, seq);
      if (!isOwn(message, consumer())) sendBuffer.send(toMessageFrame(message));
    },
    stop: () => {
      stopped = true;
    },
  };
}
