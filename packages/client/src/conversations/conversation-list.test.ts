import { createMemoryStore, type Incoming, type Store } from '@parley/messenger';
import type { Payload } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { describe, expect, it, vi } from 'vitest';
import type { CallRecord } from '../guard/call-record.ts';
import { countUnread } from './conversation-view.ts';
import { loadConversations } from './conversations.ts';

const ID = 'conversation';
const SUMMARY = { conversation_id: ID, kind: 'h2a', last_seq: 0, read_seq: 0, unread: 0, last_message_at: null };
const HOUR_MS = 60 * 60_000;

const incoming = (seq: number, payload: Payload): Incoming => ({
  conversationId: ID,
  conversationKind: 'h2a',
  messageId: `message-${seq}`,
  seq,
  clientMessageId: `client-${seq}`,
  sender: { kind: 'agent', id: 'agent' },
  contentType: payload.type,
  msgSubtype: 'text',
  createdAt: '2026-01-01T00:00:00.000Z',
  receivedAt: '2026-01-01T00:00:00.000Z',
  isForUsAlone: true,
  payload,
});
const text = (seq: number, words: string) => incoming(seq, { type: 'text', text: words });

/** A device whose clock moves when it is told to. */
async function openDevice(store: Store = createMemoryStore(), deps: object = {}) {
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  const timers = new Map<() => void, number>();
  const removed: string[] = [];
  const listed: object[] = [];
  const read = vi.spyOn(store, 'list');
  await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
  const load = () =>
    loadConversations({
      api: { call: async () => ({ conversations: listed, next_cursor: null }) } as never,
      store,
      platform: {
        now: () => new Date(now),
        randomBytes: (length: number) => new Uint8Array(length),
        crypto: { randomBytes: (length: number) => new Uint8Array(length) },
        setTimer(callback: () => void, ms: number) {
          timers.set(callback, now + ms);
          return () => timers.delete(callback);
        },
      } as never,
      messenger: { send: async () => ({ seq: 50, messageId: 'sent' }) } as never,
      self: { kind: 'human', id: 'ada', device_id: 'desk' },
      identity: { publicKey: new Uint8Array(32), privateKey: new Uint8Array(32) },
      onUnkept: () => {},
      onErase: (conversationId) => void removed.push(conversationId),
      agentOf: () => ({ agentId: 'agent', name: 'Bot' }),
      onProblem: (error) => expect.unreachable(String(error)),
      ...deps,
    });
  const conversations = await load();
  return {
    conversations,
    removed,
    /** What the server says of the conversations. */
    listed,
    read,
    reopen: load,
    view: () => conversations.list.getSnapshot()[0]!,
    pass(ms: number) {
      now += ms;
      for (const [callback, at] of [...timers]) {
        if (at > now) continue;
        timers.delete(callback);
        callback();
      }
    },
  };
}

const CALL = {
  callId: 'call_1',
  conversationId: ID,
  conversationKind: 'h2a',
  agentId: 'agent',
  toolName: 'read_location',
  permissionScope: 'location:read',
  arguments: {},
  seq: 7,
  messageId: 'message-7',
  createdAt: '2026-01-01T00:00:00.000Z',
  state: 'waiting',
} as unknown as CallRecord;

