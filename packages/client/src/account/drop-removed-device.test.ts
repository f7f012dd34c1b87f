import { nodeCrypto } from '@parley/e2ee/node';
import { createMemoryStore, type Store } from '@parley/messenger';
import { describe, expect, it } from 'vitest';
import { loadConversations } from '../conversations/conversations.ts';
import { dropRemovedDevice } from './drop-removed-device.ts';

const ID = 'conversation';
const wire = { conversation_id: ID, kind: 'h2a', read_seq: 5, last_message_at: null };

/** The conversations of a device, and the last number that the server knows. */
const open = (store: Store, lastSeq: number) =>
  loadConversations({
    api: {
      call: async () => ({ conversations: [{ ...wire, last_seq: lastSeq, unread: lastSeq - 5 }], next_cursor: null }),
    },
    store,
    platform: { crypto: nodeCrypto, setTimer: () => () => {}, now: () => new Date() },
    messenger: {},
    self: { kind: 'human', id: 'ada', device_id: 'desk' },
    identity: { publicKey: new Uint8Array(32), privateKey: new Uint8Array(32) },
    agentOf: () => ({ agentId: 'agent', name: 'Bot' }),
    onUnkept: () => {},
    onProblem: () => {},
  } as unknown as Parameters<typeof loadConversations>[0]);

const summary = (change: object) =>
  [`client/conversation/${ID}`, JSON.stringify({ ...wire, last_seq: 5, unread: 0, ...change })] as const;

describe('WC-4 what is left of a removed device', () => {
  it('WC-4 everything that is the person’s own, and nothing of the keys', async () => {
    const store = createMemoryStore();
    const own = [
      `client/card-revision/${ID}/a/0001`,
      `client/conversation-settings/${ID}`,
      'client/draft/message/1',
      'client/draft-changed/message/1',
      `client/earlier/${ID}`,
      `client/erased/${ID}/agent/a/message/1`,
    ];
    await store.write(new Map([...own, 'client/founder', 'keys/own'].map((key) => [key, '1'])));
    await dropRemovedDevice(store);
    expect((await store.list('')).map(([key]) => key)).toEqual([...own, 'client/synced'].sort());
  });

  it('WC-38 what came while it was removed was not for the new device, and is no loss', async () => {
    const store = createMemoryStore();
    await store.write(new Map([summary({ since: 2, countedSeq: 5 }), ['client/synced', '1']]));
    await dropRemovedDevice(store);
    const first = await open(store, 50);
    expect(await first.isEarlier(ID, 50)).toBe(true);
    expect(await first.isEarlier(ID, 51)).toBe(false);
    // Only once: it has seen the list now.
    const second = await open(store, 60);
    await second.sync();
    expect(await second.isEarlier(ID, 51)).toBe(false);
  });

  it('WC-38 a list that a version before has kept without a mark is one that was read', async () => {
    const store = createMemoryStore();
    await store.write(new Map([summary({})]));
    const conversations = await open(store, 50);
    await conversations.sync();
    expect(await conversations.isEarlier(ID, 50)).toBe(false);
  });
});
