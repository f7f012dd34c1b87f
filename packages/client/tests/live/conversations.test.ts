import type { Card } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cardOf } from '../../src/conversations/cards.ts';
import { addAgent, type Bot, createDisk, Hands, type Person, waitUntil } from './rig.ts';
import { World } from './world.ts';

let world: World;
let person: Person;
let bot: Bot;
let conversationId: string;

beforeAll(async () => {
  world = await World.start();
  person = await world.person();
});
afterAll(() => world?.end());
beforeEach(async () => {
  bot = await world.bot();
  ({ conversationId } = await addAgent(person.device, bot.agentId));
});

const timeline = () => person.device.conversations.timeline(conversationId);
const shows = (count: number) => waitUntil(timeline(), ({ messages }) => messages.length === count);
const received = (count: number) => until(() => expect(bot.received.length).toBeGreaterThanOrEqual(count));
const card = (change: Partial<Card> = {}): { type: 'artifact'; artifact: Card } => ({
  type: 'artifact',
  artifact: {
    artifact_id: 'order',
    subtype: 'form',
    title: 'Order',
    blocks: [
      { tag: 'input', id: 'pin', secret: true },
      { tag: 'input', id: 'name' },
      { tag: 'action', id: 'buy', label: 'Buy' },
    ],
    ...change,
  },
});

describe('TC-9 messages', () => {
  it('TC-9 text goes both ways, with its states and unread counts', async () => {
    const sent = await person.device.conversations.sendText(conversationId, 'hello');
    expect(sent).toMatchObject({ state: 'sent', own: true, seq: 1, payload: { type: 'text', text: 'hello' } });
    await received(1);
    await bot.send(conversationId, { type: 'text', text: 'hi there' });
    const { messages } = await shows(2);
    expect(messages.map(({ state, own }) => [state, own])).toEqual([
      ['sent', true],
      ['received', false],
    ]);
    const find = () =>
      person.device.conversations.list.getSnapshot().find((one) => one.conversationId === conversationId);
    await waitUntil(person.device.conversations.list, () => find()?.unread === 1);
    expect(find()).toMatchObject({ title: 'Bot', agentId: bot.agentId, kind: 'h2a' });
    await person.device.conversations.markRead(conversationId);
    expect(find()).toMatchObject({ unread: 0, readSeq: 2 });
  });

  it('TC-9 attachments travel inside the message', async () => {
    const file = { type: 'file', name: 'a.txt', mime_type: 'text/plain', data: 'aGk=' } as const;
    await person.device.conversations.sendAttachment(conversationId, file);
    await received(1);
    expect(bot.received[0]!.payload).toEqual(file);
  });

  it('TC-9 text that is being written appears at once, and its message takes its place', async () => {
    const view = timeline();
    const stream = await bot.messenger.stream(conversationId);
    await stream.write('Once ');
    await waitUntil(view, ({ streams }) => streams[0]?.text === 'Once ');
    await stream.write('upon a time');
    await waitUntil(view, ({ streams }) => streams[0]?.text === 'Once upon a time');
    await stream.done();
    const { messages } = await waitUntil(view, (now) => now.messages.length === 1 && now.streams.length === 0);
    expect(messages[0]!.payload).toEqual({ type: 'text', text: 'Once upon a time' });
  });

  it('TR-1 who types is shown, and not for ever', async () => {
    const view = timeline();
    bot.messenger.typing(conversationId);
    await waitUntil(view, ({ typing }) => typing.length === 1);
    person.hands.advance(6_000);
    expect(view.getSnapshot().typing).toEqual([]);
  });

  it('TR-3 a message that failed can be sent again, and is then one message', async () => {
    const lonely = await world.bot();
    const relation = await addAgent(person.device, lonely.agentId);
    await person.device.relations.end(relation.relationId);
    const view = person.device.conversations.timeline(relation.conversationId);
    await expect(person.device.conversations.sendText(relation.conversationId, 'hello?')).rejects.toMatchObject({
      code: expect.stringMatching(/./),
    });
    const { messages } = await waitUntil(view, ({ messages }) => messages[0]?.state === 'failed');
    await expect(
      person.device.conversations.retry(relation.conversationId, messages[0]!.clientMessageId),
    ).rejects.toMatchObject({ code: expect.stringMatching(/./) });
    expect(view.getSnapshot().messages).toHaveLength(1);
    await expect(person.device.conversations.retry(conversationId, 'nothing')).rejects.toMatchObject({
      code: 'UNKNOWN_MESSAGE',
    });
  });

  it('TR-3 what is written without a line is sent when there is one', async () => {
    await person.device.conversations.sendText(conversationId, 'first');
    person.hands.cut();
    await waitUntil(person.device.connection, (status) => status !== 'online');
    const sending = person.device.conversations.sendText(conversationId, 'second');
    await waitUntil(timeline(), ({ messages }) => messages.at(-1)?.state === 'sending');
    expect(await sending).toMatchObject({ state: 'sent', seq: 2 });
    await received(2);
  });

  it('TC-9 search looks through what is kept here', async () => {
    const word = `marmalade${Math.random()}`;
    await person.device.conversations.sendText(conversationId, `I like ${word.toUpperCase()}`);
    const found = await person.device.conversations.search(word);
    expect(found).toMatchObject([{ conversationId, own: true }]);
    expect(await person.device.conversations.search('  ')).toEqual([]);
    await person.device.conversations.eraseHistory(conversationId);
    expect(await person.device.conversations.search(word)).toEqual([]);
    expect(timeline().getSnapshot().messages).toEqual([]);
  });
});

