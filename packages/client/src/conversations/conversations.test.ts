import { createErrorFactory } from '@parley/base';
import { nodeCrypto } from '@parley/e2ee/node';
import { createMemoryStore, type Incoming, type Store } from '@parley/messenger';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { type CallRecord, listRecords, writeRecord } from '../guard/call-record.ts';
import { loadConversations } from './conversations.ts';

const ID = 'conversation';
const SUMMARY = { conversation_id: ID, kind: 'h2a', last_seq: 0, read_seq: 0, unread: 0, last_message_at: null };

const incoming = (seq: number, text: string): Incoming => withPayload(seq, { type: 'text', text });

const withPayload = (seq: number, payload: Incoming['payload']): Incoming => ({
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
  payload,
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

async function load(store: Store, deps: object = {}) {
  const never = () => expect.unreachable();
  return loadConversations({
    api: { call: never } as never,
    store,
    platform: { crypto: nodeCrypto, setTimer: () => () => {}, now: () => new Date() } as never,
    messenger: { send: never, stream: never, typing: never, refresh: never } as never,
    self: { kind: 'human', id: 'ada', device_id: 'desk' },
    identity: { publicKey: new Uint8Array(32), privateKey: new Uint8Array(32) },
    agentOf: () => ({ agentId: 'agent', name: 'Bot' }),
    onUnkept: () => {},
    onProblem: never,
    ...deps,
  });
}

const card = (seq: number, revision: number, change: object = {}): Incoming => ({
  ...incoming(seq, ''),
  contentType: 'artifact',
  msgSubtype: 'artifact',
  createdAt: `2026-01-01T00:00:${String(seq).padStart(2, '0')}.000Z`,
  payload: {
    type: 'artifact',
    artifact: {
      artifact_id: 'a/\ud800',
      subtype: 'form',
      revision,
      blocks: [
        { tag: 'input', id: 'dish' },
        { tag: 'input', id: 'pin', secret: true },
      ],
      ...change,
    },
  } as Incoming['payload'],
});

describe('WC-24, WC-26 cards', () => {
  const withCard = async () => {
    const store = createMemoryStore();
    await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
    return store;
  };
  const shown = (conversations: Awaited<ReturnType<typeof load>>) =>
    conversations
      .timeline(ID)
      .getSnapshot()
      .messages.find(({ own }) => !own);

  it('WC-26 the last twenty revisions are kept, whatever the agent calls the card, and erased with the history', async () => {
    const store = await withCard();
    const erased: string[] = [];
    const conversations = await load(store, { onErase: (id: string) => void erased.push(id) });
    for (let revision = 1; revision <= 23; revision++) await conversations.receive(card(revision, revision));
    const kept = await conversations.cardRevisions(ID, { sender: { id: 'agent' }, artifactId: 'a/\ud800' });
    expect(kept.map((one) => one.card.revision)).toEqual(Array.from({ length: 20 }, (_, n) => n + 3));
    expect(kept[0]?.createdAt).toBe('2026-01-01T00:00:03.000Z');
    expect(await conversations.cardRevisions(ID, { sender: { id: 'agent' }, artifactId: 'a' })).toEqual([]);
    await conversations.eraseHistory(ID);
    expect(await conversations.cardRevisions(ID, { sender: { id: 'agent' }, artifactId: 'a/\ud800' })).toEqual([]);
    expect([erased, await store.list('client/card-revision/')]).toEqual([[ID], []]);
  });

  it('WC-26 attack: what is no later revision of the same card by the same agent is not kept', async () => {
    const conversations = await load(await withCard());
    await conversations.receive(card(1, 2));
    await conversations.receive(card(2, 1));
    await conversations.receive(card(3, 3, { subtype: 'status' }));
    await conversations.receive({ ...card(4, 3), sender: { kind: 'agent', id: 'other' } });
    expect(await conversations.cardRevisions(ID, { sender: { id: 'agent' }, artifactId: 'a/\ud800' })).toEqual([]);
  });

  it('WC-23, WC-26 attack: the revisions of another agent’s card with the same id are no revisions of this one', async () => {
    const conversations = await load(await withCard());
    const byOther = { kind: 'agent', id: 'other' } as const;
    await conversations.receive(card(1, 1));
    await conversations.receive(card(2, 2, { title: 'Pay 1 €' }));
    for (let revision = 1; revision <= 25; revision++)
      await conversations.receive({ ...card(revision + 2, revision, { title: 'Pay 1,000 €' }), sender: byOther });
    await conversations.receive(card(28, 3, { title: 'Pay 2 €' }));
    const titles = async (id: string) => {
      const revisions = await conversations.cardRevisions(ID, { sender: { id }, artifactId: 'a/\ud800' });
      return revisions.map((one) => one.card.title);
    };
    expect(await titles('agent')).toEqual([undefined, 'Pay 1 €']);
    expect(await titles('other')).toEqual(Array.from({ length: 20 }, () => 'Pay 1,000 €'));
  });

  it('WC-24 a second answer is one; the card remembers what was said last, but no secret', async () => {
    const sent: unknown[] = [];
    const send = async ({ payload }: { payload: { artifact: object } }) => {
      sent.push(payload.artifact);
      return { seq: sent.length + 10, messageId: `answer-${sent.length}` };
    };
    const messenger = { send, refresh: () => expect.unreachable() };
    const platform = {
      setTimer: () => () => {},
      now: () => new Date(Date.UTC(2026, 1, 1 + sent.length)),
      crypto: { randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) },
    };
    const conversations = await load(await withCard(), { messenger, platform });
    const timeline = conversations.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    await conversations.receive(card(1, 1));
    for (const dish of ['rice', 'soup'])
      await conversations.answerCard(ID, 'a/\ud800', { action: 'submit', values: { dish, pin: '4711' } });
    expect(sent).toMatchObject([{ values: { dish: 'rice', pin: '4711' } }, { values: { dish: 'soup', pin: '4711' } }]);
    expect(shown(conversations)?.answer).toMatchObject({ action: 'submit', values: { dish: 'soup' }, times: 2 });
    expect(JSON.stringify(timeline.getSnapshot())).not.toContain('4711');
  });

  it('WC-24 a card that changes while its answer is on its way keeps the change', async () => {
    const conversations: Awaited<ReturnType<typeof load>> = await load(await withCard(), {
      messenger: {
        send: async () => {
          await conversations.receive(card(2, 2, { title: 'Changed' }));
          return { seq: 3, messageId: 'answer' };
        },
      },
      platform: {
        setTimer: () => () => {},
        now: () => new Date(),
        crypto: { randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) },
      },
    });
    const timeline = conversations.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    await conversations.receive(card(1, 1));
    await conversations.answerCard(ID, 'a/\ud800', { action: 'submit', values: { dish: 'rice' } });
    expect(shown(conversations)).toMatchObject({
      answer: { values: { dish: 'rice' } },
      payload: { artifact: { title: 'Changed', revision: 2 } },
    });
  });
});

