import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRelay, type Relay } from '../src/conversations/relay.ts';
import type { RequestError } from '../src/http/request-error.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
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

let one: TestServer;
let two: TestServer;
let relays: readonly [Relay, Relay];
let ann: Talker;
let bot: Bot;
let conversation: string;

beforeAll(async () => {
  one = await startTestServer();
  two = await startTestServer({ databaseUrl: one.config.databaseUrl, tokenSecret: one.config.tokenSecret });
  relays = [createRelay(one.platform), createRelay(two.platform)];
  ann = await addTalker(one);
  bot = await addBot(one, ann);
  conversation = await relate(one, ann, bot);
});
afterAll(async () => {
  await two.drop();
  await one.drop();
});

const fresh = async () => {
  const agent = await addBot(one, ann);
  return { agent, id: await relate(one, await addTalker(one), agent) };
};
const send = (speaker: Speaker, envelope: ReturnType<typeof seal>, relay = relays[0]) =>
  relay.send(speaker.caller, { conversationId: envelope.header.conversation_id, envelope });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (failure: RequestError) => failure.code,
  );
const stored = (id: string) =>
  one.platform.db.selectFrom('messages').selectAll().where('conversation_id', '=', id).orderBy('seq').execute();

describe('TR-3 sending', () => {
  it('TR-3 an ack means that the message is on disk, with the next number', async () => {
    const { agent, id } = await fresh();
    const envelope = seal(agent, id);
    const ack = await send(agent, envelope);
    const [row] = await stored(id);
    expect(row).toMatchObject({ id: ack.message_id, seq: 1, client_message_id: ack.client_message_id });
    expect(JSON.parse(row!.envelope!)).toEqual(envelope);
    expect(ack.conversation_seq).toBe(1);
  });

  it('TR-3 50 parallel identical sends over two nodes give one message and one answer', async () => {
    const { agent, id } = await fresh();
    const envelope = seal(agent, id);
    const acks = await Promise.all(Array.from({ length: 50 }, (_, n) => send(agent, envelope, relays[n % 2])));
    expect(new Set(acks.map((ack) => JSON.stringify(ack))).size).toBe(1);
    expect(await stored(id)).toHaveLength(1);
  });

  it('TR-3 another envelope under the same client_message_id is refused, in one batch and later', async () => {
    const { agent, id } = await fresh();
    const first = seal(agent, id);
    const forged = { ...first, ciphertext: 'AAAA' };
    const [ack, together] = await Promise.all([send(agent, first), codeOf(send(agent, forged))]);
    expect(together).toBe('IDEMPOTENCY_CONFLICT');
    expect(await codeOf(send(agent, forged))).toBe('IDEMPOTENCY_CONFLICT');
    expect(await send(agent, first)).toEqual(ack);
  });

  it('TR-3 500 parallel sends of several senders over two nodes leave no gap and keep each sender in order', async () => {
    const owner = await addTalker(one);
    const phone = await addDevice(one, owner.id);
    const agent = await addBot(one, owner);
    const ids = await Promise.all([relate(one, owner, agent), relate(one, await addTalker(one), agent)]);
    const work = Array.from({ length: 500 }, (_, n) => {
      const speaker = n % 5 < 2 ? agent : n % 5 < 4 ? owner : phone;
      const id = speaker === agent ? ids[n % 2]! : ids[0];
      const name = `${speaker.sender.device_id ?? 'bot'}-${String(n).padStart(3, '0')}`;
      // A sender is on one node; different ones are on different nodes.
      const relay = relays[speaker === owner ? 0 : 1];
      return send(speaker, seal(speaker, id, { client_message_id: name }), relay);
    });
    const acks = await Promise.all(work);
    for (const id of ids) {
      const rows = await stored(id);
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
      for (const device of [null, owner.deviceId, phone.deviceId]) {
        const own = rows
          .filter(({ sender_device_id }) => sender_device_id === device)
          .map((row) => row.client_message_id);
        expect(own).toEqual([...own].sort());
      }
    }
    expect(new Set(acks.map(({ message_id }) => message_id)).size).toBe(500);
  });

  it('TR-3 a message that is refused uses no number and harms none beside it', async () => {
    const { agent, id } = await fresh();
    const old = new Date(Date.now() - 25 * 3_600_000).toISOString();
    const [first, late, foreign, second] = await Promise.all([
      send(agent, seal(agent, id)),
      codeOf(send(agent, seal(agent, id, { created_at: old }))),
      codeOf(send(agent, seal(agent, conversation))),
      send(agent, seal(agent, id)),
    ]);
    expect([late, foreign]).toEqual(['MESSAGE_TIME_INVALID', 'NOT_FOUND']);
    expect([first.conversation_seq, second.conversation_seq]).toEqual([1, 2]);
  });

  it('TR-3 a retry of what was accepted is right at any time', async () => {
    const { agent, id } = await fresh();
    const envelope = seal(agent, id);
    const ack = await send(agent, envelope);
    one.clock.advance(48 * 3_600_000);
    try {
      expect(await send(agent, envelope)).toEqual(ack);
      expect(await codeOf(send(agent, { ...envelope, header: { ...envelope.header, client_message_id: 'new' } }))).toBe(
        'MESSAGE_TIME_INVALID',
      );
    } finally {
      one.clock.advance(-48 * 3_600_000);
    }
  });
});

