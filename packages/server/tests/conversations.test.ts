import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { befriend } from './harness/contacts.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect } from './harness/socket.ts';
import {
  addBot,
  addDevice,
  addTalker,
  type Bot,
  relate,
  type Speaker,
  seal,
  sealToolCall,
  type Talker,
} from './harness/talk.ts';

let server: TestServer;
let ann: Talker;
let bob: Talker;
let eve: Talker;
let bot: Bot;
beforeAll(async () => {
  server = await startTestServer();
  ann = await addTalker(server);
  bob = await addTalker(server);
  eve = await addTalker(server);
  await befriend(server, ann.id, bob.id, eve.id);
  bot = await addBot(server, ann);
});
afterAll(() => server.drop());

const call = (who: Speaker, method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });
const start = async (who: Talker, body: object) =>
  (await call(who, 'POST', '/conversations', body)).body.conversation_id;
/** An agent that ann has added, with their conversation. */
const withBot = async () => {
  const agent = await addBot(server, ann);
  return { bot: agent, id: await relate(server, ann, agent) };
};
const human = ({ id }: Speaker) => ({ kind: 'human', id });
const say = async (who: Speaker, id: string, envelope = seal(who, id)) => {
  const reply = await call(who, 'POST', `/conversations/${id}/messages`, envelope);
  expect(reply.status).toBe(200);
  return reply.body;
};