describe('WC-23 secrets of a card are not kept', () => {
  const FORM = 'a/\ud800';
  const answerFrom = (seq: number, device: string): Incoming => ({
    ...withPayload(seq, {
      type: 'artifact',
      artifact: { artifact_id: FORM, subtype: 'form', action: 'submit', values: { dish: 'rice', pin: '4711' } },
    }),
    sender: { kind: 'human', id: 'ada', device_id: device },
  });
  const OPEN = { blocks: [{ tag: 'input', id: 'dish' }] };
  async function open(send: (sending: { payload: { artifact: { values?: object } } }) => Promise<object>) {
    const store = createMemoryStore();
    await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
    const conversations = await load(store, { messenger: { send } });
    const timeline = conversations.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    const disk = async () => JSON.stringify(await store.list(''));
    return { conversations, disk, messages: () => timeline.getSnapshot().messages };
  }
  const never = () => expect.unreachable();
  const ANSWER = { action: 'submit', values: { dish: 'rice', pin: '4711' } };

  it('WC-23 attack: the agent drops the secret field, or its mark, while the answer is on its way', async () => {
    for (const change of [OPEN, { blocks: [...OPEN.blocks, { tag: 'input', id: 'pin' }] }]) {
      const { conversations, disk } = await open(async () => {
        await conversations.receive(card(2, 2, change));
        return { seq: 3, messageId: 'answer' };
      });
      await conversations.receive(card(1, 1));
      await conversations.answerCard(ID, FORM, ANSWER);
      expect(await disk()).toContain('rice');
      expect(await disk()).not.toContain('4711');
    }
  });

  it('WC-23 nor those in the answer of another device of one’s own, to this revision, an earlier one or an unknown card', async () => {
    const { conversations, disk, messages } = await open(never);
    await conversations.receive(answerFrom(1, 'phone'));
    expect(await disk()).not.toContain('rice');
    await conversations.receive(card(2, 1));
    await conversations.receive(answerFrom(3, 'phone'));
    expect(messages().find(({ seq }) => seq === 2)?.answer?.values).toEqual({ dish: 'rice' });
    await conversations.receive(card(4, 2, { blocks: [...OPEN.blocks, { tag: 'input', id: 'pin' }] }));
    await conversations.receive({ ...answerFrom(5, 'phone'), clientMessageId: 'again' });
    expect(await disk()).not.toContain('4711');
  });

  it('WC-23 what was answered in a field is forgotten on the card when the field becomes secret', async () => {
    const { conversations, messages } = await open(async () => ({ seq: 2, messageId: 'answer' }));
    await conversations.receive(card(1, 1, OPEN));
    await conversations.answerCard(ID, FORM, { action: 'submit', values: { dish: 'rice' } });
    await conversations.receive(card(3, 2, { blocks: [{ tag: 'input', id: 'dish', secret: true }] }));
    expect(messages()[0]?.answer?.values).toEqual({});
  });

  it('WC-23 attack: in a group another agent gives its card the same id; the answer is noted on the one it is to', async () => {
    const { conversations, disk, messages } = await open(async () => ({ seq: 3, messageId: 'answer' }));
    const other = { kind: 'agent', id: 'other' } as const;
    await conversations.receive(card(1, 1));
    await conversations.receive({
      ...card(2, 1, { blocks: [...OPEN.blocks, { tag: 'input', id: 'pin' }] }),
      sender: other,
    });
    await conversations.answerCard(ID, FORM, { ...ANSWER, sender: { kind: 'agent', id: 'agent' } });
    expect(messages().map(({ answer }) => answer?.values)).toEqual([{ dish: 'rice' }, undefined, undefined]);
    // An answer does not say whose card it is to.
    await conversations.receive(answerFrom(4, 'phone'));
    expect(messages()[1]?.answer).toBeUndefined();
    expect(await disk()).not.toContain('4711');
  });

  it('WC-23 a failed answer with a secret is not sent again without it; one without is', async () => {
    const sent: unknown[] = [];
    const { conversations, messages } = await open(async ({ payload }) => {
      sent.push(payload.artifact.values);
      if (sent.length !== 3) throw new Error('offline');
      return { seq: 9, messageId: 'answer' };
    });
    const failed = () => messages().find(({ state }) => state === 'failed')!;
    await conversations.receive(card(1, 1));
    await expect(conversations.answerCard(ID, FORM, ANSWER)).rejects.toThrow('offline');
    expect(failed()).toMatchObject({ hadSecret: true, answerTo: { kind: 'agent', id: 'agent' } });
    const again = conversations.retry(ID, failed().clientMessageId);
    await expect(again).rejects.toMatchObject({ code: 'SECRET_NOT_KEPT' });
    await conversations.eraseMessage(failed());
    await expect(conversations.answerCard(ID, FORM, { action: 'submit', values: { dish: 'rice' } })).rejects.toThrow();
    await conversations.retry(ID, failed().clientMessageId);
    expect(sent).toEqual([ANSWER.values, { dish: 'rice' }, { dish: 'rice' }]);
  });
});

