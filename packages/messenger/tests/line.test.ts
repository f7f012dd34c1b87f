import { createMemoryStore, messengerError, type Store, type StoreBatch } from '@parley/messenger';
import { until } from '@parley/testkit/until';
import { describe, expect, test } from 'vitest';
import { Clock, LinkedServer, settle, startLinked, text, words } from './linked.ts';

async function startPair(options: Parameters<typeof startLinked>[2] = {}) {
  const server = new LinkedServer();
  const clock = new Clock();
  const device = await startLinked(server, 'human', { clock });
  const agent = await startLinked(server, 'agent', { clock, ...options });
  await clock.advance(0);
  return { server, clock, device, agent };
}
const { parse } = JSON;

describe('TR-2 reconnecting', () => {
  test('waits 1, 2, 4, 8, 16, then 30 s, less up to half, and begins anew after authenticating', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const agent = await startLinked(server, 'agent', { clock });
    await clock.advance(0);
    expect(agent.statuses).toEqual(['online']);
    server.isUp = false;
    server.wires.at(-1)!.close();
    for (const delay of [1, 2, 4, 8, 16, 30, 30]) {
      const wait = Math.min(...clock.waits());
      expect(wait).toBeGreaterThanOrEqual(delay * 500);
      expect(wait).toBeLessThanOrEqual(delay * 1_000);
      await clock.advance(wait);
      server.wires.at(-1)!.close();
    }
    server.isUp = true;
    await clock.advance(30_000);
    expect(agent.messenger.status()).toBe('online');
    server.wires.at(-1)!.close();
    expect(Math.min(...clock.waits())).toBeLessThanOrEqual(1_000);
    await agent.messenger.close();
  });

  test('hangs up on a server that has been silent for 90 s, and not on one that answers pings', async () => {
    const { server, clock, agent } = await startPair();
    await clock.advance(5 * 60_000);
    expect(server.wires).toHaveLength(2);
    const wire = server.wires[1]!;
    wire.onSend = () => {};
    await clock.advance(150_000);
    expect(wire.readyState).toBe(3);
    expect(agent.statuses).toEqual(['online', 'offline', 'connecting', 'online']);
  });

  test('resumes behind what it holds, though the server does not know that yet', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const device = await startLinked(server, 'human', { clock, onMessage: () => new Promise(() => {}) });
    const agent = await startLinked(server, 'agent', { clock });
    await clock.advance(0);
    for (const word of ['one', 'two', 'three']) {
      await agent.messenger.send({ conversationId: server.conversationId, payload: text(word) });
    }
    await clock.advance(100);
    const [wire] = server.wires;
    expect(wire!.sent.map(({ type }) => type)).not.toContain('ack');
    wire!.close();
    await clock.advance(1_000);
    const resume = server.wires.at(-1)!.sent.find(({ type }) => type === 'resume');
    expect(resume).toMatchObject({ conversations: { [server.conversationId]: 3 } });
    expect(device.problems).toEqual([]);
  });
});

describe('TR-1 what it has already', () => {
  /** Begins with these messages in the store, not handled; the test is the server. */
  const connectWith = async (count: number) => {
    const server = new LinkedServer();
    const clock = new Clock();
    const store = createMemoryStore();
    const held = Array.from({ length: count }, () => ({ conversationId: crypto.randomUUID(), seq: 5 }));
    const batch = held.map((one): [string, string] => [
      `inbox/${one.conversationId}/${String(one.seq).padStart(16, '0')}`,
      JSON.stringify(one),
    ]);
    await store.write(new Map(batch));
    server.isUp = false;
    const agent = await startLinked(server, 'agent', { clock, store, onMessage: () => new Promise(() => {}) });
    await clock.advance(0);
    const wire = server.wires[0]!;
    wire.onSend = () => {};
    wire.open();
    return { agent, wire, resumed: { type: 'resume', conversations: Object.fromEntries(held.map(toEntry)) } };
  };
  const toEntry = ({ conversationId, seq }: { conversationId: string; seq: number }) => [conversationId, seq];
  const ok = { type: 'auth.ok', expires_at: null };

  test('is said right behind auth, before anything can be pushed', async () => {
    const { agent, wire, resumed } = await connectWith(3);
    expect(wire.sent).toEqual([expect.objectContaining({ type: 'auth' }), resumed]);
    wire.give(ok);
    expect(wire.sent.filter(({ type }) => type === 'resume')).toHaveLength(1);
    expect(agent.messenger.status()).toBe('online');
  });

  test('is said after auth.ok where it is more than a server hears from a stranger', async () => {
    const { wire, resumed } = await connectWith(1_500);
    expect(wire.sent.map(({ type }) => type)).toEqual(['auth']);
    wire.give(ok);
    expect(wire.sent[1]).toEqual(resumed);
  });
});

