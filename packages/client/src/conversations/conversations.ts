import { createObservable, isParleyError, type Readable } from '@parley/base';
import type { KeyPair } from '@parley/e2ee';
import {
  type Ack,
  type Api,
  ApiError,
  type Incoming,
  type Messenger,
  type OutgoingStream,
  type Platform,
  type Store,
  type StoreBatch,
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
import { answerOf, type CardRevision, cardOf, noteAnswer, revisionOf, updateCard, withoutSecrets } from './cards.ts';
import { loadConversationSettings } from './conversation-settings.ts';
import {
  type ConversationView,
  type ListedConversation,
  latestFirst,
  type Summary,
  viewConversation,
} from './conversation-view.ts';
import { loadErased } from './erased.ts';
import { createGroups, type GroupMessenger, type Groups, type OpenGroups } from './groups.ts';
import { canErase, createHistory, type MessageChange, type NamedCard, toCallMessage } from './history.ts';
import { type ChatMessage, toMessage } from './message.ts';
import { laterPreview, previewMessage } from './message-preview.ts';
import { createTimeline, type OpenTimeline, type Timeline } from './timeline.ts';
import { mergeListed, readUpTo, withSilent } from './unread.ts';

export type Attachment = Omit<AttachmentPayload, 'type'> & { readonly type: AttachmentPayload['type'] };

export interface Conversations extends Groups {
  /** The one with the latest message first. */
  readonly list: Readable<readonly ConversationView[]>;
  /** Reads the history from disk at the first call. */
  timeline(conversationId: string): Timeline;
  sendText(conversationId: string, text: string): Promise<ChatMessage>;
  sendAttachment(conversationId: string, attachment: Attachment): Promise<ChatMessage>;
  /** An action of a card, with what was filled in. In a group several agents may have given a card this id: say whose. */
  answerCard(
    conversationId: string,
    artifactId: string,
    answer: Pick<CardAnswer, 'action' | 'values'> & { readonly sender?: Sender },
  ): Promise<ChatMessage>;
  /** What a card was before the agent changed it, the oldest first. The last ones are kept, with the history. */
  cardRevisions(conversationId: string, card: NamedCard): Promise<readonly CardRevision[]>;
  /** Sends a message again that failed. An answer with secret values is given on its card instead, which has to be filled in. */
  retry(conversationId: string, clientMessageId: string): Promise<ChatMessage>;
  stream(conversationId: string): Promise<OutgoingStream>;
  typing(conversationId: string): void;
  /** All of it, or what has come up to the number of a message. */
  markRead(conversationId: string, upTo?: number): Promise<void>;
  /** Searches the messages on this device; the newest first. */
  search(text: string, limit?: number): Promise<readonly ChatMessage[]>;
  /** Deletes one message on this device only. It does not come back (WC-37). */
  eraseMessage(message: ChatMessage): Promise<void>;
  /** On this device only. */
  eraseHistory(conversationId: string): Promise<void>;
  /** Erases the history on this device, where the conversation is not listed until something new comes. */
  delete(conversationId: string): Promise<void>;
  /** Puts it away on this device until something new comes; while it is muted, until it is fetched back. */
  archive(conversationId: string): Promise<void>;
  unarchive(conversationId: string): Promise<void>;
  /** On this device: no notifications, and not counted. */
  mute(conversationId: string, until: Date | 'always'): Promise<void>;
  unmute(conversationId: string): Promise<void>;
  sync(): Promise<void>;
}

interface ConversationDeps {
  readonly api: Api;
  readonly store: Store;
  readonly platform: Platform;
  readonly messenger: GroupMessenger & Pick<Messenger, 'send' | 'outcome' | 'stream' | 'typing'>;
  readonly self: Sender;
  /** Signs who is in a group. */
  readonly identity: KeyPair;
  /** The agent of a conversation, if it is an agent's. */
  agentOf(conversationId: string): { readonly agentId: string; readonly name: string } | undefined;
  /** A text that was sent and could not even be kept: without a place on disk it would be gone. */
  onUnkept(conversationId: string, text: string): void;
  /** The history of a conversation, or one card of it, was erased. */
  onErase?(conversationId: string, card?: { readonly sender: Sender; readonly artifactId: string }): void;
  onProblem(error: unknown): void;
}

/** The conversations, with what only the client may do. */
export interface OpenConversations extends Conversations, Pick<OpenGroups, 'admitInvited'> {
  receive(message: Incoming): Promise<void>;
  receiveTransient(event: TransientEvent): void;
  showCall(record: CallRecord): void;
  /** There are messages from before this device was listed (WC-38). */
  noteEarlier(conversationId: string): Promise<void>;
  /** A message opened here, so what comes after it was for this device, too (WC-38). */
  noteOpened(conversationId: string, seq: number): Promise<void>;
  /** Is everything up to here from before this device first saw its account's conversations? */
  isEarlier(conversationId: string, seq: number): Promise<boolean>;
  /** The names of agents may have changed. */
  refreshTitles(): void;
  /** Sends again what was on its way when the program ended. */
  resume(): Promise<void>;
}

export const SUMMARIES = 'client/conversation/';
const EARLIER = 'client/earlier/';
/** The list was read to its end once. */
export const SYNCED = 'client/synced';
/** What is kept of the list is that of the device before, which was removed (WC-4). */
export const RENEWED = 'renewed';

export async function loadConversations(deps: ConversationDeps): Promise<OpenConversations> {
  const { api, store, platform, messenger, self } = deps;
  const history = createHistory(store);
  const erased = await loadErased(store);
  const timelines = new Map<string, OpenTimeline>();
  const rows = await store.list(SUMMARIES);
  const known = new Map(rows.map(([, text]) => JSON.parse(text) as Summary).map((one) => [one.conversation_id, one]));
  const earlier = new Set((await store.list(EARLIER)).map(([key]) => key.slice(EARLIER.length)));
  const synced = await store.get(SYNCED);
  // The version before kept no mark.
  let isSynced = synced === undefined ? known.size > 0 : synced !== RENEWED;
  const inherited = new Set(synced === RENEWED ? known.keys() : []);
  /** This device has not seen yet how far the conversation had come before it. */
  const isUnseen = (conversationId: string) => {
    const summary = known.get(conversationId);
    return summary === undefined || (inherited.has(conversationId) && summary.since === undefined);
  };
  /** The numbers of the messages that were counted here, and the lowest that opened. */
  const counted = new Map<string, number[]>();
  const opened = new Map<string, number>();
  /** The conversations of the messages that are being sent, by name of the message. */
  const underway = new Map<string, string>();
  /** Those of them whose history was erased meanwhile: nothing is kept of them. */
  const forgotten = new Set<string>();
  const list = createObservable<readonly ConversationView[]>([]);
  const settings = await loadConversationSettings({ store, platform, onChange: () => show() });
  const view = (one: Summary) =>
    viewConversation(one, {
      agent: deps.agentOf(one.conversation_id),
      settings: settings.get(one.conversation_id),
      isMuted: settings.isMuted(one.conversation_id),
    });
  const show = () => list.set([...known.values()].map(view).sort(latestFirst));
  show();

  async function keep(summary: Summary): Promise<void> {
    known.set(summary.conversation_id, summary);
    show();
    await store.write(new Map([[SUMMARIES + summary.conversation_id, JSON.stringify(summary)]]));
  }

  async function arrived(conversationId: string, message: ChatMessage): Promise<void> {
    const summary = known.get(conversationId);
    if (summary === undefined) {
      await sync();
      return keepPreview(message);
    }
    const seq = Math.max(summary.last_seq, message.seq ?? 0);
    // The server counts a message as soon as it has it, which may be before it comes here.
    const isCounted = (message.seq ?? Infinity) <= (summary.countedSeq ?? 0);
    const isNew = !message.own && !isCounted;
    const unread = isNew ? summary.unread + 1 : summary.unread;
    if (isNew) counted.set(conversationId, [...(counted.get(conversationId) ?? []), seq]);
    const preview = laterPreview(summary.preview, previewMessage(message));
    await keep({ ...summary, last_seq: seq, unread, last_message_at: message.createdAt, preview });
    await settings.arrived(conversationId);
  }

  async function keepPreview(message: ChatMessage): Promise<void> {
    const summary = known.get(message.conversationId);
    if (summary === undefined) return;
    await keep({ ...summary, preview: laterPreview(summary.preview, previewMessage(message)) });
  }

  /** A version before kept no previews: each history is read once, and never again. */
  async function fillPreviews(): Promise<void> {
    for (const [id, { preview }] of [...known]) {
      if (preview !== undefined) continue;
      const last = (await history.read(id)).at(-1);
      const summary = known.get(id);
      if (summary?.preview !== undefined || summary === undefined) continue;
      await keep({ ...summary, preview: last === undefined ? null : previewMessage(last) });
    }
  }

  function open(conversationId: string): OpenTimeline {
    let timeline = timelines.get(conversationId);
    if (timeline === undefined) {
      timeline = createTimeline(conversationId, platform.setTimer);
      timelines.set(conversationId, timeline);
      if (earlier.has(conversationId)) timeline.setEarlier();
      const { load } = timeline;
      history.read(conversationId).then(load, deps.onProblem);
    }
    return timeline;
  }

  const put = (message: ChatMessage) => timelines.get(message.conversationId)?.put(message);

  /**
   * Shows the messages at once, and again in a timeline that was opened during the write: it may have read the state
   * before it from disk.
   */
  async function putAndWrite(conversationId: string, messages: readonly ChatMessage[], write: Promise<void>) {
    const shown = timelines.get(conversationId);
    for (const message of messages) shown?.put(message);
    await write;
    if (timelines.get(conversationId) !== shown) for (const message of messages) put(message);
  }

  async function readAll(conversationId: string): Promise<readonly ChatMessage[]> {
    const held = timelines.get(conversationId)?.getSnapshot();
    return held?.loaded ? held.messages : history.read(conversationId);
  }

  /** What changes with it in the same conversation is one write: after a crash there is all of it, or nothing. */
  async function change(before: ChatMessage, after: ChatMessage, ...also: MessageChange[]): Promise<ChatMessage> {
    const changes = [{ before, after }, ...also];
    const changed = changes.map((one) => one.after);
    await putAndWrite(before.conversationId, changed, history.replace(changes));
    return after;
  }

  async function noteSilent({ conversationId, own, seq }: ChatMessage): Promise<void> {
    const summary = known.get(conversationId);
    if (own || seq === undefined || summary === undefined) return;
    const next = withSilent(summary, seq);
    if (next !== summary) await keep(next);
  }

  /** Kept before it is sent: after a crash it is sent again as the same message. */
  async function send(conversationId: string, payload: Payload, kept: Partial<ChatMessage> = {}): Promise<ChatMessage> {
    const message: ChatMessage = {
      clientMessageId: newId(platform),
      conversationId,
      sender: self,
      own: true,
      createdAt: platform.now().toISOString(),
      state: 'sending',
      payload,
      ...kept,
    };
    underway.set(message.clientMessageId, conversationId);
    await history.write(message).catch((error: unknown) => {
      underway.delete(message.clientMessageId);
      if (payload.type === 'text') deps.onUnkept(conversationId, payload.text);
      throw error;
    });
    if (forgotten.has(message.clientMessageId)) await history.remove(message, new Map());
    else {
      put(message);
      const summary = known.get(conversationId);
      // Written to disk with the answer of the server.
      if (summary !== undefined) known.set(conversationId, { ...summary, preview: previewMessage(message) });
      show();
    }
    return dispatch(message, payload);
  }

  function dispatch(message: ChatMessage, payload: Payload): Promise<ChatMessage> {
    const { conversationId, clientMessageId } = message;
    return follow(message, () => messenger.send({ conversationId, payload, clientMessageId }));
  }

  /** Keeps what becomes of a message that is on its way. */
  async function follow(message: ChatMessage, sending: () => Promise<Ack>): Promise<ChatMessage> {
    const { conversationId, clientMessageId } = message;
    underway.set(clientMessageId, conversationId);
    try {
      const { seq, messageId } = await sending();
      const sent: ChatMessage = { ...message, state: 'sent', seq, messageId };
      if (await settle(message, sent, await noteOnCard(sent))) await arrived(conversationId, sent);
      return sent;
    } catch (error) {
      // The next start goes on with it.
      if (!isParleyError(error, 'CLOSED')) await settle(message, { ...message, state: 'failed' });
      throw error;
    } finally {
      underway.delete(clientMessageId);
      forgotten.delete(clientMessageId);
    }
  }

  /**
   * How its card changes with an answer that was sent. The agent may have changed the card while the answer was on its
   * way, or the person erased it.
   */
  async function noteOnCard({ conversationId, payload, answerTo, createdAt }: ChatMessage): Promise<MessageChange[]> {
    const answer = answerOf(payload);
    if (answer === undefined || answerTo === undefined) return [];
    const kept = await withoutSecretsOf(conversationId, answer);
    const before = await findCard(conversationId, { artifactId: answer.artifact_id, sender: answerTo });
    return before === undefined ? [] : [{ before, after: noteAnswer(before, kept, createdAt) }];
  }

  /** Keeps what became of a message, unless its history was erased while it was on its way. */
  async function settle(before: ChatMessage, after: ChatMessage, also: MessageChange[] = []): Promise<boolean> {
    const { clientMessageId, conversationId } = before;
    if (forgotten.has(clientMessageId)) return false;
    await change(before, after, ...also);
    if (!forgotten.has(clientMessageId)) return true;
    await history.remove(after, new Map());
    timelines.get(conversationId)?.remove(after);
    return false;
  }

  /** What is kept of an answer, by all that the cards of this id have been here, whoever sent them. */
  async function withoutSecretsOf(conversationId: string, answer: CardAnswer): Promise<CardAnswer> {
    const { artifact_id: artifactId } = answer;
    const held = (await readAll(conversationId)).filter(({ payload }) => cardOf(payload)?.artifact_id === artifactId);
    const earlier = await Promise.all(
      held.map(({ sender }) => history.revisions(conversationId, { sender, artifactId })),
    );
    return withoutSecrets(answer, [
      ...held.flatMap(({ payload }) => cardOf(payload) ?? []),
      ...earlier.flat().map(({ card }) => card),
    ]);
  }

  async function findCards(conversationId: string, artifactId: string): Promise<readonly ChatMessage[]> {
    const messages = await readAll(conversationId);
    return messages.filter(({ own, payload }) => !own && cardOf(payload)?.artifact_id === artifactId);
  }

  async function findCard(conversationId: string, { artifactId, sender }: CardName): Promise<ChatMessage | undefined> {
    const cards = await findCards(conversationId, artifactId);
    return cards.findLast((one) => sender === undefined || isSelf(one.sender, sender));
  }

  /** An answer does not say whose card it is to: where several have sent one with this id, it is shown on none. */
  async function noteOnOnlyCard(message: ChatMessage, answer: CardAnswer): Promise<MessageChange[]> {
    const [before, ...others] = (await findCards(message.conversationId, answer.artifact_id)).toReversed();
    if (before === undefined || others.some((one) => !isFrom(one, before))) return [];
    return [{ before, after: noteAnswer(before, answer, message.createdAt) }];
  }

  /** A card that changes stays where it is. */
  async function applyToCard(message: ChatMessage): Promise<boolean> {
    const id = cardOf(message.payload)?.artifact_id;
    if (id === undefined) return false;
    const cards = await readAll(message.conversationId);
    const held = cards.findLast((one) => cardOf(one.payload)?.artifact_id === id && isFrom(one, message));
    if (held === undefined) return false;
    const updated = updateCard(held, message);
    const before = revisionOf(held);
    if (updated !== undefined && before !== undefined) {
      // First, so that whoever is shown the update can read what was before it.
      await history.keepRevision(held, before);
      await change(held, updated);
    }
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
        if (summary.conversation_id === self.id) continue;
        const bound = await bindTitle(summary);
        const { conversation_id: id, last_seq } = bound;
        // Read only now: something may have come meanwhile.
        const before = known.get(id);
        const first = Math.min(last_seq, (opened.get(id) ?? Infinity) - 1);
        const since = !isSynced && isUnseen(id) ? first : before?.since;
        const ofHere = { before, counted: counted.get(id) ?? [] };
        counted.set(
          id,
          ofHere.counted.filter((seq) => seq > last_seq),
        );
        // What the server does not know.
        const own = { preview: before?.preview ?? null, ...(since === undefined ? {} : { since }) };
        await keep({ ...mergeListed(bound, ofHere), ...own });
      }
    }
    if (isSynced) return;
    isSynced = true;
    await store.write(new Map([[SYNCED, '1']]));
  }

  async function markRead(conversationId: string, upTo = Infinity): Promise<void> {
    const summary = known.get(conversationId);
    if (summary === undefined || summary.read_seq >= Math.min(upTo, summary.last_seq)) return;
    const read = readUpTo(summary, Math.min(upTo, summary.last_seq));
    const seq = read.read_seq;
    await keep(read);
    await api.call(conversationRoutes.markRead, { params: { conversation_id: conversationId }, body: { seq } });
  }

  /** One write with what goes with it: after a crash there is all of it, or nothing. */
  async function eraseHistory(conversationId: string, also: StoreBatch = new Map()): Promise<void> {
    const upTo = known.get(conversationId)?.last_seq ?? 0;
    // What has come meanwhile stays.
    const withoutPreview = (summary: Summary): Summary =>
      (summary.preview?.seq ?? 0) <= upTo ? { ...summary, preview: null } : summary;
    const batch = new Map(also);
    if (known.has(conversationId))
      batch.set(SUMMARIES + conversationId, () => JSON.stringify(withoutPreview(known.get(conversationId)!)));
    for (const [name, id] of underway) if (id === conversationId) forgotten.add(name);
    await history.erase(conversationId, batch);
    timelines.get(conversationId)?.clear(upTo);
    deps.onErase?.(conversationId);
    const summary = known.get(conversationId);
    if (summary !== undefined) await keep(withoutPreview(summary));
  }

  async function noteOpened(conversationId: string, seq: number): Promise<void> {
    opened.set(conversationId, Math.min(seq, opened.get(conversationId) ?? Infinity));
    const summary = known.get(conversationId);
    if (summary?.since !== undefined && seq <= summary.since) await keep({ ...summary, since: seq - 1 });
  }

  return {
    list: { getSnapshot: list.getSnapshot, subscribe: list.subscribe },
    timeline: open,
    sendText: (conversationId, text) => send(conversationId, { type: 'text', text }),
    sendAttachment: (conversationId, attachment) => send(conversationId, attachment),
    async answerCard(conversationId, artifactId, { action, values, sender }) {
      const held = await findCard(conversationId, { artifactId, sender });
      const card = held && cardOf(held.payload);
      if (held === undefined || card === undefined) throw clientError('CARD_GONE');
      const { subtype } = card;
      const answer = { artifact_id: artifactId, subtype, action, ...(values === undefined ? {} : { values }) };
      const kept = await withoutSecretsOf(conversationId, answer);
      const { kind, id } = held.sender;
      return send(
        conversationId,
        { type: 'artifact', artifact: answer },
        {
          payload: { type: 'artifact', artifact: kept },
          answerTo: { kind, id },
          ...(countValues(kept) < countValues(answer) ? { hadSecret: true } : {}),
        },
      );
    },
    cardRevisions: history.revisions,
    async retry(conversationId, clientMessageId) {
      const messages = await readAll(conversationId);
      const message = messages.find((one) => one.own && one.clientMessageId === clientMessageId);
      if (message?.state !== 'failed') throw clientError('UNKNOWN_MESSAGE');
      if (message.hadSecret === true) throw clientError('SECRET_NOT_KEPT');
      const again = await change(message, { ...message, state: 'sending' });
      return dispatch(again, again.payload);
    },
    stream: (conversationId) => messenger.stream(conversationId),
    typing: (conversationId) => messenger.typing(conversationId),
    markRead,
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
    async eraseMessage(message) {
      if (!canErase(message)) throw clientError('UNKNOWN_MESSAGE');
      await history.remove(message, message.state === 'failed' ? new Map() : erased.add(message));
      timelines.get(message.conversationId)?.remove(message);
      const card = cardOf(message.payload);
      const { sender } = message;
      if (card !== undefined) deps.onErase?.(message.conversationId, { sender, artifactId: card.artifact_id });
      const last = (await readAll(message.conversationId)).at(-1);
      const summary = known.get(message.conversationId);
      if (summary !== undefined) await keep({ ...summary, preview: last === undefined ? null : previewMessage(last) });
    },
    eraseHistory,
    async delete(conversationId) {
      // All of it begins at once: what comes from now on is unread, stays, and brings the conversation back.
      const marking = markRead(conversationId).catch(deps.onProblem);
      await Promise.all([eraseHistory(conversationId, settings.hide(conversationId)), marking]);
    },
    archive: (conversationId) => settings.change(conversationId, { archived: true }),
    unarchive: (conversationId) => settings.change(conversationId, { archived: undefined }),
    mute: (conversationId, until) =>
      settings.change(conversationId, { mutedUntil: until === 'always' ? until : until.toISOString() }),
    unmute: (conversationId) => settings.change(conversationId, { mutedUntil: undefined }),
    sync,
    async receive(incoming) {
      const own = isSelf(incoming.sender, self);
      const answer = answerOf(incoming.payload);
      const kept = answer && (await withoutSecretsOf(incoming.conversationId, answer));
      const message = toMessage(kept ? { ...incoming, payload: { type: 'artifact', artifact: kept } } : incoming, own);
      if (erased.has(message) || (await applyToCard(message))) return noteSilent(message);
      const noted = kept !== undefined && own ? await noteOnOnlyCard(message, kept) : [];
      await Promise.all([change(message, message, ...noted), arrived(message.conversationId, message)]);
    },
    receiveTransient: (event) => {
      if (event.type === 'claimed' || event.type === 'last') return;
      open(event.conversationId).receiveTransient(event);
    },
    showCall(record) {
      const timeline = timelines.get(record.conversationId);
      timeline?.put(toCallMessage(record));
      const summary = known.get(record.conversationId);
      if (summary === undefined || record.seq < (summary.preview?.seq ?? 0)) return;
      const isNew = record.state === 'waiting' && record.seq > summary.last_seq;
      const last = isNew ? { last_seq: record.seq, last_message_at: record.createdAt } : {};
      const preview = record.erased === true ? null : previewMessage(toCallMessage(record));
      const next = { ...summary, ...last, preview };
      // Until it is answered it is not written to disk: after a restart the call comes here once more.
      if (record.state === 'answered' || record.state === 'elsewhere') keep(next).catch(deps.onProblem);
      else known.set(record.conversationId, next);
      show();
      if (isNew) settings.arrived(record.conversationId).catch(deps.onProblem);
    },
    async noteEarlier(conversationId) {
      if (earlier.has(conversationId)) return;
      earlier.add(conversationId);
      timelines.get(conversationId)?.setEarlier();
      await store.write(new Map([[EARLIER + conversationId, '1']]));
    },
    noteOpened,
    async isEarlier(conversationId, seq) {
      if (isUnseen(conversationId)) await sync();
      return seq <= (known.get(conversationId)?.since ?? 0);
    },
    refreshTitles: show,
    async resume() {
      await fillPreviews();
      for (const message of await history.unsent()) {
        if (message.state !== 'sending') continue;
        // What is sealed is sent as it was. What is not has lost its secret values, and a version before marked none.
        const isWhole = answerOf(message.payload) === undefined || (message.answerTo && message.hadSecret !== true);
        const sending = messenger.outcome(message.clientMessageId);
        if (sending !== undefined) follow(message, () => sending).catch(deps.onProblem);
        else if (isWhole) dispatch(message, message.payload).catch(deps.onProblem);
        else await change(message, { ...message, state: 'failed' });
      }
    },
  };
}

interface CardName {
  readonly artifactId: string;
  /** In a group several agents may have given a card the same id. */
  readonly sender: Pick<Sender, 'kind' | 'id'> | undefined;
}

const countValues = ({ values = {} }: CardAnswer) => Object.keys(values).length;
const isSelf = (a: Pick<Sender, 'kind' | 'id'>, b: Pick<Sender, 'kind' | 'id'>) => a.kind === b.kind && a.id === b.id;
const isFrom = (a: ChatMessage, b: ChatMessage) => isSelf(a.sender, b.sender);