describe('WC-1, WC-23 what was on its way when the program ended', () => {
  const PIN = { action: 'submit', values: { dish: 'rice', pin: '4711' } };
  const ack = { seq: 9, messageId: 'm', clientMessageId: 'c' };

  /** The device is closed while `begin` waits for the server, and starts again. */
  async function restart(
    begin: (conversations: Awaited<ReturnType<typeof load>>) => Promise<unknown>,
    messenger: object = { outcome: () => undefined },
  ) {
    const store = createMemoryStore();
    await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
    const closed = createErrorFactory({ CLOSED: { retry: false, text: { en: '', 'zh-CN': '' } } })('CLOSED');
    const before = await load(store, { messenger: { send: () => Promise.reject(closed) } });
    await before.receive(card(1, 1));
    await expect(begin(before)).rejects.toBe(closed);
    const sent: unknown[] = [];
    const send = async ({ payload }: { payload: unknown }) => {
      sent.push(payload);
      return ack;
    };
    const after = await load(store, { messenger: { send, ...messenger } });
    const timeline = after.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    await after.resume();
    const messages = () => timeline.getSnapshot().messages;
    const settled = () => messages().find(({ own, state }) => own && state !== 'sending');
    await until(() => settled() !== undefined);
    return { sent, own: settled, card: () => messages().find(({ own }) => !own) };
  }
  const answer = (values: object) => (conversations: Awaited<ReturnType<typeof load>>) =>
    conversations.answerCard(ID, 'a/\ud800', { action: 'submit', values } as never);

  it('WC-1 a text is sent, and was never said to have failed', async () => {
    const { sent, own } = await restart((conversations) => conversations.sendText(ID, 'hello'));
    expect([sent, own()?.state]).toEqual([[{ type: 'text', text: 'hello' }], 'sent']);
  });

  it('WC-23 an answer without a secret is sent, and noted on its card', async () => {
    const { sent, own, card } = await restart(answer({ dish: 'rice' }));
    expect([sent.length, own()?.state]).toEqual([1, 'sent']);
    await until(() => card()?.answer !== undefined);
    expect(card()?.answer?.values).toEqual({ dish: 'rice' });
  });

  it('WC-23 one with a secret that was sealed arrives as it was, and is not said to have failed', async () => {
    const { sent, own, card } = await restart(answer(PIN.values), { outcome: async () => ack });
    expect([sent.length, own()?.state]).toEqual([0, 'sent']);
    await until(() => card()?.answer !== undefined);
    expect(card()?.answer).toMatchObject({ action: 'submit', values: { dish: 'rice' } });
  });

  it('WC-23 a program that ends at any write leaves no answer that was sent beside a card that does not know of it', async () => {
    for (let writes = 0; ; writes++) {
      const store = createMemoryStore();
      await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
      let left = Infinity;
      const write: Store['write'] = (batch) =>
        left-- > 0 ? store.write(batch) : Promise.reject(new Error('the program has ended'));
      const messenger = { send: async () => ack, outcome: async () => ack };
      const before = await load({ ...store, write }, { messenger, onProblem: () => {} });
      await before.receive(card(1, 1));
      left = writes;
      const hasEnded = await answer({ dish: 'rice' })(before).then(
        () => false,
        () => true,
      );
      const after = await load(store, { messenger });
      await after.resume();
      const timeline = after.timeline(ID);
      await until(() => timeline.getSnapshot().loaded);
      const { messages } = timeline.getSnapshot();
      const sent = messages.find(({ own, state }) => own && state === 'sent');
      const noted = messages.find(({ own }) => !own)?.answer;
      if (sent !== undefined) expect([writes, noted]).toMatchObject([writes, { values: { dish: 'rice' }, times: 1 }]);
      if (!hasEnded) return expect([sent?.state, noted?.times]).toEqual(['sent', 1]);
    }
  });

  it('WC-23 one with a secret that was not sealed is never sent without it', async () => {
    const { sent, own, card } = await restart(answer(PIN.values));
    expect([sent.length, own()?.state, card()?.answer]).toEqual([0, 'failed', undefined]);
  });
});

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