describe('TR-1 frames', () => {
  test('a token is renewed on the same socket a minute before it expires', async () => {
    const { server, clock } = await startPair();
    const wire = server.wires[1]!;
    wire.give({ type: 'auth.ok', expires_at: new Date(clock.now().getTime() + 300_000).toISOString() });
    await clock.advance(235_000);
    expect(wire.sent.map(({ type }) => type)).not.toContain('auth.renew');
    await clock.advance(10_000);
    expect(wire.sent.map(({ type }) => type)).toContain('auth.renew');
  });

  test('that are none are reported and harm nothing', async () => {
    const { server, agent, device } = await startPair();
    const wire = server.wires[1]!;
    for (const data of ['', '{', '[]', 'null', '{"type":1}', '{"type":"message.new"}', '{"type":"__proto__"}', 7]) {
      wire.emit('message', data);
    }
    wire.give({ type: 'something.newer' });
    wire.give({ type: 'relation.revoked', event_id: 'one' });
    await device.messenger.send({ conversationId: server.conversationId, payload: text('still there') });
    await until(() => expect(words(agent)).toEqual(['still there']));
    expect(agent.problems.every(({ kind }) => kind === 'connection')).toBe(true);
    expect(agent.problems.length).toBeGreaterThan(4);
  });

  test('a socket that others took the place of comes back, but not often', async () => {
    const { server, clock } = await startPair();
    server.isUp = false;
    server.wires[1]!.emit('close', undefined, { code: 4009 });
    expect(Math.min(...clock.waits().filter((wait) => wait > 100 && wait < 90_000))).toBeGreaterThanOrEqual(15_000);
  });

  test("a person's refused token is exchanged once, then tried seldom", async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const device = await startLinked(server, 'human', { clock });
    await clock.advance(0);
    const refusal = { type: 'auth.error', reason: 'expired', message: 'Expired.', i18n_key: 'auth.expired' };
    server.wires[0]!.give(refusal);
    expect(server.calls).toContain('GET /auth/me');
    await clock.advance(1_000);
    expect(device.messenger.status()).toBe('online');
  });

  test('a refused token is tried again, but not often', async () => {
    const { server, clock, agent } = await startPair();
    server.isUp = false;
    const refusal = { type: 'auth.error', reason: 'revoked', message: 'Revoked.', i18n_key: 'auth.revoked' };
    server.wires[1]!.give(refusal);
    expect(agent.problems).toMatchObject([{ kind: 'connection', error: { code: 'UNAUTHENTICATED' } }]);
    expect(Math.min(...clock.waits().filter((wait) => wait > 100 && wait < 90_000))).toBeGreaterThanOrEqual(15_000);
  });
});

/** A store whose writes wait until they are let through. */
class SlowStore {
  private readonly inner = createMemoryStore();
  private readonly gates: (() => void)[] = [];
  readonly batches: StoreBatch[] = [];
  isSlow = false;
  broken: Error | undefined;
  readonly store: Store = {
    ...this.inner,
    write: async (batch) => {
      if (this.broken) throw this.broken;
      this.batches.push(batch);
      if (this.isSlow) await new Promise<void>((resolve) => this.gates.push(resolve));
      await this.inner.write(batch);
    },
  };
  release(): void {
    for (const gate of this.gates.splice(0)) gate();
  }
}