describe('WC-40 the list', () => {
  it('WC-40 the last message in one line, and after a restart too, without reading any history again', async () => {
    const { conversations, view, read, reopen } = await openDevice();
    await conversations.receive(text(1, 'first\n\n**second**   line'));
    expect(view().preview).toEqual({ kind: 'text', own: false, seq: 1, text: 'first second line' });
    await conversations.receive(text(2, '| Day | Open |\n|---|--:|\n| Monday | no |\n\n- [x] looked it up\n* 3 - 2'));
    expect(view().preview?.text).toBe('Day Open Monday no looked it up 3 - 2');
    read.mockClear();
    await conversations.receive(text(3, 'later'));
    await conversations.sendText(ID, '**typed**');
    expect(view().preview).toEqual({ kind: 'text', own: true, seq: 50, text: '**typed**' });
    expect(read.mock.calls.filter(([prefix]) => prefix.startsWith('client/message/'))).toEqual([]);
    const again = await reopen();
    expect(again.list.getSnapshot()[0]!.preview?.text).toBe('**typed**');
  });

  it('WC-40 cards, files and calls are told by their kind', async () => {
    const { conversations, view } = await openDevice();
    await conversations.receive(
      incoming(1, {
        type: 'artifact',
        artifact: { artifact_id: 'a', subtype: 'form', title: 'Order', blocks: [] } as never,
      }),
    );
    expect(view().preview).toMatchObject({ kind: 'card', text: 'Order' });
    await conversations.receive(incoming(2, { type: 'image', name: 'cat.png', mime_type: 'image/png', data: '' }));
    expect(view().preview).toMatchObject({ kind: 'image', text: 'cat.png' });
    conversations.showCall(CALL);
    expect(view().preview).toMatchObject({ kind: 'call', text: 'read_location', scope: 'location:read' });
    await conversations.receive(text(3, 'from before the call'));
    expect(view().preview?.kind).toBe('call');
    conversations.showCall({ ...CALL, state: 'answered' });
    expect(view().preview?.state).toBe('answered');
    await conversations.receive(text(8, 'after it'));
    expect(view().preview?.text).toBe('after it');
  });

  it('WC-40 WC-30 what people type is shown as typed, whoever they are; only agents write Markdown', async () => {
    const { conversations, view } = await openDevice();
    const typed = '# not a heading, **nor bold** and `no code`';
    await conversations.receive({ ...text(1, typed), sender: { kind: 'human', id: 'bea' } });
    expect(view().preview?.text).toBe(typed);
    await conversations.receive({ ...text(2, typed), sender: { kind: 'agent', id: 'bot' } });
    expect(view().preview?.text).toBe('not a heading, nor bold and no code');
  });

  it('WC-40 attack: letters that turn or hide what follows are harmless in the list, and a long text is cut', async () => {
    const { conversations, view } = await openDevice();
    await conversations.receive(text(1, `\u202egnp.exe ${'x'.repeat(100_000)}`));
    expect(view().preview?.text).toMatch(/^\[U\+202E\]gnp\.exe x+…$/);
    expect(view().preview!.text.length).toBeLessThanOrEqual(120);
  });

  it('WC-40 what a version before has kept gets its preview once', async () => {
    const store = createMemoryStore();
    const { conversations, reopen, read } = await openDevice(store);
    await conversations.receive(text(1, 'of old'));
    await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
    const after = await reopen();
    await after.resume();
    expect(after.list.getSnapshot()[0]!.preview?.text).toBe('of old');
    read.mockClear();
    await (await reopen()).resume();
    expect(read.mock.calls.filter(([prefix]) => prefix === `client/message/${ID}/`)).toEqual([]);
  });

  it('WC-40 what the server has counted before it came here is not counted twice', async () => {
    const { conversations, listed, view } = await openDevice();
    listed.push({ ...SUMMARY, last_seq: 2, unread: 2 });
    await conversations.sync();
    for (const seq of [1, 2, 3]) await conversations.receive(text(seq, `message ${seq}`));
    expect(view()).toMatchObject({ unread: 3, lastSeq: 3 });
    expect(view().preview?.text).toBe('message 3');
  });

  it('WC-40 what is muted, archived or deleted is not counted', async () => {
    const { conversations, view } = await openDevice();
    await conversations.receive(text(1, 'one'));
    await conversations.receive(text(2, 'two'));
    const count = () => countUnread(conversations.list.getSnapshot());
    expect(count()).toBe(2);
    await conversations.mute(ID, 'always');
    expect(count()).toBe(0);
    await conversations.unmute(ID);
    await conversations.archive(ID);
    expect(count()).toBe(0);
    await conversations.unarchive(ID);
    expect([count(), view().unread]).toEqual([2, 2]);
  });
});

