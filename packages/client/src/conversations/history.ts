import type { Store } from '@parley/messenger';
import { type CallRecord, callKey, listRecords, withoutResult } from '../guard/call-record.ts';
import { type ChatMessage, compareMessages } from './message.ts';

/** Messages on disk, by conversation. */
export interface History {
  read(conversationId: string): Promise<ChatMessage[]>;
  write(message: ChatMessage): Promise<void>;
  /** Replaces a message that changed, and perhaps got a number and thereby another key. */
  replace(before: ChatMessage, after: ChatMessage): Promise<void>;
  /** Erases the messages of one conversation on this device. */
  erase(conversationId: string): Promise<void>;
  /** Returns what was not sent in any conversation when the program ended. */
  unsent(): Promise<ChatMessage[]>;
  conversations(): Promise<string[]>;
}

const PREFIX = 'client/message/';

const folder = (conversationId: string) => `${PREFIX}${conversationId}/`;

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
    replace(before, after) {
      const batch = new Map<string, string | null>();
      if (keyOf(before) !== keyOf(after)) batch.set(keyOf(before), null);
      return store.write(batch.set(keyOf(after), JSON.stringify(after)));
    },
    async erase(conversationId) {
      const [rows, calls] = await Promise.all([store.list(folder(conversationId)), listRecords(store, conversationId)]);
      const batch = new Map<string, string | null>(rows.map(([key]) => [key, null]));
      // Open calls stay. Of the others, enough is kept to recognise them if they arrive again (CG-11).
      for (const call of calls.filter(({ state }) => state === 'answered' || state === 'elsewhere')) {
        batch.set(callKey(call), JSON.stringify({ ...withoutResult(call), arguments: {}, erased: true }));
      }
      await store.write(batch);
    },
    async unsent() {
      const rows = await store.list(PREFIX);
      return rows.filter(([key]) => key.includes('/~')).map(parse);
    },
    async conversations() {
      const rows = await store.list(PREFIX);
      return [...new Set(rows.map(([key]) => key.slice(PREFIX.length).split('/', 1)[0]!))];
    },
  };
}

/** The guard stores calls; a conversation shows them where the agent wrote them. */
export function toCallMessage(record: CallRecord): ChatMessage {
  const { callId, conversationId, messageId, seq, agentId, createdAt, state, startedAt, response } = record;
  return {
    clientMessageId: `call-${callId}`,
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
