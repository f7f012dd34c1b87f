import { createNodePlatform } from '@parley/messenger/node';
import type { EventPayload } from '@parley/protocol';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Cast, Disk, type Party, startAgent, startDevice, text, words } from './parties.ts';
import { Rig, typeOf } from './rig.ts';

let server: TestServer;
const cast = new Cast();
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  // In this order, because a poll that its client gave up leaves a connection that the server waits for.
  await server.drop();
  await cast.close();
});

describe('TR-4 an agent that polls', () => {
  test('hears and answers, ratcheted like any other, and comes back after a restart', async () => {
    const { device, account, conversationId } = await cast.introduce(server);
    const disk = new Disk();
    const agent = await startAgent(server, account, { mode: 'polling', store: disk.open() });
    for (const word of ['one', 'two', 'three']) await device.messenger.send({ conversationId, payload: text(word) });
    await until(() => expect(words(agent)).toEqual(['one', 'two', 'three']));
    expect(agent.messenger.status()).toBe('online');
    await agent.messenger.send({ conversationId, payload: text('back') });
    await until(() => expect(words(device)).toEqual(['back']));
    await agent.messenger.close();
    await device.messenger.send({ conversationId, payload: text('four') });
    const again = cast.add(await startAgent(server, account, { mode: 'polling', store: disk.open() }));
    await until(() => expect(words(again)).toContain('four'));
    expect(words(again)).toEqual(['four']);
    expect([...device.problems, ...again.problems]).toEqual([]);
  });
});

describe('SK-5 an agent behind a webhook', () => {
  /** What the server would deliver, read from its table. */
  async function delivered(conversationId: string): Promise<EventPayload<'message.new'>[]> {
    const rows = await server.platform.db
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', conversationId)
      .where('sender_kind', '=', 'human')
      .orderBy('seq')
      .execute();
    return rows.map((row) => {
      const envelope = typeof row.envelope === 'string' ? JSON.parse(row.envelope) : row.envelope;
      return {
        message_id: row.id,
        conversation_id: conversationId,
        conversation_seq: Number(row.seq),
        client_message_id: row.client_message_id,
        sender: envelope.header.sender,
        content_type: row.content_type,
        msg_subtype: row.msg_subtype,
        created_at: envelope.header.created_at,
        received_at: row.received_at.toISOString(),
        envelope,
      };
    });
  }

  test('opens each delivery by itself, nothing twice, nothing old, nothing altered', async () => {
    const { device, account, conversationId } = await cast.introduce(server);
    const disk = new Disk();
    const agent = await startAgent(server, account, { mode: 'webhook', store: disk.open() });
    await device.messenger.send({ conversationId, payload: text('one') });
    await device.messenger.send({ conversationId, payload: text('two') });
    const [one, two] = await delivered(conversationId);
    expect(one!.envelope.wraps.map(({ kind }) => kind)).toEqual(['hpke']);
    expect(await agent.messenger.receive(two!)).toBe('handled');
    expect(await agent.messenger.receive(two!)).toBe('repeated');
    const header = { ...one!.envelope.header, msg_subtype: 'system' as const, content_type: 'system' as const };
    expect(await agent.messenger.receive({ ...one!, envelope: { ...one!.envelope, header } })).toBe('refused');
    await agent.messenger.close();
    const later = new Date(Date.now() + 26 * 60 * 60 * 1_000);
    const late = await startAgent(server, account, {
      mode: 'webhook',
      store: new Disk(disk.entries).open(),
      platform: { ...createNodePlatform(), now: () => later },
    });
    expect(await late.messenger.receive(one!)).toBe('refused');
    expect(late.problems).toMatchObject([{ kind: 'clock' }, { kind: 'undecryptable', reason: 'stale' }]);
    await late.messenger.close();
    const again = cast.add(await startAgent(server, account, { mode: 'webhook', store: disk.open() }));
    expect(await again.messenger.receive(two!)).toBe('repeated');
    expect(await again.messenger.receive(one!)).toBe('handled');
    expect(words(again)).toEqual(['one']);
    await again.messenger.send({ conversationId, payload: text('answer') });
    await until(() => expect(words(device)).toEqual(['answer']));
    expect(device.problems).toEqual([]);
  });

  test('leaves a delivery unhandled if its handler fails, so that it comes again', async () => {
    const { device, account, conversationId } = await cast.introduce(server);
    const onMessage = vi.fn().mockRejectedValueOnce(new Error('busy')).mockResolvedValue(undefined);
    const agent = cast.add(await startAgent(server, account, { mode: 'webhook', onMessage }));
    await device.messenger.send({ conversationId, payload: text('again, please') });
    const [message] = await delivered(conversationId);
    await expect(agent.messenger.receive(message!)).rejects.toThrow('busy');
    expect(await agent.messenger.receive(message!)).toBe('handled');
    expect(onMessage).toHaveBeenCalledTimes(2);
  });
});