describe('TR-3 what the server says besides messages', () => {
  test('numbers that are not kept any more are reported and acknowledged in their turn', async () => {
    const { server, agent, clock } = await startPair();
    const wire = server.wires[1]!;
    wire.give({ type: 'message.gone', conversation_id: server.conversationId, from_seq: 1, to_seq: 7 });
    await clock.advance(100);
    expect(agent.problems).toMatchObject([{ kind: 'gone', fromSeq: 1, toSeq: 7 }]);
    expect(wire.sent.at(-1)).toMatchObject({ type: 'ack', seq: 7 });
  });

  test('events are handled once, one after the other, acknowledged together and resumed behind', async () => {
    const handled: number[] = [];
    let finish = () => {};
    const onEvent = async ({ eventId }: { eventId: number }) => {
      handled.push(eventId);
      if (eventId === 5) await new Promise<void>((resolve) => (finish = resolve));
      if (eventId === 6) throw new Error('no');
    };
    const { server, agent, clock } = await startPair({ onEvent });
    const event = (event_id: number) => ({ type: 'account.devices_changed', event_id, account_id: server.accountId });
    const wire = server.wires[1]!;
    for (const id of [5, 6, 6, 5, 7]) wire.give(event(id));
    await settle();
    expect(handled).toEqual([5]);
    finish();
    await settle();
    expect(handled).toEqual([5, 6, 7]);
    expect(agent.problems).toMatchObject([{ kind: 'handler' }]);
    expect(wire.sent.filter(({ type }) => type === 'event.ack')).toEqual([{ type: 'event.ack', event_id: 7 }]);
    wire.close();
    await clock.advance(1_000);
    expect(server.wires.at(-1)!.sent.find(({ type }) => type === 'resume')).toMatchObject({ event_id: 7 });
  });

  test('EE-24 attack: an event with a made-up number hides those that come after it', async () => {
    const handled: number[] = [];
    const { server } = await startPair({ onEvent: ({ eventId }) => void handled.push(eventId) });
    const event = (event_id: number) => ({ type: 'account.devices_changed', event_id, account_id: server.accountId });
    for (const id of [10 ** 9, 5, 6]) server.wires[1]!.give(event(id));
    await settle();
    expect(handled).toEqual([10 ** 9, 5, 6]);
  });

  test('what is of the moment is passed on, and a pass may turn out to be the last one later', async () => {
    const live: unknown[] = [];
    const { server, device, clock } = await startPair();
    const third = await startLinked(server, 'human', { clock, onTransient: (event) => void live.push(event) });
    await clock.advance(0);
    const wire = server.wires.at(-1)!;
    const about = { conversation_id: server.conversationId, message_id: server.agentId };
    const passing = third.messenger.pass({ conversationId: server.conversationId, messageId: server.agentId });
    wire.give({ type: 'pass.result', message_id: server.agentId, last: false });
    expect(await passing).toBe(false);
    wire.give({ type: 'pass.last', ...about });
    wire.give({
      type: 'typing',
      conversation_id: server.conversationId,
      sender: { kind: 'agent', id: server.agentId },
    });
    expect(live).toMatchObject([{ type: 'last', messageId: server.agentId }, { type: 'typing' }]);
    const claiming = third.messenger.claim({ conversationId: server.conversationId, messageId: server.agentId });
    const error = { type: 'error', code: 'NOT_FOUND', message: 'Gone.', i18n_key: 'k', params: {} };
    wire.give({ ...error, message_id: server.agentId });
    await expect(claiming).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(device.problems).toEqual([]);
  });
});