describe('WC-41 put away, muted, deleted', () => {
  it('WC-41 archived, it comes back with the next message, and not while it is muted', async () => {
    const { conversations, view, reopen } = await openDevice();
    await conversations.archive(ID);
    expect((await reopen()).list.getSnapshot()[0]!.archived).toBe(true);
    await conversations.receive(text(1, 'hello'));
    expect(view().archived).toBe(false);
    await conversations.mute(ID, 'always');
    await conversations.archive(ID);
    await conversations.receive(text(2, 'again'));
    expect(view()).toMatchObject({ archived: true, unread: 2 });
    await conversations.unmute(ID);
    conversations.showCall(CALL);
    await until(() => !view().archived);
  });

  it('WC-41 a mute ends by itself, and is kept over a restart until then', async () => {
    const { conversations, view, pass, reopen } = await openDevice();
    await conversations.mute(ID, new Date('2026-01-01T08:00:00.000Z'));
    pass(8 * HOUR_MS - 1);
    expect(view().mutedUntil).toBe('2026-01-01T08:00:00.000Z');
    expect((await reopen()).list.getSnapshot()[0]!.mutedUntil).toBe('2026-01-01T08:00:00.000Z');
    pass(1);
    expect(view().mutedUntil).toBeUndefined();
  });

  it('WC-41 deleted, its history and drafts are gone and it is hidden until something new comes', async () => {
    const { conversations, view, removed, reopen } = await openDevice();
    await conversations.receive(text(1, 'hello'));
    await conversations.mute(ID, 'always');
    await conversations.archive(ID);
    await conversations.delete(ID);
    expect(view()).toMatchObject({ hidden: true, archived: false, unread: 0 });
    expect(view().preview).toBeUndefined();
    expect(removed).toEqual([ID]);
    expect(await conversations.search('hello')).toEqual([]);
    expect((await reopen()).list.getSnapshot()[0]!.hidden).toBe(true);
    await conversations.receive(text(2, 'still here'));
    expect(view()).toMatchObject({ hidden: false, mutedUntil: 'always' });
    await conversations.delete(ID);
    await conversations.sendText(ID, 'me again');
    expect(view().hidden).toBe(false);
  });

  it('WC-41 a program that ends while a conversation is deleted leaves all of it, or nothing', async () => {
    const store = createMemoryStore();
    const { conversations } = await openDevice(store);
    await conversations.receive(text(1, 'hello'));
    const { write } = store;
    /** Whether it is hidden on disk, and what is left of it, after each write. */
    const states: [isHidden: boolean, isThere: boolean][] = [];
    vi.spyOn(store, 'write').mockImplementation(async (batch) => {
      await write(batch);
      const kept = JSON.stringify(await store.list(''));
      states.push([kept.includes('hidden'), kept.includes('hello')]);
    });
    await conversations.delete(ID);
    expect(states.at(-1)).toEqual([true, false]);
    for (const [isHidden, isThere] of states) expect(isThere).toBe(!isHidden);
  });

  it('WC-41 a message that is on its way when its history is erased does not come back, sent or failed', async () => {
    for (const ends of ['sent', 'failed']) {
      const store = createMemoryStore();
      let end = () => {};
      const send = () =>
        new Promise((resolve, reject) => {
          end = () => (ends === 'sent' ? resolve({ seq: 3, messageId: 'm' }) : reject(new Error('offline')));
        });
      const { conversations, view } = await openDevice(store, { messenger: { send: vi.fn(send) } });
      const timeline = conversations.timeline(ID);
      await until(() => timeline.getSnapshot().loaded);
      const sending = conversations.sendText(ID, 'hello').catch(() => {});
      await until(() => timeline.getSnapshot().messages.length === 1);
      await conversations.delete(ID);
      end();
      await sending;
      expect(timeline.getSnapshot().messages).toEqual([]);
      expect(view()).toMatchObject({ hidden: true });
      expect(view().preview).toBeUndefined();
      expect(JSON.stringify(await store.list(''))).not.toContain('hello');
    }
  });

  it('WC-41 what comes while it is being deleted stays, is unread, and brings it back', async () => {
    const store = createMemoryStore();
    let told = () => {};
    const call = () =>
      new Promise<object>((resolve) => {
        told = () => resolve({});
      });
    const { conversations, view } = await openDevice(store, { api: { call } });
    const timeline = conversations.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    await conversations.receive(text(1, 'old'));
    const deleting = conversations.delete(ID);
    await conversations.receive(text(2, 'new'));
    await until(() => {
      told();
      return timeline.getSnapshot().messages.length === 1;
    });
    await deleting;
    expect(view()).toMatchObject({ hidden: false, unread: 1, lastSeq: 2, preview: { text: 'new' } });
    expect(timeline.getSnapshot().messages.map(({ seq }) => seq)).toEqual([2]);
    expect(await conversations.search('new')).toHaveLength(1);
  });
});

