import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRelay, type Relay } from '../src/conversations/relay.ts';
import { deleteOldMessages, forgetDelivered } from '../src/conversations/retention.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addDevice, addTalker, relate, type Speaker, seal } from './harness/talk.ts';

let server: TestServer;
let relay: Relay;
beforeAll(async () => {
  server = await startTestServer();
  relay = createRelay(server.platform);
});
afterAll(() => server.drop());

const prepare = async (mode: 'websocket' | 'webhook' = 'websocket') => {
  const person = await addTalker(server);
  const agent = await addBot(server, person, { mode });
  return { person, agent, id: await relate(server, person, agent) };
};
const say = (speaker: Speaker, id: string) =>
  relay.send(speaker.caller, { conversationId: id, envelope: seal(speaker, id) });
const acknowledge = async ({ token }: Speaker, id: string, seq: number) => {
  const { status } = await server.call('POST', `/conversations/${id}/acks`, { token, body: { seq } });
  expect(status).toBe(204);
};
/** The numbers whose envelopes are still there. */
const kept = async (id: string) => {
  await forgetDelivered(server.platform.db);
  const rows = await server.platform.db
    .selectFrom('messages')
    .select('seq')
    .where('conversation_id', '=', id)
    .where('envelope', 'is not', null)
    .orderBy('seq')
    .execute();
  return rows.map(({ seq }) => seq);
};

describe('TR-3 retention', () => {
  it('TR-3 an envelope goes once every device and agent has it, and not before', async () => {
    const { person, agent, id } = await prepare();
    const phone = await addDevice(server, person.id);
    for (let n = 0; n < 4; n++) await say(agent, id);
    expect(await kept(id)).toEqual([1, 2, 3, 4]);
    await acknowledge(person, id, 4);
    expect(await kept(id)).toEqual([1, 2, 3, 4]);
    await acknowledge(phone, id, 2);
    expect(await kept(id)).toEqual([3, 4]);
    await server.platform.db
      .updateTable('devices')
      .set({ revoked_at: new Date() })
      .where('id', '=', phone.deviceId)
      .execute();
    expect(await kept(id)).toEqual([]);
  });

  it('TR-3 a retry is still known when the envelope is gone', async () => {
    const { person, agent, id } = await prepare();
    const envelope = seal(agent, id);
    const ack = await relay.send(agent.caller, { conversationId: id, envelope });
    await acknowledge(person, id, 1);
    expect(await kept(id)).toEqual([]);
    expect(await relay.send(agent.caller, { conversationId: id, envelope })).toEqual(ack);
  });

  it('TR-3 a device that came later does not hold back what was sent before it', async () => {
    const { person, agent, id } = await prepare();
    await say(agent, id);
    await acknowledge(person, id, 1);
    const late = await addDevice(server, person.id);
    await server.platform.db
      .updateTable('devices')
      .set({ created_at: new Date(Date.now() + 1_000) })
      .where('id', '=', late.deviceId)
      .execute();
    expect(await kept(id)).toEqual([]);
  });

  it('TR-3 messages for a person who has no device yet wait', async () => {
    const { person, agent, id } = await prepare();
    await say(agent, id);
    await server.platform.db.deleteFrom('devices').where('id', '=', person.deviceId).execute();
    expect(await kept(id)).toEqual([1]);
  });

  it('TR-3 an agent with a webhook has its copy among the deliveries', async () => {
    const { person, id } = await prepare('webhook');
    await say(person, id);
    expect(await kept(id)).toEqual([]);
  });

  it('TR-3 acks go neither back nor past the last message, and only count for members', async () => {
    const { person, agent, id } = await prepare();
    const other = await prepare();
    await say(person, id);
    await say(person, id);
    await acknowledge(agent, id, 2);
    await acknowledge(agent, id, 1);
    await acknowledge(agent, id, 9_000_000);
    await say(person, id);
    expect(await kept(id)).toEqual([3]);
    const foreign = { token: other.agent.token, body: { seq: 3 } };
    expect((await server.call('POST', `/conversations/${id}/acks`, foreign)).status).toBe(404);
  });

  it('TR-3 what nobody fetched goes after the days of the configuration; numbers go on', async () => {
    const { agent, id } = await prepare();
    await say(agent, id);
    const day = 24 * 3_600_000;
    await deleteOldMessages(server.platform, new Date(Date.now() + 29 * day));
    expect(await kept(id)).toEqual([1]);
    await deleteOldMessages(server.platform, new Date(Date.now() + 31 * day));
    const rows = await server.platform.db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', id)
      .execute();
    expect(rows).toEqual([]);
    expect((await say(agent, id)).conversation_seq).toBe(2);
  });
});