describe('TC-9 conversations', () => {
  it('TC-9 two people have one conversation, whoever begins, also at the same time', async () => {
    const [carl, dora] = [await addTalker(server), await addTalker(server)];
    await befriend(server, carl.id, dora.id);
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2
          ? start(carl, { kind: 'h2h', members: [human(dora)] })
          : start(dora, { kind: 'h2h', members: [human(carl)] }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toEqual(expect.any(String));
  });

  it('TC-9 the list shows what is new, and reading it settles that', async () => {
    const id = await start(ann, { kind: 'h2h', members: [human(bob)] });
    await say(ann, id);
    await say(ann, id);
    await say(bob, id);
    const find = async (who: Talker) => {
      const { body } = await call(who, 'GET', '/conversations');
      return body.conversations.find((one: { conversation_id: string }) => one.conversation_id === id);
    };
    expect(await find(bob)).toMatchObject({ kind: 'h2h', title: 'Someone', last_seq: 3, read_seq: 0, unread: 2 });
    const { members } = (await call(bob, 'GET', `/conversations/${id}`)).body;
    expect(members).toContainEqual({ kind: 'human', id: ann.id, role: 'member', name: 'Someone' });
    expect((await call(bob, 'POST', `/conversations/${id}/read`, { seq: 2 })).status).toBe(204);
    expect(await find(bob)).toMatchObject({ read_seq: 2, unread: 0 });
    await call(bob, 'POST', `/conversations/${id}/read`, { seq: 1 });
    await call(bob, 'POST', `/conversations/${id}/read`, { seq: 99 });
    expect(await find(bob)).toMatchObject({ read_seq: 3 });
    expect(await find(ann)).toMatchObject({ unread: 1 });
  });

  it('TC-9 the list has pages', async () => {
    const paul = await addTalker(server);
    for (let n = 0; n < 5; n++) await start(paul, { kind: 'group', title: `Group ${n}`, members: [] });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await call(paul, 'GET', `/conversations?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.conversations.map(({ title }: { title: string }) => title));
      cursor = body.next_cursor;
    } while (cursor);
    expect(seen).toEqual(['Group 4', 'Group 3', 'Group 2', 'Group 1', 'Group 0']);
  });

  it('TC-9 messages are read by number, by members only', async () => {
    const { bot, id } = await withBot();
    const envelopes = [seal(bot, id), seal(ann, id), seal(bot, id)];
    for (const envelope of envelopes) await say(envelope.header.sender.kind === 'agent' ? bot : ann, id, envelope);
    const { body } = await call(bot, 'GET', `/conversations/${id}/messages?after=1&limit=1`);
    expect(body).toMatchObject({ last_seq: 3, messages: [{ conversation_seq: 2, envelope: envelopes[1] }] });
    const other = await addBot(server, eve);
    for (const stranger of [eve, other]) {
      expect((await call(stranger, 'GET', `/conversations/${id}/messages`)).status).toBe(404);
      expect((await call(stranger, 'GET', `/conversations/${id}`)).status).toBe(404);
      expect((await call(stranger, 'POST', `/conversations/${id}/read`, { seq: 1 })).status).toBe(404);
      const reply = await call(stranger, 'POST', `/conversations/${id}/messages`, seal(stranger, id));
      expect(reply.status).toBe(404);
    }
  });

  it('TC-9 a body larger than an envelope may be, or of another shape, is refused', async () => {
    const { bot, id } = await withBot();
    const path = `/conversations/${id}/messages`;
    const large = { ...seal(bot, id), ciphertext: 'A'.repeat(600_000) };
    expect((await call(bot, 'POST', path, large)).status).toBe(413);
    const { signature: _, ...unsigned } = seal(bot, id);
    expect((await call(bot, 'POST', path, unsigned)).status).toBe(400);
    expect((await call(bot, 'POST', path, { ...seal(bot, id), plaintext: 'hello' })).status).toBe(400);
    expect((await call(bot, 'POST', path, seal(bot, id, { content_type: 'telepathy' as never }))).status).toBe(400);
  });
});

describe('EE-12 groups', () => {
  const group = (members: Talker[]) => start(ann, { kind: 'group', title: 'Team', members: members.map(human) });
  const add = (who: Speaker, id: string, member: object) => call(who, 'POST', `/conversations/${id}/members`, member);
  const remove = (who: Speaker, id: string, member: Speaker) =>
    call(who, 'DELETE', `/conversations/${id}/members/${member.id}`);

  it('EE-12 whoever joins hears from then on, whoever leaves hears no more, and all are told', async () => {
    const id = await group([bob]);
    await say(ann, id);
    const socket = await connect(server, eve);
    expect((await add(ann, id, human(eve))).status).toBe(200);
    expect(await socket.next('conversation.members_changed')).toMatchObject({
      conversation_id: id,
      added: [{ kind: 'human', id: eve.id, role: 'member' }],
    });
    await say(ann, id);
    expect((await socket.next('message.new')).conversation_seq).toBe(2);
    expect((await call(eve, 'GET', `/conversations/${id}/messages`)).body.messages).toHaveLength(1);
    expect((await remove(ann, id, eve)).status).toBe(204);
    await socket.next((frame) => frame.removed?.[0]?.id === eve.id);
    await say(ann, id);
    expect((await call(eve, 'POST', `/conversations/${id}/messages`, seal(eve, id))).status).toBe(404);
    expect((await call(eve, 'GET', `/conversations/${id}/messages`)).status).toBe(404);
    socket.send({ type: 'ping' });
    await socket.next('pong');
    expect(
      socket.frames.filter(({ type, conversation_id }) => type === 'message.new' && conversation_id === id),
    ).toHaveLength(1);
    await socket.end();
  });

  it('EE-12 owners and admins manage a group, members and strangers do not', async () => {
    const [carl, dora] = [await addTalker(server), await addTalker(server)];
    await befriend(server, ann.id, bob.id, carl.id, dora.id);
    const id = await group([bob, carl]);
    expect((await add(bob, id, human(dora))).status).toBe(403);
    expect((await remove(bob, id, carl)).status).toBe(403);
    expect((await add(eve, id, human(eve))).status).toBe(404);
    expect((await add(ann, id, { ...human(bob), role: 'admin' })).status).toBe(200);
    expect((await add(bob, id, human(dora))).status).toBe(200);
    expect((await add(bob, id, { ...human(carl), role: 'admin' })).status).toBe(403);
    expect((await remove(bob, id, ann)).status).toBe(403);
    expect((await remove(bob, id, carl)).status).toBe(204);
    expect((await add(ann, id, { ...human(carl), role: 'owner' })).status).toBe(400);
  });

  it('EE-12 when the owner leaves, an admin takes over', async () => {
    const id = await group([bob, eve]);
    await add(ann, id, { ...human(eve), role: 'admin' });
    expect((await remove(ann, id, ann)).status).toBe(204);
    const { body } = await call(bob, 'GET', `/conversations/${id}`);
    expect(body.members.find(({ role }: { role: string }) => role === 'owner').id).toBe(eve.id);
  });

  it('EE-12 an agent joins only if its manifest supports groups, and a private one only through its owner', async () => {
    const id = await group([bob]);
    const social = await addBot(server, ann, { groups: true });
    const agent = (one: Bot) => ({ kind: 'agent', id: one.id });
    expect((await add(ann, id, agent(bot))).body.error).toMatchObject({
      code: 'GROUP_NOT_SUPPORTED',
      params: { agent_id: bot.id },
    });
    expect((await add(ann, id, agent(social))).status).toBe(200);
    const secret = await addBot(server, bob, { groups: true });
    await server.platform.db.updateTable('agents').set({ visibility: 'private' }).where('id', '=', secret.id).execute();
    expect((await add(ann, id, agent(secret))).status).toBe(404);
    expect((await add(ann, id, { kind: 'human', id: randomUUID() })).body.error.code).toBe('INVITATION_REQUIRED');
  });

  it('EE-12 nobody joins a conversation of two', async () => {
    const { bot, id } = await withBot();
    expect((await add(ann, id, human(eve))).status).toBe(403);
    expect((await remove(ann, id, bot)).status).toBe(403);
  });
});

describe('CG-11 claims', () => {
  it('CG-11 of many devices one gets the call, the others learn which; it may ask again', async () => {
    const person = await addTalker(server);
    const devices = [person, ...(await Promise.all(Array.from({ length: 7 }, () => addDevice(server, person.id))))];
    const id = await relate(server, person, bot);
    const { message_id } = await say(bot, id, sealToolCall(bot, id));
    const watcher = await connect(server, devices[7]!);
    const claim = (device: Speaker) => call(device, 'POST', `/messages/${message_id}/claim`);
    const replies = await Promise.all(devices.map(claim));
    const won = replies.findIndex(({ status }) => status === 200);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = devices[won]!;
    for (const [index, { status, body }] of replies.entries()) {
      if (index === won) continue;
      expect(status).toBe(409);
      expect(body).toMatchObject({ device_id: winner.deviceId, error: { code: 'ALREADY_CLAIMED' } });
    }
    expect((await claim(winner)).body).toEqual({ message_id, device_id: winner.deviceId });
    expect(await watcher.next('message.claimed')).toMatchObject({ message_id, device_id: winner.deviceId });
    await watcher.end();
  });

  it('CG-11 neither strangers nor agents can claim', async () => {
    const { bot, id } = await withBot();
    const { message_id } = await say(bot, id, sealToolCall(bot, id));
    expect((await call(eve, 'POST', `/messages/${message_id}/claim`)).status).toBe(404);
    expect((await call(bot, 'POST', `/messages/${message_id}/claim`)).status).toBe(403);
    expect((await call(ann, 'POST', `/messages/${randomUUID()}/claim`)).status).toBe(404);
  });
});

describe('TR-4 long polling', () => {
  type Items = {
    messages: { conversation_id: string; conversation_seq: number }[];
    events: { n: number }[];
    cursor: string;
  };
  const poll = async (agent: Bot, { cursor = '', wait = 0 } = {}): Promise<Items> => {
    const reply = await call(agent, 'GET', `/agents/${agent.id}/messages/poll?cursor=${cursor}&wait=${wait}`);
    expect(reply.status).toBe(200);
    return reply.body;
  };

  it('TR-4 what was not handled comes again; the cursor given back moves on, over all conversations and events', async () => {
    const agent = await addBot(server, ann, { mode: 'polling' });
    const ids = [await relate(server, ann, agent), await relate(server, bob, agent)];
    await say(ann, ids[0]!);
    await say(agent, ids[0]!);
    await say(bob, ids[1]!);
    await server.platform.events.send([{ kind: 'agent', id: agent.id }], 'test.event' as never, { n: 1 });
    const first = await poll(agent);
    expect(first.messages.map(({ conversation_id, conversation_seq }) => [conversation_id, conversation_seq])).toEqual([
      [ids[0], 1],
      [ids[1], 1],
    ]);
    expect(first.events).toMatchObject([{ type: 'test.event', n: 1 }]);
    expect((await poll(agent)).messages).toHaveLength(2);
    const second = await poll(agent, { cursor: first.cursor });
    expect(second).toMatchObject({ messages: [], events: [] });
    await say(bob, ids[1]!);
    expect((await poll(agent, { cursor: first.cursor })).messages).toMatchObject([{ conversation_seq: 2 }]);
    expect((await poll(agent, { cursor: second.cursor })).messages).toMatchObject([{ conversation_seq: 2 }]);
  });

  it('TR-4 a poll that waits is answered as soon as there is something', async () => {
    const agent = await addBot(server, ann);
    const id = await relate(server, ann, agent);
    const waiting = poll(agent, { wait: 60 });
    await say(ann, id);
    expect((await waiting).messages).toHaveLength(1);
  });

  it('TR-4 a backlog comes in portions, complete and in order', async () => {
    const agent = await addBot(server, ann);
    const id = await relate(server, ann, agent);
    await Promise.all(Array.from({ length: 230 }, () => say(ann, id)));
    const seen: number[] = [];
    let cursor = '';
    for (;;) {
      const page = await poll(agent, { cursor });
      if (page.messages.length === 0) break;
      seen.push(...page.messages.map(({ conversation_seq }) => conversation_seq));
      cursor = page.cursor;
    }
    expect(seen).toEqual(Array.from({ length: 230 }, (_, n) => n + 1));
  });

  it('TR-4 an agent polls for itself only', async () => {
    const other = await addBot(server, ann);
    for (const who of [ann, other]) {
      expect((await call(who, 'GET', `/agents/${bot.id}/messages/poll`)).status).toBe(403);
    }
  });

  it('TR-4 a forged cursor acknowledges nothing that is not the own', async () => {
    const [agent, other] = [await addBot(server, ann), await addBot(server, ann)];
    const [own, foreign] = [await relate(server, ann, agent), await relate(server, bob, other)];
    await say(ann, own);
    await say(bob, foreign);
    const forge = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    await poll(agent, { cursor: forge([9_000_000, foreign, 1]) });
    expect((await poll(other)).messages).toHaveLength(1);
    await server.platform.events.send([{ kind: 'agent', id: agent.id }], 'test.event' as never, { n: 1 });
    expect((await poll(agent)).events).toHaveLength(1);
    for (const cursor of ['garbage', forge({}), forge([0, 'x', 1]), forge([0, own, -1]), forge([0, own])]) {
      expect((await call(agent, 'GET', `/agents/${agent.id}/messages/poll?cursor=${cursor}`)).status).toBe(400);
    }
  });
});