describe('WC-40 what is unread', () => {
  const card = (seq: number, revision: number) =>
    incoming(seq, { type: 'artifact', artifact: { artifact_id: 'a', subtype: 'form', revision, blocks: [] } as never });

  it('WC-40 what comes while the list is read is not lost', async () => {
    let answer = (_: object) => {};
    const call = () =>
      new Promise<object>((resolve) => {
        answer = resolve;
      });
    const { conversations, view } = await openDevice(createMemoryStore(), { api: { call } });
    const syncing = conversations.sync();
    await conversations.receive(text(1, 'hello'));
    answer({ conversations: [SUMMARY], next_cursor: null });
    await syncing;
    expect(view()).toMatchObject({ unread: 1, lastSeq: 1, lastMessageAt: '2026-01-01T00:00:00.000Z' });
  });

  it('WC-40 the change of a card, and of one that was erased, is nothing to read', async () => {
    const { conversations, listed, view } = await openDevice();
    await conversations.receive(card(1, 1));
    await conversations.markRead(ID);
    await conversations.receive(card(2, 2));
    listed.push({ ...SUMMARY, last_seq: 2, unread: 1, read_seq: 1 });
    await conversations.sync();
    expect(view()).toMatchObject({ unread: 0, readSeq: 2 });
    const timeline = conversations.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    await conversations.eraseMessage(timeline.getSnapshot().messages[0]!);
    await conversations.receive(text(3, 'new'));
    await conversations.receive(card(4, 3));
    listed[0] = { ...SUMMARY, last_seq: 4, unread: 3, read_seq: 1 };
    await conversations.sync();
    expect(view()).toMatchObject({ unread: 1, readSeq: 2 });
    await conversations.receive(card(5, 4));
    expect(view()).toMatchObject({ unread: 1, lastSeq: 5 });
    // Counted before it came here.
    listed[0] = { ...SUMMARY, last_seq: 6, unread: 5, read_seq: 1 };
    await conversations.sync();
    await conversations.receive(card(6, 5));
    expect(view()).toMatchObject({ unread: 1, lastSeq: 6 });
    await conversations.markRead(ID);
    expect(view()).toMatchObject({ unread: 0, readSeq: 6 });
  });

  it('WC-33 what was read up to a message leaves what came after it unread, without the changes of cards', async () => {
    const { conversations, view } = await openDevice();
    for (const seq of [1, 2]) await conversations.receive(text(seq, `text ${seq}`));
    await conversations.receive(card(3, 1));
    await conversations.receive(card(4, 2));
    await conversations.receive(text(5, 'new'));
    await conversations.markRead(ID, 2);
    expect(view()).toMatchObject({ unread: 2, readSeq: 2 });
    await conversations.markRead(ID, 3);
    expect(view()).toMatchObject({ unread: 1, readSeq: 4 });
    await conversations.markRead(ID, 2);
    expect(view()).toMatchObject({ unread: 1, readSeq: 4 });
    await conversations.markRead(ID);
    expect(view()).toMatchObject({ unread: 0, readSeq: 5 });
  });

  it('WC-38 attack: the server says a number that makes every later gap seem old', async () => {
    const store = createMemoryStore();
    const { listed, reopen } = await openDevice(store);
    await store.write(new Map([[`client/conversation/${ID}`, null]]));
    listed.push({ ...SUMMARY, last_seq: 1_000_000_000 });
    const conversations = await reopen();
    await conversations.sync();
    expect(await conversations.isEarlier(ID, 500)).toBe(true);
    await conversations.noteOpened(ID, 5);
    expect([await conversations.isEarlier(ID, 4), await conversations.isEarlier(ID, 5)]).toEqual([true, false]);
    expect(await (await reopen()).isEarlier(ID, 500)).toBe(false);
  });

  it('WC-38 also where the message opened before the list was read', async () => {
    const store = createMemoryStore();
    const { listed, reopen } = await openDevice(store);
    await store.write(new Map([[`client/conversation/${ID}`, null]]));
    listed.push({ ...SUMMARY, last_seq: 1_000_000_000 });
    const conversations = await reopen();
    await conversations.noteOpened(ID, 5);
    await conversations.sync();
    expect([await conversations.isEarlier(ID, 4), await conversations.isEarlier(ID, 5)]).toEqual([true, false]);
  });
});
