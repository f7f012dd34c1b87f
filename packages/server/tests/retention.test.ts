import { until } from '@parley/testkit/until';
import { sql } from 'kysely';
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
    const deleteAfter = (days: number) =>
      deleteOldMessages(server.platform, { before: (kept) => new Date(Date.now() + (days - kept) * day) });
    await deleteAfter(29);
    expect(await kept(id)).toEqual([1]);
    await deleteAfter(31);
    const rows = await server.platform.db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', id)
      .execute();
    expect(rows).toEqual([]);
    expect((await say(agent, id)).conversation_seq).toBe(2);
  });
});

describe('OP-3 forgetting in portions', () => {
  /** What ten minutes bring at once: messages that the other side has. */
  const store = async ({ person, agent, id }: Awaited<ReturnType<typeof prepare>>, count: number, bytes = 100) => {
    const { db } = server.platform;
    await sql`insert into messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id,
        sender_device_id, content_type, msg_subtype, envelope, envelope_hash, created_at, received_at)
      select ${id}, n, gen_random_uuid(), gen_random_uuid()::text, 'human', ${person.id}, ${person.deviceId}, 'text',
        'text', repeat('x', ${bytes}), '', now(), now() from generate_series(1, ${count}::int) n`.execute(db);
    await sql`update conversations set last_seq = ${count} where id = ${id}`.execute(db);
    await acknowledge(agent, id, count);
  };
  /** Notes the messages and bytes of each statement that forgets. */
  const watchPortions = async () => {
    const { db } = server.platform;
    await sql
      .raw(`create table portions (messages int, bytes int);
        create function note_portion() returns trigger language plpgsql as $$
          begin
            insert into portions select count(*), sum(octet_length(envelope)) from gone;
            return null;
          end $$;
        create trigger portions after update on messages
          referencing old table as gone for each statement execute function note_portion();`)
      .execute(db);
    return async () => {
      const { rows } = await sql<{ messages: number; bytes: number }>`select * from portions`.execute(db);
      await sql.raw('drop trigger portions on messages; drop function note_portion; drop table portions').execute(db);
      return rows.filter(({ messages }) => messages > 0);
    };
  };

  it('OP-3 attack: while a conversation with thousands of messages is forgotten, none is locked, not even that one', async () => {
    const { db } = server.platform;
    const [large, small] = [await prepare(), await prepare()];
    await store(large, 1_700);
    await store(small, 3);
    let forgetting: Promise<void> | undefined;
    await db.transaction().execute(async (trx) => {
      // Somebody keeps a message locked, so that it stops there.
      await sql`select from messages where conversation_id = ${large.id} and seq = 1200 for update`.execute(trx);
      forgetting = forgetDelivered(db);
      const forgotten = async () => {
        const { rows } = await sql<{ count: number }>`select count(*) as count from messages
          where conversation_id in (${large.id}, ${small.id}) and envelope is null`.execute(trx);
        return rows[0]!.count;
      };
      // The small one is between the portions of the large one.
      await until(async () => expect(await forgotten()).toBe(1_003));
      const free = await sql`select from conversations for update nowait`.execute(db);
      expect(free.rows.length).toBeGreaterThan(1);
      const path = `/conversations/${large.id}/messages`;
      const body = seal(large.person, large.id);
      expect((await server.call('POST', path, { token: large.person.token, body })).status).toBe(200);
    });
    await forgetting;
    const sizes = await db.selectFrom('conversations').select(['id', 'forgotten_seq']).execute();
    expect(sizes).toContainEqual({ id: large.id, forgotten_seq: 1_700 });
    expect(await kept(large.id)).toEqual([1_701]);
    expect(await kept(small.id)).toEqual([]);
  });

  it('OP-3 attack: a statement forgets at most 500 messages, or a megabyte and the message that goes beyond it', async () => {
    const [many, large] = [await prepare(), await prepare()];
    await store(many, 1_200);
    await store(large, 20, 300_000);
    const readPortions = await watchPortions();
    expect(await kept(large.id)).toEqual([]);
    expect(await kept(many.id)).toEqual([]);
    const portions = await readPortions();
    expect(portions.reduce((sum, { messages }) => sum + messages, 0)).toBe(1_220);
    for (const { messages, bytes } of portions) {
      expect(messages).toBeLessThanOrEqual(500);
      expect(bytes).toBeLessThan(1024 * 1024 + 300_000);
    }
  });
});
