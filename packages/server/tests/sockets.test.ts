import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { wakeSessions } from '../src/auth/session.ts';
import { revokeSessions } from '../src/auth/session-store.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect, openSocket, sequences, type TestSocket } from './harness/socket.ts';
import { addBot, addDevice, addTalker, type Bot, relate, type Speaker, seal, type Talker } from './harness/talk.ts';

let one: TestServer;
let two: TestServer;
let ann: Talker;
let bot: Bot;
let conversation: string;

beforeAll(async () => {
  one = await startTestServer();
  two = await startTestServer({ databaseUrl: one.config.databaseUrl, tokenSecret: one.config.tokenSecret });
  ann = await addTalker(one);
  bot = await addBot(one, ann);
  conversation = await relate(one, ann, bot);
});
afterAll(async () => {
  await two.drop();
  await one.drop();
});
const open: TestSocket[] = [];
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.terminate();
});
const keep = async (socket: Promise<TestSocket>) => {
  open.push(await socket);
  return socket;
};
const join = (server: TestServer, ...rest: [Speaker, ...unknown[]]) => keep(connect(server, ...(rest as [Speaker])));
const say = async (socket: TestSocket, speaker: Speaker, id = conversation) => {
  const envelope = seal(speaker, id);
  socket.send({ type: 'send', envelope });
  return socket.next((f) => f.type === 'message.ack' && f.client_message_id === envelope.header.client_message_id);
};
/** A person, an agent and their conversation, which nobody else uses. */
const pair = async () => {
  const person = await addTalker(one);
  const agent = await addBot(one, person);
  return { person, agent, id: await relate(one, person, agent) };
};

describe('TR-1 signing in', () => {
  it('TR-1 the first frame is auth, answered by auth.ok', async () => {
    const human = await keep(openSocket(one, '/ws/human'));
    human.send({ type: 'auth', token: ann.token });
    const ok = await human.next('auth.ok');
    expect(Date.parse(ok.expires_at)).toBeGreaterThan(Date.now());
    const agent = await keep(openSocket(one, `/ws/agent?agent_id=${bot.id}`));
    agent.send({ type: 'auth', token: bot.token, agent_id: bot.id });
    expect(await agent.next('auth.ok')).toEqual({ type: 'auth.ok', expires_at: null });
  });

  it('TR-1 auth.error says why and the socket closes', async () => {
    const guess = await openSocket(one, '/ws/human');
    guess.send({ type: 'auth', token: 'guessed' });
    expect(await guess.next('auth.error')).toMatchObject({
      reason: 'invalid_token',
      message: expect.any(String),
      i18n_key: 'auth.invalid_token',
    });
    expect(await guess.closed).toBe(4001);
  });

  it("TR-1 an agent's token opens neither a person's socket nor another agent's", async () => {
    const other = await addBot(one, ann);
    const paths = ['/ws/human', `/ws/agent?agent_id=${other.id}`];
    for (const path of paths) {
      const socket = await openSocket(one, path);
      socket.send({ type: 'auth', token: bot.token });
      expect((await socket.next('auth.error')).reason).toBe('wrong_caller');
      expect(await socket.closed).toBe(4001);
    }
    const socket = await openSocket(one, `/ws/agent?agent_id=${bot.id}`);
    socket.send({ type: 'auth', token: bot.token, agent_id: other.id });
    expect((await socket.next('auth.error')).reason).toBe('wrong_caller');
  });

  it('TR-1 whoever does not sign in within 5 s is disconnected', async () => {
    const server = await startTestServer({ databaseUrl: one.config.databaseUrl });
    const socket = await openSocket(server, '/ws/human');
    server.clock.advance(5_001);
    expect((await socket.next('auth.error')).reason).toBe('timeout');
    expect(await socket.closed).toBe(4001);
    await server.drop();
  });

  it('TR-1 at the end of the token the socket closes, unless it was renewed on the same socket', async () => {
    const { config } = one;
    const server = await startTestServer({ databaseUrl: config.databaseUrl, tokenSecret: config.tokenSecret });
    const person = await addTalker(server);
    const [idle, renewed] = [await connect(server, person), await connect(server, person)];
    server.clock.advance(4 * 60_000);
    const { signAccessToken } = await import('../src/auth/access-token.ts');
    const { sessionId } = person.caller;
    const token = await signAccessToken(config, { accountId: person.id, sessionId }, server.clock.now());
    renewed.send({ type: 'auth.renew', token });
    await renewed.until((frames) => frames.filter(({ type }) => type === 'auth.ok').length === 2);
    server.clock.advance(61_000);
    expect((await idle.next('auth.error')).reason).toBe('expired');
    expect(await idle.closed).toBe(4001);
    renewed.send({ type: 'ping' });
    await renewed.next('pong');
    await server.drop();
  });

  it('TR-1 a socket is not handed over: renewing with the token of someone else closes it', async () => {
    const eve = await addTalker(one);
    const socket = await connect(one, ann);
    socket.send({ type: 'auth.renew', token: eve.token });
    expect((await socket.next('auth.error')).reason).toBe('wrong_caller');
    expect(await socket.closed).toBe(4001);
  });

  it('TR-1 a session that is revoked loses its sockets at once, on every node', async () => {
    const person = await addTalker(one);
    const [here, there] = [await connect(one, person), await connect(two, person)];
    const ids = await revokeSessions(one.platform.db, { accountId: person.id }, new Date());
    wakeSessions(one.platform, ids);
    expect((await here.next('auth.error')).reason).toBe('revoked');
    expect(await here.closed).toBe(4001);
    expect(await there.closed).toBe(4001);
  });

  it("TR-1 an agent's token that is revoked loses its sockets at once", async () => {
    const { agent } = await pair();
    const socket = await connect(two, agent);
    const { db, bus } = one.platform;
    await db.updateTable('agent_tokens').set({ revoked_at: new Date() }).where('agent_id', '=', agent.id).execute();
    bus.wake([`a:${agent.id}`]);
    expect((await socket.next('auth.error')).reason).toBe('revoked');
    expect(await socket.closed).toBe(4001);
  });

  it('TR-1 a page of someone else cannot open the socket of a person', async () => {
    const open = (origin: string) => openSocket(one, '/ws/human', { origin });
    await expect(open('https://evil.example')).rejects.toThrow('403');
    const own = await keep(open(new URL(one.config.publicUrl).origin));
    expect(own.socket.readyState).toBe(own.socket.OPEN);
    await expect(openSocket(one, '/ws/nowhere')).rejects.toThrow('404');
  });

  it('TR-1 the oldest socket goes when someone opens more than 20', async () => {
    const person = await addTalker(one);
    const first = await connect(one, person);
    for (let n = 0; n < 20; n++) await join(one, person);
    expect(await first.closed).toBe(4009);
  });
});

