import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, signUpWithDevice } from './harness/accounts.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect } from './harness/socket.ts';
import { addBot, addDevice, addTalker, type Bot, relate, type Speaker, seal, type Talker } from './harness/talk.ts';

let server: TestServer;
let laptop: Talker;
let phone: Talker;
let eve: Talker;
let bot: Bot;
beforeAll(async () => {
  server = await startTestServer();
  laptop = await addTalker(server);
  phone = await addDevice(server, laptop.id);
  eve = await addTalker(server);
  bot = await addBot(server, laptop);
  await relate(server, laptop, bot);
});
afterAll(() => server.drop());

const call = (who: Speaker, method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });
const system = { content_type: 'system', msg_subtype: 'system' } as const;
const tell = (who: Speaker, id: string, header: object = system) =>
  call(who, 'POST', `/conversations/${id}/messages`, seal(who, id, header));

describe('EE-23 the conversation of an account’s own devices', () => {
  it('EE-23 takes a message of one device, numbers it, and gives it to the others', async () => {
    const line = await connect(server, phone);
    const sent = await tell(laptop, laptop.id);
    expect(sent.status).toBe(200);
    const pushed = await line.next('message.new');
    expect(pushed).toMatchObject({ conversation_id: laptop.id, conversation_seq: sent.body.conversation_seq });
    await line.end();
    const listed = await call(phone, 'GET', `/conversations/${laptop.id}/messages`);
    expect(listed.body.messages).toHaveLength(sent.body.conversation_seq);
    const seen = await call(phone, 'POST', `/conversations/${laptop.id}/acks`, { seq: sent.body.conversation_seq });
    expect(seen.status).toBe(204);
  });

  it('EE-23 attack: another account or an agent writes into it, or reads it', async () => {
    for (const stranger of [eve, bot]) {
      expect((await tell(stranger, laptop.id)).body.error.code).toBe('NOT_FOUND');
      expect((await call(stranger, 'GET', `/conversations/${laptop.id}/messages`)).status).toBe(404);
      expect((await call(stranger, 'POST', `/conversations/${laptop.id}/acks`, { seq: 1 })).status).toBe(404);
    }
  });

  it('EE-23 attack: someone is let into it, or takes its id for a conversation of their own', async () => {
    const path = `/conversations/${laptop.id}`;
    const member = { kind: 'human', id: eve.id };
    expect((await call(laptop, 'POST', `${path}/members`, member)).status).toBe(404);
    expect((await call(eve, 'POST', `${path}/members`, member)).status).toBe(404);
    const body = { agent_id: bot.id, granted_scopes: [], relation_id: randomUUID(), conversation_id: laptop.id };
    expect((await call(eve, 'POST', '/h2a/relations', body)).status).toBeGreaterThanOrEqual(400);
    expect((await tell(eve, laptop.id)).status).toBe(404);
  });

  it('EE-23 is no chat: not listed, not shown, not typed into, and for nothing but system messages', async () => {
    const listed = await call(laptop, 'GET', '/conversations');
    const ids = listed.body.conversations.map((one: { conversation_id: string }) => one.conversation_id);
    expect(ids).not.toContain(laptop.id);
    expect(ids).toHaveLength(1);
    for (const path of ['', '/group']) {
      expect((await call(laptop, 'GET', `/conversations/${laptop.id}${path}`)).status).toBe(404);
    }
    expect((await call(laptop, 'DELETE', `/conversations/${laptop.id}/members/${laptop.id}`)).status).toBe(404);
    const text = await tell(laptop, laptop.id, { content_type: 'text', msg_subtype: 'text' });
    expect(text.body.error.code).toBe('MESSAGE_LABEL_INVALID');
    const line = await connect(server, laptop);
    line.send({ type: 'typing', conversation_id: laptop.id });
    expect(await line.next('error')).toMatchObject({ code: 'NOT_FOUND' });
    await line.end();
  });

  it('EE-23 comes with the account and goes with it', async () => {
    const ada = await signUpWithDevice(server);
    const rows = async (table: string, column: string) =>
      (await server.platform.storage.pool.query(`select 1 from ${table} where ${column} = $1`, [ada.id])).rowCount;
    expect(await rows('conversations', 'id')).toBe(1);
    await server.platform.storage.pool.query(
      `insert into messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id, content_type,
        msg_subtype, envelope_hash, created_at, received_at)
        values ($1, 1, gen_random_uuid(), 'one', 'human', $1, 'system', 'system', '', now(), now())`,
      [ada.id],
    );
    const body = { account_password: PASSWORD };
    expect((await server.call('DELETE', '/auth/account', { token: ada.token, body })).status).toBe(204);
    expect(await rows('conversations', 'id')).toBe(0);
    expect(await rows('messages', 'conversation_id')).toBe(0);
  });
});