describe('EE-4 states', () => {
  test('are saved before a message leaves, those of many messages in one batch', async () => {
    const slow = new SlowStore();
    const { server, clock, agent } = await startPair({ store: slow.store });
    const send = (word: string) => agent.messenger.send({ conversationId: server.conversationId, payload: text(word) });
    await send('first');
    await clock.advance(1_000);
    slow.isSlow = true;
    slow.batches.length = 0;
    const sent = ['a', 'b', 'c', 'd'].map(send);
    await settle();
    const wire = server.wires[1]!;
    const frames = () => wire.sent.filter(({ type }) => type === 'send').length;
    expect(frames()).toBe(1);
    slow.release();
    await settle();
    slow.release();
    await Promise.all(sent);
    expect(frames()).toBe(5);
    expect(slow.batches.length).toBeLessThanOrEqual(2);
    const peers = slow.batches.flatMap((batch) => [...batch.keys()].filter((key) => key.startsWith('peer/')));
    expect(peers.length).toBeLessThanOrEqual(2);
    slow.isSlow = false;
    slow.release();
  });

  test('that cannot be saved stop everything, and say so once', async () => {
    const slow = new SlowStore();
    const { server, agent } = await startPair({ store: slow.store });
    const payload = text('words');
    await agent.messenger.send({ conversationId: server.conversationId, payload });
    slow.broken = new Error('disk full');
    await expect(agent.messenger.send({ conversationId: server.conversationId, payload })).rejects.toThrow('disk full');
    await expect(agent.messenger.send({ conversationId: server.conversationId, payload })).rejects.toThrow('disk full');
    const frames = server.wires[1]!.sent.filter(({ type }) => type === 'send');
    expect(frames).toHaveLength(1);
    expect(agent.problems).toMatchObject([{ kind: 'store' }]);
  });

  test('are saved before a message is acknowledged, and it is handled first', async () => {
    const slow = new SlowStore();
    const server = new LinkedServer();
    const clock = new Clock();
    let finish = () => {};
    const handled: string[] = [];
    const onMessage = (message: { clientMessageId: string }) => {
      handled.push(message.clientMessageId);
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    };
    await startLinked(server, 'human', { clock, store: slow.store, onMessage });
    const agent = await startLinked(server, 'agent', { clock });
    await clock.advance(1_000);
    slow.isSlow = true;
    for (const id of ['one', 'two']) {
      await agent.messenger.send({ conversationId: server.conversationId, payload: text(id), clientMessageId: id });
    }
    await clock.advance(1_000);
    const acks = () => server.wires[0]!.sent.filter(({ type }) => type === 'ack');
    expect(handled).toEqual(['one']);
    finish();
    await clock.advance(1_000);
    expect(acks()).toEqual([]);
    slow.isSlow = false;
    slow.release();
    await clock.advance(1_000);
    expect(acks()).toMatchObject([{ seq: 1 }]);
    expect(handled).toEqual(['one', 'two']);
    finish();
    await clock.advance(1_000);
    expect(acks().at(-1)).toMatchObject({ seq: 2 });
  });
});

describe('TR-3 the outbox', () => {
  test('keeps a bound on what is under way, and on what lies in the socket', async () => {
    const { server, agent, clock } = await startPair();
    const { conversationId } = server;
    await agent.messenger.send({ conversationId, payload: text('first') });
    const wire = server.wires[1]!;
    const hear = wire.onSend;
    wire.onSend = (frame) => frame.type !== 'send' && hear(frame);
    const frames = () => wire.sent.filter(({ type }) => type === 'send').length;
    const sent = Array.from({ length: 200 }, (_, index) =>
      agent.messenger.send({ conversationId, payload: text(String(index)) }),
    );
    await until(() => expect(frames()).toBe(151));
    wire.bufferedAmount = 10_000_000;
    wire.onSend = hear;
    for (const frame of [...wire.sent]) hear(frame);
    await settle();
    expect(frames()).toBe(151);
    wire.bufferedAmount = 0;
    sent.push(agent.messenger.send({ conversationId, payload: text('more') }));
    await clock.advance(100);
    expect((await Promise.all(sent)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 201 }, (_, index) => index + 2),
    );
  });

  test('asks again what the server could not store, and gives up what it refuses', async () => {
    const { server, agent, clock } = await startPair();
    const { conversationId } = server;
    await agent.messenger.send({ conversationId, payload: text('first') });
    const wire = server.wires[1]!;
    const hear = wire.onSend;
    const refuse = (code: string) => (frame: Parameters<typeof hear>[0]) => {
      if (frame.type !== 'send') return hear(frame);
      const { client_message_id } = frame.envelope.header;
      wire.give({ type: 'error', code, message: code, i18n_key: code, params: {}, client_message_id });
    };
    wire.onSend = refuse('UNAVAILABLE');
    const sent = agent.messenger.send({ conversationId, payload: text('again') });
    await clock.advance(3_000);
    wire.onSend = hear;
    await clock.advance(1_000);
    expect(await sent).toMatchObject({ seq: 2 });
    wire.onSend = refuse('RELATION_INACTIVE');
    const refused = agent.messenger.send({ conversationId, payload: text('never') });
    await expect(refused).rejects.toMatchObject({ code: 'RELATION_INACTIVE' });
  });

  test('asks the server about a conversation once, not for each message', async () => {
    const { server, agent, device } = await startPair();
    const { conversationId } = server;
    const talk = async (count: number) => {
      const send = (_: unknown, index: number) =>
        [agent, device].map(({ messenger }) => messenger.send({ conversationId, payload: text(String(index)) }));
      await Promise.all(Array.from({ length: count }, send).flat());
      await settle();
    };
    await talk(1);
    const before = server.calls.length;
    await talk(20);
    await until(() => expect(words(agent)).toHaveLength(21));
    expect(server.calls.slice(before)).toEqual([]);
    expect(server.calls.filter((call) => call === 'POST /keys/bundles').length).toBeLessThanOrEqual(2);
  });

  test('refuses what is no payload before anything is sealed', async () => {
    const { server, agent } = await startPair();
    const payload = parse('{"type":"text","text":7}');
    await expect(agent.messenger.send({ conversationId: server.conversationId, payload })).rejects.toThrow(TypeError);
  });
});