describe('TC-6 the header', () => {
  it('TC-6 a forged sender, device or conversation is refused', async () => {
    const eve = await addTalker(one);
    const phone = await addDevice(one, ann.id);
    expect(await codeOf(send(eve, seal(ann, conversation)))).toBe('SENDER_MISMATCH');
    expect(await codeOf(send(phone, seal(ann, conversation)))).toBe('SENDER_MISMATCH');
    expect(await codeOf(send(ann, seal({ ...ann, sender: { kind: 'agent', id: ann.id } }, conversation)))).toBe(
      'SENDER_MISMATCH',
    );
    expect(
      await codeOf(send(bot, seal({ ...bot, sender: { ...bot.sender, device_id: ann.deviceId } }, conversation))),
    ).toBe('SENDER_MISMATCH');
    const envelope = seal(ann, conversation);
    const elsewhere = relays[0].send(ann.caller, { conversationId: eve.id, envelope });
    expect(await codeOf(elsewhere)).toBe('SENDER_MISMATCH');
    expect(await codeOf(send(eve, seal(eve, conversation)))).toBe('NOT_FOUND');
  });

  it('TC-6 someone without registered keys cannot send', async () => {
    const { deviceId: _, ...caller } = ann.caller;
    const { device_id: __, ...sender } = ann.sender;
    expect(await codeOf(send({ ...ann, caller }, seal({ ...ann, sender }, conversation)))).toBe('IDENTITY_MISSING');
  });

  it('TC-1 a label fits the kind of message and its sender', async () => {
    const { agent, id } = await fresh();
    const artifact = { content_type: 'artifact' } as const;
    expect(await codeOf(send(agent, sealToolCall(agent, id)))).toBe('none');
    expect(await codeOf(send(agent, seal(agent, id, { ...artifact, msg_subtype: 'artifact_update' })))).toBe('none');
    expect(await codeOf(send(ann, seal(ann, conversation, { ...artifact, msg_subtype: 'artifact_response' })))).toBe(
      'none',
    );
    expect(await codeOf(send(ann, seal(ann, conversation, { ...artifact, msg_subtype: 'artifact_tool_call' })))).toBe(
      'MESSAGE_LABEL_INVALID',
    );
    expect(await codeOf(send(agent, seal(agent, id, { ...artifact, msg_subtype: 'artifact_response' })))).toBe(
      'MESSAGE_LABEL_INVALID',
    );
    expect(
      await codeOf(send(agent, seal(agent, id, { content_type: 'text', msg_subtype: 'artifact_tool_call' }))),
    ).toBe('MESSAGE_LABEL_INVALID');
    expect(await codeOf(send(agent, seal(agent, id, { content_type: 'text', msg_subtype: 'image' })))).toBe(
      'MESSAGE_LABEL_INVALID',
    );
  });

  it('TC-10 an artifact of 64 KB goes, a larger one does not; text may be larger', async () => {
    const { agent, id } = await fresh();
    const of = (bytes: number, header = {}) => ({
      ...seal(agent, id, header),
      ciphertext: 'A'.repeat(Math.ceil((bytes * 4) / 3)),
    });
    const artifact = { content_type: 'artifact', msg_subtype: 'artifact' } as const;
    expect(await codeOf(send(agent, of(64 * 1024 + 16, artifact)))).toBe('none');
    expect(await codeOf(send(agent, of(64 * 1024 + 100, artifact)))).toBe('PAYLOAD_TOO_LARGE');
    expect(await codeOf(send(agent, of(300_000)))).toBe('none');
    expect(await codeOf(send(agent, { ...of(300_000), wraps: [{ pad: 'x'.repeat(200_000) }] }))).toBe(
      'PAYLOAD_TOO_LARGE',
    );
  });
});

describe('RL-7 relations', () => {
  it.each(['suspended', 'ended'] as const)('RL-7 nothing goes either way once the relation is %s', async (status) => {
    const person = await addTalker(one);
    const agent = await addBot(one, person);
    const id = await relate(one, person, agent);
    await one.platform.db.updateTable('h2a_relations').set({ status }).where('conversation_id', '=', id).execute();
    expect(await codeOf(send(person, seal(person, id)))).toBe('RELATION_INACTIVE');
    expect(await codeOf(send(agent, seal(agent, id)))).toBe('RELATION_INACTIVE');
  });

  it('RL-7 nothing goes to or from an agent that was banned', async () => {
    const person = await addTalker(one);
    const agent = await addBot(one, person);
    const id = await relate(one, person, agent);
    await one.platform.db.updateTable('agents').set({ status: 'banned' }).where('id', '=', agent.id).execute();
    expect(await codeOf(send(person, seal(person, id)))).toBe('RELATION_INACTIVE');
    expect(await codeOf(send(agent, seal(agent, id)))).toBe('RELATION_INACTIVE');
  });
});