describe('TC-9 a stream', () => {
  const texts = ({ live }: Party) =>
    live.flatMap((event) => (event.type === 'stream' ? [[event.state, event.text]] : []));

  test('is seen while it grows and ends as the message it announced', async () => {
    const { device, account, conversationId } = await cast.introduce(server);
    const rig = new Rig();
    const frames: string[] = [];
    rig.outgoing = (frame) => frames.push(frame) > 0;
    const agent = cast.add(await startAgent(server, account, { platform: rig.platform }));
    await agent.messenger.send({ conversationId, payload: text('first') });
    await until(() => expect(words(device)).toEqual(['first']));
    const stream = await agent.messenger.stream(conversationId);
    await stream.write('Good ');
    await until(() => expect(texts(device)).toContainEqual(['delta', 'Good ']));
    await stream.write('morning 🌞');
    await until(() => expect(texts(device)).toContainEqual(['delta', 'Good morning 🌞']));
    const ack = await stream.done();
    await until(() => expect(words(device)).toEqual(['first', 'Good morning 🌞']));
    const last = device.live.findLast((event) => event.type === 'stream');
    expect(last).toMatchObject({ state: 'done', clientMessageId: ack.clientMessageId });
    expect(device.received[1]!.clientMessageId).toBe(ack.clientMessageId);
    expect(frames.filter((frame) => typeOf(frame) === 'stream.delta').join()).not.toContain('orning');
    await expect(stream.write('more')).rejects.toThrow(TypeError);
    expect(device.problems).toEqual([]);
  });

  test('whose deltas the server drops, alters or repeats ends as an error, and the message still comes', async () => {
    const rig = new Rig();
    const { device, account, conversationId } = await cast.introduce(server, { platform: rig.platform });
    const agent = cast.add(await startAgent(server, account));
    await agent.messenger.send({ conversationId, payload: text('first') });
    await until(() => expect(words(device)).toEqual(['first']));
    const attacks: ((frame: string) => string[])[] = [
      (frame) => [frame, frame],
      (frame) => [JSON.stringify({ ...JSON.parse(frame), index: 1 })],
      (frame) => [JSON.stringify({ ...JSON.parse(frame), sealed: 'AAAA' })],
    ];
    for (const attack of attacks) {
      device.live.length = 0;
      rig.incoming = (frame) => (typeOf(frame) === 'stream.delta' ? attack(frame) : [frame]);
      const stream = await agent.messenger.stream(conversationId);
      await stream.write('x');
      await until(() => expect(texts(device).at(-1)?.[0]).toBe('error'));
      await stream.done();
    }
    await until(() => expect(words(device)).toEqual(['first', 'x', 'x', 'x']));
  });

  test('survives a lost line as the message it would have become', async () => {
    const { device, account, conversationId } = await cast.introduce(server);
    const rig = new Rig();
    const agent = cast.add(await startAgent(server, account, { platform: rig.platform }));
    await agent.messenger.send({ conversationId, payload: text('first') });
    const stream = await agent.messenger.stream(conversationId);
    await stream.write('half');
    await until(() => expect(texts(device)).toContainEqual(['delta', 'half']));
    rig.cut();
    await until(() => expect(texts(device).at(-1)?.[0]).toBe('abort'));
    await stream.write(' and half');
    await stream.done();
    await until(() => expect(words(device)).toEqual(['first', 'half and half']));
    expect(agent.problems).toEqual([]);
  });
});

describe('CG-11 claims', () => {
  test('are given to one device, once, and asked again after a lost line', async () => {
    const { ada, device, account, conversationId } = await cast.introduce(server);
    const rig = new Rig();
    const second = cast.add(await startDevice(server, ada, { platform: rig.platform }));
    const agent = cast.add(await startAgent(server, account));
    await agent.messenger.send({ conversationId, payload: text('run this') });
    await until(() => expect(device.received).toHaveLength(1));
    const message = device.received[0]!;
    rig.outgoing = (frame) => {
      if (typeOf(frame) === 'claim') rig.cut();
      return typeOf(frame) !== 'claim';
    };
    expect(await device.messenger.claim(message)).toBe(true);
    const asked = second.messenger.claim(message);
    rig.outgoing = () => true;
    expect(await asked).toBe(false);
    expect(await device.messenger.claim(message)).toBe(true);
    await until(() => expect(device.live.map(({ type }) => type)).toContain('claimed'));
  });
});
