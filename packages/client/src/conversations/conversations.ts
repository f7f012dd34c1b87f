import { createObservable, isParleyError, type Readable } from '@parley/base';
import type { KeyPair } from '@parley/e2ee';
import {
  type Api,
  ApiError,
  type Incoming,
  type Messenger,
  type OutgoingStream,
  type Platform,
  type Store,
  type TransientEvent,
} from '@parley/messenger';
import {
  type AttachmentPayload,
  type CardAnswer,
  conversationRoutes,
  type Payload,
  type Sender,
  searchTextOf,
} from '@parley/protocol';
import { clientError } from '../errors.ts';
import type { CallRecord } from '../guard/call-record.ts';
import { newId } from '../new-id.ts';
import { readPages } from '../pages.ts';
import { answerOf, cardOf, updateCard, withoutSecrets } from './cards.ts';
import {
  type ConversationView,
  type ListedConversation,
  latestFirst,
  type Summary,
  viewConversation,
} from './conversation-view.ts';
import { createGroups, type GroupMessenger, type Groups, type OpenGroups } from './groups.ts';
import { createHistory, toCallMessage } from './history.ts';
import { type ChatMessage, toMessage } from './message.ts';
import { createTimeline, type OpenTimeline, type Timeline } from './timeline.ts';

export type Attachment = Omit<AttachmentPayload, 'type'> & { readonly type: AttachmentPayload['type'] };

export interface Conversations extends Groups {
  /** The one with the latest message first. */
  readonly list: Readable<readonly ConversationView[]>;
  /** Reads the history from disk at the first call. */
  timeline(conversationId: string): Timeline;
  sendText(conversationId: string, text: string): Promise<ChatMessage>;
  sendAttachment(conversationId: string, attachment: Attachment): Promise<ChatMessage>;
  /** An action of a card, with what was filled in. */
  answerCard(
    conversationId: string,
    artifactId: string,
    answer: Pick<CardAnswer, 'action' | 'values'>,
  ): Promise<ChatMessage>;
  /** Sends a message again that failed. */
  retry(conversationId: string, clientMessageId: string): Promise<ChatMessage>;
  stream(conversationId: string): Promise<OutgoingStream>;
  typing(conversationId: string): void;
  markRead(conversationId: string): Promise<void>;
  /** Searches the messages on this device; the newest first. */
  search(text: string, limit?: number): Promise<readonly ChatMessage[]>;
  /** On this device only. */
  eraseHistory(conversationId: string): Promise<void>;
  sync(): Promise<void>;
}

interface ConversationDeps {
  readonly api: Api;
  readonly store: Store;
  readonly platform: Platform;
  readonly messenger: GroupMessenger & Pick<Messenger, 'send' | 'stream' | 'typing'>;
  readonly self: Sender;
  /** Signs who is in a group. */
  readonly identity: KeyPair;
  /** The agent of a conversation, if it is an agent's. */
  agentOf(conversationId: string): { readonly agentId: string; readonly name: string } | undefined;
  onProblem(error: unknown): void;
}

/** The conversations, with what only the client may do. */
export interface OpenConversations extends Conversations, Pick<OpenGroups, 'admitInvited'> {
  receive(message: Incoming): Promise<void>;
  receiveTransient(event: TransientEvent): void;
  showCall(record: CallRecord): void;
  /** The names of agents may have changed. */
  refreshTitles(): void;
  /** Sends again what was on its way when the program ended. */
  resume(): Promise<void>;
}

const LIST = 'client/conversation/';

