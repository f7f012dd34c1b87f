import type { ConversationMeans } from '../conversations/index.ts';
import { type Consumer, isKept, isOwn, type StoredMessage, toMessageFrame } from '../conversations/message.ts';
import { findUnread } from '../conversations/reader.ts';
import { toWireEvent } from '../conversations/routes.ts';
import type { Wake } from '../events/bus.ts';
import { readEventCursor, readEvents } from '../events/inbox.ts';
import { rateLimited } from '../http/routes.ts';
import type { Platform } from '../platform.ts';
import type { Outlet } from './outlet.ts';

/** Conversations read at the same time for one socket. */
const PARALLEL = 4;
const EVENTS = 100;
const ALL = 1_000_000;
const RETRY_MS = 1_000;
/** More than one frame can name; without an end, a client could name conversations faster than they are looked up. */
const MAX_POSITIONS = 12_000;

interface Resume {
  readonly conversations: ReadonlyMap<string, number>;
  readonly eventId: number | undefined;
}

/** Pushes messages and events to one socket, each once, in order, from the database. */
export interface Delivery {
  /** Begins, or goes back to where the client says it stands. */
  resume(resume: Resume): void;
  hear(wake: Wake): void;
  /** A message this node has just stored: pushed at once if it is the next one, else read when its turn comes. */
  offer(message: StoredMessage, frame: () => string): void;
  stop(): void;
}

export function createDelivery(
  platform: Platform,
  { reader }: ConversationMeans,
  { consumer, outlet }: { readonly consumer: () => Consumer; readonly outlet: Outlet },
): Delivery {
  /** How far each conversation was pushed; those without news since the beginning are not in it. */
  const positions = new Map<string, number>();
  const dirty = new Set<string>();
  let eventPosition: number | undefined;
  let eventsDirty = false;
  let everythingDirty = false;
  let started = false;
  let stopped = false;
  let pumping = false;
  /** Counts resumes: a page that was asked for before one is not the page the client wants. */
  let generation = 0;

  const pump = async (): Promise<void> => {
    if (pumping || !started) return;
    pumping = true;
    try {
      while (!stopped && (everythingDirty || eventsDirty || dirty.size > 0)) {
        if (outlet.congested()) await outlet.drained();
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
    for (const { conversationId, lastSeq } of await findUnread(platform.db, consumer(), ALL)) {
      if ((positions.get(conversationId) ?? -1) < lastSeq) dirty.add(conversationId);
    }
  };

  const pushEvents = async (): Promise<void> => {
    eventsDirty = false;
    const { kind, id, deviceId } = consumer();
    eventPosition ??=
      kind === 'human' && deviceId === undefined
        ? 0
        : await readEventCursor(platform.db, kind === 'agent' ? 'agent' : 'device', deviceId ?? id);
    const before = eventPosition;
    const asked = generation;
    const events = await readEvents(platform.db, { kind, id }, { after: before, limit: EVENTS });
    if (asked !== generation) return;
    for (const event of events) outlet.send(toWireEvent(event));
    eventPosition = events.at(-1)?.position ?? before;
    if (events.length === EVENTS) eventsDirty = true;
  };

  const pushConversation = async (conversationId: string): Promise<void> => {
    dirty.delete(conversationId);
    const after = positions.get(conversationId);
    const asked = generation;
    const page = await reader.read({ consumer: consumer(), conversationId, after, allOwn: true });
    if (asked !== generation) return void dirty.add(conversationId);
    if (page === undefined) return void positions.delete(conversationId);
    // Someone who says to be further than there is: the numbers start again after a restored backup.
    const claimed = after !== undefined && after > page.lastSeq && positions.get(conversationId) === after;
    let position = claimed ? page.lastSeq : Math.max(positions.get(conversationId) ?? 0, page.after);
    const pass = (to: number) => {
      if (to > position)
        outlet.send({ type: 'message.gone', conversation_id: conversationId, from_seq: position + 1, to_seq: to });
    };
    for (const message of page.messages) {
      if (message.seq <= position) continue;
      if (outlet.congested()) break;
      pass(message.seq - 1);
      if (isKept(message) && !isOwn(message, consumer())) outlet.send(toMessageFrame(message));
      position = message.seq;
    }
    if (page.messages.length === 0) {
      pass(page.lastSeq);
      position = Math.max(position, page.lastSeq);
    }
    positions.set(conversationId, position);
    if (position < page.lastSeq) dirty.add(conversationId);
  };

  return {
    resume: ({ conversations, eventId }) => {
      const more = [...conversations.keys()].filter((id) => !positions.has(id)).length;
      if (more > 0 && positions.size + more > MAX_POSITIONS) throw rateLimited(RETRY_MS / 1_000);
      for (const [id, seq] of conversations) {
        positions.set(id, seq);
        dirty.add(id);
      }
      if (eventId !== undefined) eventPosition = eventId;
      generation++;
      everythingDirty = true;
      started = true;
      void pump();
    },
    hear: ({ about, upTo = Number.POSITIVE_INFINITY }) => {
      if (about === undefined) everythingDirty = true;
      else if (about === 'events') eventsDirty = true;
      else if ((positions.get(about) ?? -1) < upTo) dirty.add(about);
      else return;
      void pump();
    },
    offer: (message, frame) => {
      const { conversation_id: id, seq } = message;
      if (!started || stopped) return;
      if (positions.get(id) !== seq - 1 || dirty.has(id) || outlet.congested()) return;
      positions.set(id, seq);
      if (!isOwn(message, consumer())) outlet.send(frame());
    },
    stop: () => {
      stopped = true;
    },
  };
}