describe('TR-1 dead sockets', () => {
  it('TR-1 a socket is pinged every 30 s, and is dead after 90 s without an answer', async () => {
    const server = await startTestServer({ databaseUrl: one.config.databaseUrl });
    const { agent } = await pair();
    const [deaf, alive] = [await connect(server, agent, {}, { autoPong: false }), await connect(server, agent)];
    let pings = 0;
    const pinged = (count: number) =>
      new Promise<void>((resolve) => {
        const check = () => pings >= count && resolve();
        deaf.socket.on('ping', check);
        check();
      });
    deaf.socket.on('ping', () => pings++);
    for (let n = 1; n <= 2; n++) {
      server.clock.advance(30_001);
      await pinged(n);
    }
    server.clock.advance(30_001);
    expect(await deaf.closed).toBe(1006);
    alive.send({ type: 'ping' });
    await alive.next('pong');
    await server.drop();
  });
});

describe('TR-3 messages', () => {
  it('TR-3 a message reaches every other device of the person and the agent, on any node, and not its sender', async () => {
    const { person, agent, id } = await pair();
    const phone = await addDevice(one, person.id);
    const [desk, mobile, service] = [await join(one, person), await join(two, phone), await join(two, agent)];
    const ack = await say(desk, person, id);
    expect(ack).toMatchObject({ message_id: expect.any(String), conversation_seq: 1 });
    const heard = await mobile.next('message.new');
    expect(heard).toMatchObject({ message_id: ack.message_id, conversation_seq: 1, sender: person.sender });
    expect(await service.next('message.new')).toEqual(heard);
    await say(service, agent, id);
    await desk.until((frames) => sequences(frames).includes(2));
    expect(sequences(desk.frames)).toEqual([2]);
  });

  it('TR-3 what was sent over HTTP arrives on sockets of another node', async () => {
    const { person, agent, id } = await pair();
    const socket = await join(two, agent);
    const body = seal(person, id);
    const reply = await one.call('POST', `/conversations/${id}/messages`, { token: person.token, body });
    expect(reply.status).toBe(200);
    expect((await socket.next('message.new')).envelope).toEqual(body);
  });

  it('TR-2 resuming loses and repeats nothing, whatever was acknowledged and wherever one comes back', async () => {
    const { person, agent, id } = await pair();
    const desk = await join(one, person);
    const [first, watcher] = [await connect(one, agent), await join(two, agent)];
    for (let n = 0; n < 5; n++) await say(desk, person, id);
    await first.until((frames) => sequences(frames).length === 5);
    // It goes by the same acks, and must not begin behind them.
    await watcher.until((frames) => sequences(frames).length === 5);
    first.send({ type: 'ack', conversation_id: id, seq: 3 });
    await first.end();
    for (let n = 0; n < 150; n++) desk.send({ type: 'send', envelope: seal(person, id) });
    // It has handled 4, though it acknowledged 3; another time it knows nothing and goes by its acks.
    const second = await join(two, agent, { conversations: { [id]: 4 } });
    for (let n = 0; n < 5; n++) await say(desk, person, id);
    await second.until((frames) => sequences(frames).at(-1) === 160);
    expect(sequences(second.frames)).toEqual(Array.from({ length: 156 }, (_, n) => n + 5));
    const third = await join(one, agent);
    await third.until((frames) => sequences(frames).at(-1) === 160);
    expect(sequences(third.frames)).toEqual(Array.from({ length: 157 }, (_, n) => n + 4));
    await watcher.until((frames) => sequences(frames).at(-1) === 160);
    expect(sequences(watcher.frames)).toEqual(Array.from({ length: 160 }, (_, n) => n + 1));
  });

  it('TR-2 messages that arrive during a resume come once and in order', async () => {
    const { person, agent, id } = await pair();
    const desk = await join(one, person);
    for (let n = 0; n < 60; n++) desk.send({ type: 'send', envelope: seal(person, id) });
    const sockets = await Promise.all([one, two, one, two].map((server) => join(server, agent, {})));
    for (let n = 0; n < 60; n++) desk.send({ type: 'send', envelope: seal(person, id) });
    for (const socket of sockets) {
      await socket.until((frames) => sequences(frames).at(-1) === 120);
      expect(sequences(socket.frames)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
    }
  });

  it('TR-1 a resume only narrows: what was pushed or acknowledged does not come again', async () => {
    const { person, agent, id } = await pair();
    const [desk, service] = [await join(one, person), await join(one, agent)];
    for (let n = 0; n < 3; n++) await say(desk, person, id);
    await service.until((frames) => sequences(frames).length === 3);
    service.send({ type: 'resume', conversations: { [id]: 1 } });
    await say(desk, person, id);
    await service.until((frames) => sequences(frames).includes(4));
    expect(sequences(service.frames)).toEqual([1, 2, 3, 4]);
    service.send({ type: 'ack', conversation_id: id, seq: 3 });
    service.send({ type: 'ping' });
    await service.next('pong');
    await service.end();
    const back = await join(two, agent, { conversations: { [id]: 1 } });
    await back.until((frames) => sequences(frames).includes(4));
    expect(sequences(back.frames)).toEqual([4]);
  });

  it('TR-1 without a resume everything undelivered is pushed, then everything new', async () => {
    const { person, agent, id } = await pair();
    const desk = await join(one, person);
    for (let n = 0; n < 130; n++) desk.send({ type: 'send', envelope: seal(person, id) });
    await desk.until((frames) => frames.filter(({ type }) => type === 'message.ack').length === 130);
    const service = await join(two, agent);
    await say(desk, person, id);
    await service.until((frames) => sequences(frames).includes(131));
    expect(sequences(service.frames)).toEqual(Array.from({ length: 131 }, (_, n) => n + 1));
  });

  it.each([0, 1, 49, 50, 51, 120])(
    'TR-1 a resume that arrives %i messages into the push loses nothing, and nothing comes twice',
    async (count) => {
      const { person, agent, id } = await pair();
      const desk = await join(one, person);
      for (let n = 0; n < 300; n++) desk.send({ type: 'send', envelope: seal(person, id) });
      await desk.until((frames) => frames.filter(({ type }) => type === 'message.ack').length === 300);
      const service = await join(two, agent);
      await service.until((frames) => sequences(frames).length >= count);
      service.send({ type: 'resume', conversations: { [id]: 200 } });
      for (let n = 0; n < 20; n++) desk.send({ type: 'send', envelope: seal(person, id) });
      await service.until((frames) => sequences(frames).at(-1) === 320);
      const got = sequences(service.frames);
      expect(got).toEqual([...new Set(got)].sort((a, b) => a - b));
      expect(got.filter((seq) => seq > 200)).toEqual(Array.from({ length: 120 }, (_, n) => n + 201));
      // What came before is the beginning, without a hole: the resume ruled out the rest.
      const early = got.filter((seq) => seq <= 200);
      expect(early).toEqual(early.map((_, n) => n + 1));
    },
  );

  it('TR-2 numbers whose messages are not kept any more are named', async () => {
    const { person, agent, id } = await pair();
    const desk = await join(one, person);
    for (let n = 0; n < 6; n++) await say(desk, person, id);
    const gone = one.platform.db.updateTable('messages').set({ envelope: null }).where('conversation_id', '=', id);
    await gone.where('seq', 'in', [1, 2, 4, 6]).execute();
    const service = await join(one, agent);
    await service.until((frames) => frames.some((frame) => frame.to_seq === 6));
    const told = service.frames.filter(({ type }) => type.startsWith('message.'));
    expect(
      told.map(({ type, conversation_seq, from_seq, to_seq }) => [type, conversation_seq ?? [from_seq, to_seq]]),
    ).toEqual([
      ['message.gone', [1, 2]],
      ['message.new', 3],
      ['message.gone', [4, 4]],
      ['message.new', 5],
      ['message.gone', [6, 6]],
    ]);
  });

  it('TR-2 what a device has written itself is not missed when it is not kept any more', async () => {
    const { person, agent, id } = await pair();
    const [desk, service] = [await join(one, person), await join(one, agent)];
    for (let n = 0; n < 60; n++) await say(desk, person, id);
    await say(service, agent, id);
    await say(desk, person, id);
    await desk.until((frames) => sequences(frames).includes(61));
    const gone = one.platform.db.updateTable('messages').set({ envelope: null }).where('conversation_id', '=', id);
    await gone.where('sender_kind', '=', 'human').execute();
    const [again, other] = [await join(one, person), await join(one, agent)];
    await again.until((frames) => sequences(frames).includes(61));
    await other.until((frames) => frames.some((frame) => frame.to_seq === 62));
    const told = ({ frames }: typeof again) =>
      frames.filter(({ type }) => type === 'message.gone').map(({ from_seq, to_seq }) => [from_seq, to_seq]);
    expect([told(again), told(other)]).toEqual([
      [],
      [
        [1, 60],
        [62, 62],
      ],
    ]);
    const { body } = await one.call('GET', `/conversations/${id}/messages`, { token: person.token });
    expect(body.messages.map((message: { conversation_seq: number }) => message.conversation_seq)).toEqual([61]);
  });

  it('TR-3 an agent hears nothing of conversations it is not in', async () => {
    const { agent } = await pair();
    const [stranger, desk] = [await join(one, agent, { conversations: { [conversation]: 0 } }), await join(one, ann)];
    await say(desk, ann);
    stranger.send({ type: 'send', envelope: seal(agent, conversation) });
    expect(await stranger.next('error')).toMatchObject({ code: 'NOT_FOUND' });
    expect(sequences(stranger.frames)).toEqual([]);
  });
});

describe('RL-8 events', () => {
  it('RL-8 events come at once, each once, and after a return those that were not acknowledged', async () => {
    const { agent } = await pair();
    const emit = (n: number) =>
      one.platform.events.send([{ kind: 'agent', id: agent.id }], 'test.event' as never, { n });
    const numbers = (socket: TestSocket) => socket.frames.filter(({ type }) => type === 'test.event').map(({ n }) => n);
    const socket = await connect(two, agent);
    await emit(1);
    const first = await socket.next('test.event');
    await emit(2);
    await socket.until(() => numbers(socket).length === 2);
    socket.send({ type: 'event.ack', event_id: first.event_id });
    socket.send({ type: 'ping' });
    await socket.next('pong');
    await socket.end();
    await emit(3);
    const back = await join(one, agent);
    await back.until(() => numbers(back).includes(3));
    expect(numbers(back)).toEqual([2, 3]);
    const known = await join(two, agent, { event_id: back.frames.find(({ n }) => n === 2)!.event_id });
    await known.until(() => numbers(known).includes(3));
    expect(numbers(known)).toEqual([3]);
  });

  it('RL-8 an event whose transaction commits late is not passed over', async () => {
    const { agent } = await pair();
    const recipients = [{ kind: 'agent' as const, id: agent.id }];
    const { db, events } = one.platform;
    const socket = await join(one, agent);
    let commit = () => {};
    const gate = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let inserted = () => {};
    const started = new Promise<void>((resolve) => {
      inserted = resolve;
    });
    const late = db.transaction().execute(async (trx) => {
      await events.store(trx, recipients, 'test.late' as never, {});
      inserted();
      await gate;
    });
    await started;
    await events.send(recipients, 'test.soon' as never, {});
    const soon = await socket.next('test.soon');
    commit();
    await late;
    events.wake(recipients);
    const after = await socket.next('test.late');
    expect(after.event_id).toBeGreaterThan(soon.event_id);
  });
});

describe('TC-9 live frames', () => {
  it('TC-9 typing and streams go to the others at once, on any node, and are not stored', async () => {
    const { person, agent, id } = await pair();
    const stream_id = crypto.randomUUID();
    const [desk, service] = [await join(two, person), await join(one, agent)];
    service.send({ type: 'typing', conversation_id: id });
    service.send({ type: 'stream.start', conversation_id: id, stream_id, sealed: 'A'.repeat(12_000) });
    for (let index = 0; index < 20; index++) {
      service.send({ type: 'stream.delta', conversation_id: id, stream_id, index, sealed: 'AAAA' });
    }
    service.send({ type: 'stream.done', conversation_id: id, stream_id, client_message_id: 'final' });
    await desk.next('stream.done');
    const live = desk.frames.filter(({ conversation_id }) => conversation_id === id);
    expect(live.map(({ type }) => type)).toEqual([
      'typing',
      'stream.start',
      ...Array.from({ length: 20 }, () => 'stream.delta'),
      'stream.done',
    ]);
    expect(live[1]).toMatchObject({ sealed: 'A'.repeat(12_000), sender: agent.sender });
    expect(live.slice(2, 22).map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(service.frames.filter(({ type }) => type.startsWith('stream.'))).toEqual([]);
    const { rows } = await one.platform.storage.pool.query('select 1 from messages where conversation_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('TC-9 a stream ends after 30 s of silence, after 5 minutes, and with its socket', async () => {
    const server = await startTestServer({ databaseUrl: one.config.databaseUrl, tokenSecret: one.config.tokenSecret });
    const { person, agent, id } = await pair();
    const desk = await join(one, person);
    const service = await connect(server, agent);
    const start = async () => {
      const stream_id = crypto.randomUUID();
      service.send({ type: 'stream.start', conversation_id: id, stream_id });
      await desk.next((frame) => frame.type === 'stream.start' && frame.stream_id === stream_id);
      return stream_id;
    };
    const ended = (stream_id: string) =>
      desk.next((frame) => frame.type === 'stream.abort' && frame.stream_id === stream_id);
    const silent = await start();
    server.clock.advance(30_001);
    expect((await ended(silent)).reason).toBe('idle');
    const long = await start();
    for (let n = 0; n < 16; n++) {
      server.clock.advance(20_000);
      service.send({ type: 'stream.delta', conversation_id: id, stream_id: long, index: n });
      service.send({ type: 'ping' });
      await service.until((frames) => frames.filter(({ type }) => type === 'pong').length > n);
    }
    expect((await ended(long)).reason).toBe('too_long');
    const last = await start();
    service.socket.terminate();
    expect((await ended(last)).reason).toBe('disconnected');
    await server.drop();
  });

  it('TC-9 nobody streams into a conversation they are not in, or continues the stream of someone else', async () => {
    const { person, agent, id } = await pair();
    const stream_id = crypto.randomUUID();
    const [service, desk, eve] = [await join(one, agent), await join(one, person), await join(one, ann)];
    eve.send({ type: 'stream.start', conversation_id: id, stream_id });
    expect(await eve.next('error')).toMatchObject({ code: 'NOT_FOUND', conversation_id: id });
    service.send({ type: 'stream.start', conversation_id: id, stream_id });
    await desk.next('stream.start');
    desk.send({ type: 'stream.delta', conversation_id: id, stream_id, index: 0 });
    expect(await desk.next('error')).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('TR-1 closing', () => {
  it('TR-1 a server that closes says so, finishes what it was sent, and closes with 1001', async () => {
    const server = await startTestServer({ databaseUrl: one.config.databaseUrl, tokenSecret: one.config.tokenSecret });
    const { person, id } = await pair();
    const socket = await connect(server, person);
    const envelopes = Array.from({ length: 50 }, () => seal(person, id));
    for (const envelope of envelopes) socket.send({ type: 'send', envelope });
    await socket.next('message.ack');
    await server.close();
    expect(await socket.closed).toBe(1001);
    expect(socket.frames.some(({ type }) => type === 'server.closing')).toBe(true);
    const acked = socket.frames.filter(({ type }) => type === 'message.ack').map((frame) => frame.client_message_id);
    const rows = await one.platform.db
      .selectFrom('messages')
      .select('client_message_id')
      .where('conversation_id', '=', id)
      .execute();
    expect(rows.map((row) => row.client_message_id).sort()).toEqual(acked.sort());
  });
});
