import { createMemoryStore, type Incoming, type Store } from '@parley/messenger';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { loadConversations } from './conversations.ts';

const ID = 'conversation';
const SUMMARY = { conversation_id: ID, kind: 'h2a', last_seq: 0, read_seq: 0, unread: 0, last_message_at: null };

const incoming = (seq: number, text: string): Incoming => ({
  conversationId: ID,
  conversationKind: 'h2a',
  messageId: `message-${seq}`,
  seq,
  clientMessageId: `client-${seq}`,
  sender: { kind: 'agent', id: 'agent' },
  contentType: 'text',
  msgSubtype: 'text',
  createdAt: '2026-01-01T00:00:00.000Z',
  receivedAt: '2026-01-01T00:00:00.000Z',
  isForUsAlone: true,
  payload: { type: 'text', text },
});

/** Until `finish`, nothing that is written can be read. */
function openSlowDisk() {
  const store = createMemoryStore();
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let begun = 0;
  const write: Store['write'] = async (batch) => {
    begun++;
    await finished;
    return store.write(batch);
  };
  return { store, slow: { ...store, write }, finish, hasBegun: () => begun > 0 };
}

async function load(store: Store) {
  const never = () => expect.unreachable();
  return loadConversations({
    api: { call: never } as never,
    store,
    platform: { setTimer: () => () => {}, now: () => new Date() } as never,
    messenger: { send: never, stream: never, typing: never, refresh: never } as never,
    self: { kind: 'human', id: 'ada', device_id: 'desk' },
    identity: { publicKey: new Uint8Array(32), privateKey: new Uint8Array(32) },
    agentOf: () => ({ agentId: 'agent', name: 'Bot' }),
    onProblem: never,
  });
}

describe('TR-3 a message and its conversation', () => {
  it('TR-3 a message that is being written while its conversation is opened is shown, once', async () => {
    const { store, slow, finish, hasBegun } = openSlowDisk();
    await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
    const conversations = await load(slow);
    const received = conversations.receive(incoming(1, 'hello'));
    await until(hasBegun);
    const timeline = conversations.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    finish();
    await received;
    expect(timeline.getSnapshot().messages.map(({ payload }) => payload)).toEqual([{ type: 'text', text: 'hello' }]);
  });

  it('TR-3 in one that is open it is shown before it is on disk', async () => {
    const { store, slow, finish } = openSlowDisk();
    await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
    const conversations = await load(slow);
    const timeline = conversations.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    const received = conversations.receive(incoming(1, 'hello'));
    await until(() => timeline.getSnapshot().messages.length === 1);
    finish();
    await received;
    expect(timeline.getSnapshot().messages).toHaveLength(1);
  });
});
