import type { Store, StoreBatch, StoreEntry } from '@parley/messenger';
import type { Sender } from '@parley/protocol';
import { type CallRecord, callKey, listRecords, withoutResult } from '../guard/call-record.ts';
import { type CardRevision, cardOf } from './cards.ts';
import { type ChatMessage, compareMessages } from './message.ts';

/** In a group, another agent's card may have the same id (WC-23). */
export interface NamedCard {
  readonly sender: Pick<Sender, 'id'>;
  readonly artifactId: string;
}

export interface MessageChange {
  readonly before: ChatMessage;
  readonly after: ChatMessage;
}

/** Messages on disk, by conversation. */
export interface History {
  read(conversationId: string): Promise<ChatMessage[]>;
  write(message: ChatMessage): Promise<void>;
  /** Replaces messages that changed, each of which perhaps got a number and thereby another key, in one write. */
  replace(changes: readonly MessageChange[]): Promise<void>;
  /** Erases one message on this device, and writes what keeps it from coming again. */
  remove(message: ChatMessage, erased: ReadonlyMap<string, string>): Promise<void>;
  /** Keeps what a card was before it changed; of many revisions, the last ones. */
  keepRevision(held: Pick<ChatMessage, 'conversationId' | 'sender'>, revision: CardRevision): Promise<void>;
  /** The earlier revisions of a card, the oldest first. */
  revisions(conversationId: string, card: NamedCard): Promise<CardRevision[]>;
  /** Erases the messages of one conversation on this device, and writes what goes with it. */
  erase(conversationId: string, also?: StoreBatch): Promise<void>;
  /** Returns what was not sent in any conversation when the program ended. */
  unsent(): Promise<ChatMessage[]>;
  conversations(): Promise<string[]>;
}

export const MESSAGES = 'client/message/';

const REVISION = 'client/card-revision/';
/** The earlier revisions that are kept of a card. */
const MAX_REVISIONS = 20;

/** The agent chooses the id: it may hold any character, a slash or half of a surrogate pair too. */
const revisionsOf = (conversationId: string, { sender, artifactId }: NamedCard) =>
  `${REVISION}${conversationId}/${sender.id}/${encodeURIComponent(JSON.stringify(artifactId))}/`;

const folder = (conversationId: string) => `${MESSAGES}${conversationId}/`;

function keyOf({ conversationId, seq, clientMessageId }: ChatMessage): string {
  // Numbers sort as text when they are equally long.
  const name = seq === undefined ? `~${clientMessageId}` : String(seq).padStart(16, '0');
  return folder(conversationId) + name;
}

export function createHistory(store: Store): History {
  const parse = ([, text]: readonly [string, string]) => JSON.parse(text) as ChatMessage;
  return {
    async read(conversationId) {
      const [rows, calls] = await Promise.all([store.list(folder(conversationId)), listRecords(store, conversationId)]);
      const shown = calls.filter(({ erased }) => erased !== true);
      return [...rows.map(parse), ...shown.map(toCallMessage)].sort(compareMessages);
    },
    write: (message) => store.write(new Map([[keyOf(message), JSON.stringify(message)]])),
    replace(changes) {
      const batch = new Map<string, string | null>();
      for (const { before, after } of changes) {
        if (keyOf(before) !== keyOf(after)) batch.set(keyOf(before), null);
        batch.set(keyOf(after), JSON.stringify(after));
      }
      return store.write(batch);
    },
    async remove(message, erased) {
      const { conversationId, clientMessageId, sender } = message;
      const calls = message.call === undefined ? [] : await listRecords(store, conversationId);
      const call = calls.find((one) => callMessageId(one) === clientMessageId);
      if (call !== undefined) return store.write(new Map([[callKey(call), eraseCall(call)]]));
      const card = cardOf(message.payload);
      const named = card && { sender, artifactId: card.artifact_id };
      const revisions = named === undefined ? [] : await store.list(revisionsOf(conversationId, named));
      const gone = [keyOf(message), ...revisions.map(([key]) => key)].map((key) => [key, null] as const);
      await store.write(new Map<string, string | null>([...erased, ...gone]));
    },
    async keepRevision({ conversationId, sender }, revision) {
      const prefix = revisionsOf(conversationId, { sender, artifactId: revision.card.artifact_id });
      const kept = (await store.list(prefix)).map(([key]) => key);
      const key = prefix + String(revision.card.revision ?? 1).padStart(4, '0');
      const batch = new Map<string, string | null>([[key, JSON.stringify(revision)]]);
      const others = kept.filter((one) => one !== key);
      for (const old of others.slice(0, Math.max(0, others.length + 1 - MAX_REVISIONS))) batch.set(old, null);
      await store.write(batch);
    },
    async revisions(conversationId, card) {
      const rows = await store.list(revisionsOf(conversationId, card));
      return rows.map(([, text]) => JSON.parse(text) as CardRevision);
    },
    async erase(conversationId, also = new Map()) {
      const [rows, revisions, calls] = await Promise.all([
        store.list(folder(conversationId)),
        store.list(`${REVISION}${conversationId}/`),
        listRecords(store, conversationId),
      ]);
      const gone = [...rows, ...revisions].map(([key]) => [key, null] as const);
      const batch = new Map<string, StoreEntry>([...gone, ...also]);
      // Open calls stay.
      for (const call of calls.filter(isOver)) batch.set(callKey(call), eraseCall(call));
      await store.write(batch);
    },
    async unsent() {
      const rows = await store.list(MESSAGES);
      return rows.filter(([key]) => key.includes('/~')).map(parse);
    },
    async conversations() {
      const rows = await store.list(MESSAGES);
      return [...new Set(rows.map(([key]) => key.slice(MESSAGES.length).split('/', 1)[0]!))];
    },
  };
}

const isOver = ({ state }: Pick<CallRecord, 'state'>) => state === 'answered' || state === 'elsewhere';
const callMessageId = ({ callId }: Pick<CallRecord, 'callId'>) => `call-${callId}`;

/** Enough is kept to recognise it if it arrives again (CG-11). */
const eraseCall = (call: CallRecord) => JSON.stringify({ ...withoutResult(call), arguments: {}, erased: true });

/** On its way, or a call that is open: it would come back, or nobody would know how it ended. */
export function canErase({ state, call }: ChatMessage): boolean {
  return call === undefined ? state !== 'sending' : isOver(call);
}

/** The guard stores calls; a conversation shows them where the agent wrote them. */
export function toCallMessage(record: CallRecord): ChatMessage {
  const { callId, conversationId, messageId, seq, agentId, createdAt, state, startedAt, response } = record;
  return {
    clientMessageId: callMessageId(record),
    conversationId,
    seq,
    messageId,
    sender: { kind: 'agent', id: agentId },
    own: false,
    createdAt,
    state: 'received',
    payload: {
      type: 'artifact',
      artifact: {
        subtype: 'tool_call',
        call_id: callId,
        tool_name: record.toolName,
        arguments: record.arguments,
        permission_scope: record.permissionScope,
        timeout_ms: record.timeoutMs,
      },
    },
    call: {
      state,
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(response === undefined ? {} : { response }),
    },
  };
}