export async function loadConversations(deps: ConversationDeps): Promise<OpenConversations> {
  const { api, store, platform, messenger, self } = deps;
  const history = createHistory(store);
  const timelines = new Map<string, OpenTimeline>();
  const rows = await store.list(LIST);
  const known = new Map(rows.map(([, text]) => JSON.parse(text) as Summary).map((one) => [one.conversation_id, one]));
  const list = createObservable<readonly ConversationView[]>([]);
  const show = () =>
    list.set(
      [...known.values()].map((one) => viewConversation(one, deps.agentOf(one.conversation_id))).sort(latestFirst),
    );
  show();

  async function keep(summary: Summary): Promise<void> {
    known.set(summary.conversation_id, summary);
    show();
    await store.write(new Map([[LIST + summary.conversation_id, JSON.stringify(summary)]]));
  }

  async function arrived(conversationId: string, message: ChatMessage): Promise<void> {
    const summary = known.get(conversationId);
    if (summary === undefined) return sync();
    const seq = Math.max(summary.last_seq, message.seq ?? 0);
    const unread = message.own ? summary.unread : summary.unread + 1;
    await keep({ ...summary, last_seq: seq, unread, last_message_at: message.createdAt });
  }

  function open(conversationId: string): OpenTimeline {
    let timeline = timelines.get(conversationId);
    if (timeline === undefined) {
      timeline = createTimeline(conversationId, platform.setTimer);
      timelines.set(conversationId, timeline);
      const { load } = timeline;
      history.read(conversationId).then(load, deps.onProblem);
    }
    return timeline;
  }

  const put = (message: ChatMessage) => timelines.get(message.conversationId)?.put(message);

  /**
   * Shows the message at once, and again in a timeline that was opened during the write: it may have read the state
   * before it from disk.
   */
  async function putAndWrite(message: ChatMessage, write: Promise<void>): Promise<void> {
    const shown = timelines.get(message.conversationId);
    shown?.put(message);
    await write;
    if (timelines.get(message.conversationId) !== shown) put(message);
  }

  async function readAll(conversationId: string): Promise<readonly ChatMessage[]> {
    const held = timelines.get(conversationId)?.getSnapshot();
    return held?.loaded ? held.messages : history.read(conversationId);
  }

  async function change(before: ChatMessage, after: ChatMessage): Promise<ChatMessage> {
    await putAndWrite(after, history.replace(before, after));
    return after;
  }

  /** Kept before it is sent: after a crash it is sent again as the same message. */
  async function send(conversationId: string, payload: Payload, kept: Payload = payload): Promise<ChatMessage> {
    const message: ChatMessage = {
      clientMessageId: newId(platform),
      conversationId,
      sender: self,
      own: true,
      createdAt: platform.now().toISOString(),
      state: 'sending',
      payload: kept,
    };
    await history.write(message);
    put(message);
    return dispatch(message, payload);
  }

  async function dispatch(message: ChatMessage, payload: Payload): Promise<ChatMessage> {
    const { conversationId, clientMessageId } = message;
    try {
      const { seq, messageId } = await messenger.send({ conversationId, payload, clientMessageId });
      const sent = await change(message, { ...message, state: 'sent', seq, messageId });
      await arrived(conversationId, sent);
      return sent;
    } catch (error) {
      await change(message, { ...message, state: 'failed' });
      throw error;
    }
  }

  /** A card that changes stays where it is; what someone did with it is shown on it. */
  async function applyToCard(message: ChatMessage): Promise<boolean> {
    const answer = answerOf(message.payload);
    const id = answer?.artifact_id ?? cardOf(message.payload)?.artifact_id;
    if (id === undefined) return false;
    const cards = await readAll(message.conversationId);
    const held = cards.findLast((one) => cardOf(one.payload)?.artifact_id === id && (answer || isFrom(one, message)));
    if (held === undefined) return false;
    if (answer !== undefined) {
      if (message.own) await change(held, { ...held, answer: { action: answer.action } });
      return false;
    }
    const updated = updateCard(held, message);
    if (updated !== undefined) await change(held, updated);
    // An update that is late, of another kind or by someone else is not shown, rather than as a second card.
    return true;
  }

  /**
   * A title that moved from one conversation to another would have people write to someone else: it stays as it was when
   * the members were bound (EE-20). An agent's comes from its relation.
   */
  async function bindTitle(summary: ListedConversation): Promise<Summary> {
    const before = known.get(summary.conversation_id);
    if (before?.boundTitle !== undefined) return { ...summary, kind: before.kind, boundTitle: before.boundTitle };
    if (summary.kind === 'h2a') return summary;
    try {
      const { kind, signed, title = summary.title } = await messenger.conversation(summary.conversation_id);
      if (kind === 'account' || (kind === 'group' && signed !== true)) return summary;
      return { ...summary, kind, boundTitle: title };
    } catch (error) {
      // It is refused, and said elsewhere; or nobody can be asked just now.
      if (!isParleyError(error, 'CONVERSATION_CHANGED') && !(error instanceof ApiError)) throw error;
      return summary;
    }
  }

  async function sync(): Promise<void> {
    const pages = readPages((query) => api.call(conversationRoutes.listConversations, { query }));
    for await (const { conversations } of pages) {
      for (const summary of conversations) {
        // That one is no chat, whatever the server lists (EE-23).
        if (summary.conversation_id !== self.id) await keep(await bindTitle(summary));
      }
    }
  }

  return {
    list: { getSnapshot: list.getSnapshot, subscribe: list.subscribe },
    timeline: open,
    sendText: (conversationId, text) => send(conversationId, { type: 'text', text }),
    sendAttachment: (conversationId, attachment) => send(conversationId, attachment),
    async answerCard(conversationId, artifactId, { action, values }) {
      const messages = await readAll(conversationId);
      const held = messages.findLast((one) => !one.own && cardOf(one.payload)?.artifact_id === artifactId);
      const card = held && cardOf(held.payload);
      if (held === undefined || card === undefined) throw clientError('CARD_GONE');
      const { subtype } = card;
      const answer = { artifact_id: artifactId, subtype, action, ...(values === undefined ? {} : { values }) };
      const kept: Payload = { type: 'artifact', artifact: withoutSecrets(answer, card) };
      const sent = await send(conversationId, { type: 'artifact', artifact: answer }, kept);
      await change(held, { ...held, answer: { action } });
      return sent;
    },
    async retry(conversationId, clientMessageId) {
      const messages = await readAll(conversationId);
      const message = messages.find((one) => one.own && one.clientMessageId === clientMessageId);
      if (message?.state !== 'failed') throw clientError('UNKNOWN_MESSAGE');
      const again = await change(message, { ...message, state: 'sending' });
      return dispatch(again, again.payload);
    },
    stream: (conversationId) => messenger.stream(conversationId),
    typing: (conversationId) => messenger.typing(conversationId),
    async markRead(conversationId) {
      const summary = known.get(conversationId);
      if (summary === undefined || summary.read_seq >= summary.last_seq) return;
      const seq = summary.last_seq;
      await keep({ ...summary, read_seq: seq, unread: 0 });
      await api.call(conversationRoutes.markRead, { params: { conversation_id: conversationId }, body: { seq } });
    },
    async search(text, limit = 50) {
      const wanted = text.trim().toLocaleLowerCase();
      if (wanted === '') return [];
      const found: ChatMessage[] = [];
      for (const id of await history.conversations()) {
        const messages = await readAll(id);
        found.push(...messages.filter((one) => searchTextOf(one.payload).toLocaleLowerCase().includes(wanted)));
      }
      return found.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, limit);
    },
    ...createGroups({
      api,
      platform,
      messenger,
      self: { id: self.id, deviceId: self.device_id!, identity: deps.identity },
      store,
      sync,
      onProblem: deps.onProblem,
    }),
    async eraseHistory(conversationId) {
      await history.erase(conversationId);
      timelines.get(conversationId)?.clear();
    },
    sync,
    async receive(incoming) {
      const message = toMessage(incoming, isSelf(incoming.sender, self));
      if (await applyToCard(message)) return;
      const written = putAndWrite(message, history.write(message));
      await Promise.all([written, arrived(message.conversationId, message)]);
    },
    receiveTransient: (event) => {
      if (event.type === 'claimed' || event.type === 'last') return;
      open(event.conversationId).receiveTransient(event);
    },
    showCall(record) {
      const timeline = timelines.get(record.conversationId);
      timeline?.put(toCallMessage(record));
      const summary = known.get(record.conversationId);
      if (record.state !== 'waiting' || summary === undefined || record.seq <= summary.last_seq) return;
      // Not written to disk for each call: after a restart the server tells it.
      known.set(record.conversationId, { ...summary, last_seq: record.seq, last_message_at: record.createdAt });
      show();
    },
    refreshTitles: show,
    async resume() {
      for (const message of await history.unsent()) {
        if (message.state !== 'sending') continue;
        // Secret values of an answer are not kept, so the person has to enter them again.
        if (answerOf(message.payload) !== undefined) await change(message, { ...message, state: 'failed' });
        else dispatch(message, message.payload).catch(deps.onProblem);
      }
    },
  };
}

const isSelf = (a: Sender, b: Sender) => a.kind === b.kind && a.id === b.id;
const isFrom = (a: ChatMessage, b: ChatMessage) => isSelf(a.sender, b.sender);