describe('EE-26 a full disk', () => {
  const full = messengerError('STORE_FULL', { params: { location: 'test' } });

  test('EE-26 a message that cannot be kept is neither opened nor acknowledged until there is room, and is then handled once', async () => {
    const memory = createMemoryStore();
    const disk = { canReceive: true, isFull: false };
    const store: Store = {
      ...memory,
      write: (batch) => (disk.isFull ? Promise.reject(full) : memory.write(batch)),
      shortage: () => (disk.canReceive ? undefined : { error: full, canReceive: false }),
    };
    const { server, clock, device, agent } = await startPair({ store });
    const { conversationId } = server;
    const wire = server.wires[1]!;
    const acks = () => wire.sent.filter(({ type }) => type === 'ack').length;
    await device.messenger.send({ conversationId, payload: text('one') });
    await clock.advance(100);
    expect([words(agent), acks()]).toEqual([['one'], 1]);
    disk.canReceive = false;
    await device.messenger.send({ conversationId, payload: text('two') });
    await clock.advance(60_000);
    expect([words(agent), acks()]).toEqual([['one'], 1]);
    disk.canReceive = true;
    await clock.advance(30_000);
    expect([words(agent), acks()]).toEqual([['one', 'two'], 2]);
    expect(agent.problems).toEqual([]);
  });

  test('EE-26 EE-4 attack: the disk fills up between opening and saving: told once, no acknowledgement, no key used twice, all goes on', async () => {
    const memory = createMemoryStore();
    const disk = { isFull: false };
    const store: Store = {
      ...memory,
      write: (batch) => (disk.isFull ? Promise.reject(full) : memory.write(batch)),
      shortage: () => (disk.isFull ? { error: full, canReceive: true } : undefined),
    };
    const { server, clock, device, agent } = await startPair({ store });
    const { conversationId } = server;
    const wire = server.wires[1]!;
    const count = (type: string) => wire.sent.filter((frame) => frame.type === type).length;
    disk.isFull = true;
    await device.messenger.send({ conversationId, payload: text('one') });
    await clock.advance(10_000);
    const answer = agent.messenger.send({ conversationId, payload: text('lost') });
    await expect(answer).rejects.toMatchObject({ code: 'STORE_FULL' });
    await clock.advance(10_000);
    expect([words(agent), count('ack'), count('send')]).toEqual([['one'], 0, 0]);
    expect(agent.problems).toEqual([{ kind: 'store', error: full }]);
    disk.isFull = false;
    await clock.advance(10_000);
    await agent.messenger.send({ conversationId, payload: text('back') });
    await device.messenger.send({ conversationId, payload: text('two') });
    await clock.advance(1_000);
    expect([words(agent), words(device), count('ack')]).toEqual([['one', 'two'], ['back'], 2]);
    expect([...agent.problems, ...device.problems]).toHaveLength(1);
  });
});