describe('WC-1 a message that cannot be kept', () => {
  it('WC-1 WC-2 is given back, because the disk is full or another tab has the store', async () => {
    const store = createMemoryStore();
    await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
    const unkept: string[][] = [];
    const full: Store = { ...store, write: () => Promise.reject(new Error('STORE_FULL')) };
    const conversations = await load(full, { onUnkept: (...given: string[]) => unkept.push(given) });
    await expect(conversations.sendText(ID, 'Hello')).rejects.toThrow('STORE_FULL');
    expect(unkept).toEqual([[ID, 'Hello']]);
    expect(conversations.timeline(ID).getSnapshot().messages).toEqual([]);
  });
});

describe('WC-37 a message that was deleted on this device', () => {
  async function open(store = createMemoryStore()) {
    await store.write(new Map([[`client/conversation/${ID}`, JSON.stringify(SUMMARY)]]));
    const conversations = await load(store);
    const timeline = conversations.timeline(ID);
    await until(() => timeline.getSnapshot().loaded);
    return { store, conversations, messages: () => timeline.getSnapshot().messages };
  }

  it('is gone from the conversation, the disk and the search, and does not come back when it is delivered again', async () => {
    const { store, conversations, messages } = await open();
    await conversations.receive(incoming(1, 'hello'));
    await conversations.receive(incoming(2, 'stays'));
    await conversations.eraseMessage(messages()[0]!);
    await conversations.receive(incoming(1, 'hello'));
    const again = await open(store);
    await again.conversations.receive(incoming(1, 'hello'));
    await again.conversations.receive({ ...incoming(1, 'hello'), seq: 3 });
    expect(await again.conversations.search('hello')).toEqual([]);
    expect(messages().map(({ seq }) => seq)).toEqual([2]);
    expect(again.messages().map(({ seq }) => seq)).toEqual([2]);
    expect(JSON.stringify(await store.list(''))).not.toContain('hello');
  });

  it('a card does not come back with its next revision; another sender with the same name is another', async () => {
    const { conversations, messages } = await open();
    const card = { artifact_id: 'card', subtype: 'status' as const, blocks: [] };
    await conversations.receive(withPayload(1, { type: 'artifact', artifact: card }));
    await conversations.eraseMessage(messages()[0]!);
    await conversations.receive(withPayload(2, { type: 'artifact', artifact: { ...card, revision: 2 } }));
    expect(messages()).toEqual([]);
    await conversations.receive({
      ...withPayload(3, { type: 'artifact', artifact: card }),
      sender: { kind: 'agent', id: 'other' },
    });
    expect(messages().map(({ seq }) => seq)).toEqual([3]);
  });

  it('one that is on its way, and a call that is open, cannot be deleted', async () => {
    const { conversations, messages } = await open();
    await conversations.receive(incoming(1, 'hello'));
    const [message] = messages();
    await expect(conversations.eraseMessage({ ...message!, state: 'sending' })).rejects.toThrow();
    await expect(conversations.eraseMessage({ ...message!, call: { state: 'running' } })).rejects.toThrow();
    expect(messages()).toHaveLength(1);
  });

  it('CG-11 of a call what it is known by is kept, and nothing else', async () => {
    const store = createMemoryStore();
    const record = {
      ...{ callId: 'c', conversationId: ID, conversationKind: 'h2a', agentId: 'agent', toolName: 'read_file' },
      ...{ arguments: { path: '/secret' }, argumentsDigest: 'digest', permissionScope: 'filesystem:read' },
      ...{ timeoutMs: 5_000, expiresAt: 0, messageId: 'm', seq: 1, createdAt: '2026-01-01T00:00:00.000Z' },
      ...{ isForUsAlone: true, state: 'answered', sent: true },
      response: { subtype: 'tool_response', call_id: 'c', status: 'ok', result: 'a secret' },
    } as CallRecord;
    await writeRecord(store, record);
    const { conversations, messages } = await open(store);
    await conversations.eraseMessage(messages()[0]!);
    expect(messages()).toEqual([]);
    expect((await open(store)).messages()).toEqual([]);
    expect(JSON.stringify(await store.list(''))).not.toContain('secret');
    expect(await listRecords(store)).toMatchObject([{ callId: 'c', argumentsDigest: 'digest', erased: true }]);
  });
});