describe('TC-10 cards', () => {
  it('TC-10 an update with a higher revision replaces the card where it is', async () => {
    timeline();
    await bot.send(conversationId, card());
    await bot.send(conversationId, { type: 'text', text: 'after it' });
    await bot.send(conversationId, card({ title: 'Ordered', revision: 2 }));
    const { messages } = await waitUntil(timeline(), ({ messages: [first] }) =>
      first === undefined ? false : cardOf(first.payload)?.title === 'Ordered',
    );
    expect(messages).toHaveLength(2);
  });

  it('TC-1 change the kind of a card, or go back: nothing happens', async () => {
    timeline();
    await bot.send(conversationId, card());
    await bot.send(conversationId, card({ title: 'Ordered', revision: 3 }));
    await bot.send(conversationId, card({ title: 'Older', revision: 2 }));
    await bot.send(conversationId, card({ title: 'Approve!', subtype: 'approval', revision: 4 }));
    await bot.send(conversationId, { type: 'text', text: 'the end' });
    const { messages } = await shows(2);
    expect(cardOf(messages[0]!.payload)).toMatchObject({ title: 'Ordered', subtype: 'form', revision: 3 });
  });

  it('TC-10 an answer reaches the agent whole, and what was secret in it is not kept', async () => {
    const disk = createDisk();
    const hands = new Hands();
    const other = await world.person({ store: disk.open(), hands });
    const relation = await addAgent(other.device, bot.agentId);
    const { conversations } = other.device;
    await bot.send(relation.conversationId, card());
    await waitUntil(conversations.timeline(relation.conversationId), ({ messages }) => messages.length === 1);
    const values = { pin: 'open sesame', name: 'Ada' };
    await conversations.answerCard(relation.conversationId, 'order', { action: 'buy', values });
    await received(1);
    expect(bot.received[0]!.payload).toMatchObject({ artifact: { artifact_id: 'order', action: 'buy', values } });
    expect([...disk.entries.values()].join()).not.toContain('open sesame');
    const { messages } = conversations.timeline(relation.conversationId).getSnapshot();
    expect(messages[0]).toMatchObject({ answer: { action: 'buy' } });
    await expect(conversations.answerCard(relation.conversationId, 'nothing', { action: 'buy' })).rejects.toMatchObject(
      {
        code: 'CARD_GONE',
      },
    );
  });
});

describe('EE-12 people and groups', () => {
  it('EE-12 people write to each other, alone and in a group', async () => {
    const friend = await world.person();
    const chat = await person.device.conversations.startWithPerson(friend.device.accountId);
    const there = friend.device.conversations.timeline(chat);
    await person.device.conversations.sendText(chat, 'hello friend');
    await waitUntil(there, ({ messages }) => messages.length === 1);
    const members = [{ kind: 'human', id: friend.device.accountId }] as const;
    const group = await person.device.conversations.startGroup('Friends', members);
    await person.device.conversations.sendText(group, 'hello all');
    const { messages } = await waitUntil(
      friend.device.conversations.timeline(group),
      (now) => now.messages.length === 1,
    );
    expect(messages[0]).toMatchObject({ own: false, payload: { text: 'hello all' } });
    await waitUntil(friend.device.conversations.list, (list) => list.some(({ title }) => title === 'Friends'));
    const third = await world.person();
    await person.device.conversations.addMember(group, { kind: 'human', id: third.device.accountId });
    await person.device.conversations.sendText(group, 'welcome');
    await waitUntil(third.device.conversations.timeline(group), (now) => now.messages.length === 1);
    await person.device.conversations.removeMember(group, friend.device.accountId);
    expect((await person.device.conversations.detail(group)).members.map(({ id }) => id)).not.toContain(
      friend.device.accountId,
    );
  });
});
