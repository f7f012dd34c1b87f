import { connect as connectTcp } from 'node:net';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect, openSocket, sequences } from './harness/socket.ts';
import { addBot, addTalker, type Bot, relate, seal, type Talker } from './harness/talk.ts';

let server: TestServer;
let ann: Talker;
let bot: Bot;
let conversation: string;

beforeAll(async () => {
  server = await startTestServer();
  ann = await addTalker(server);
  bot = await addBot(server, ann);
  conversation = await relate(server, ann, bot);
});
afterAll(() => server.drop());

const isAlive = async () => (await server.call('GET', '/nowhere')).status === 404;
const id = '0190a0a0-0000-7000-8000-000000000000';

describe('TR-1 hostile frames', () => {
  it.each([
    ['text that is not JSON', 'hello'],
    ['half of a frame', '{"type":"ping"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1e999'],
    ['a type that is not a text', '{"type":{"toString":1}}'],
    ['an unknown type', '{"type":"sudo"}'],
    ['the name of an inherited property', '{"type":"constructor"}'],
    ['a prototype', '{"type":"__proto__"}'],
    ['two keys of one name', '{"type":"ping","type":"auth"}'],
    ['a field that is not in the contract', '{"type":"ping","admin":true}'],
    ['deep nesting', `{"type":"ping","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['a resume of something that is no conversation', '{"type":"resume","conversations":{"x\' or 1=1":1}}'],
    ['a resume with prototype keys', '{"type":"resume","conversations":{"__proto__":1}}'],
    ['a negative number', `{"type":"ack","conversation_id":"${id}","seq":-1}`],
    ['a number beyond what is exact', `{"type":"ack","conversation_id":"${id}","seq":1e300}`],
    ['a fraction', `{"type":"ack","conversation_id":"${id}","seq":0.5}`],
    ['a send without an envelope', '{"type":"send"}'],
    ['an envelope of another version', '{"type":"send","envelope":{"header":{"version":2}}}'],
    ['U+0000 in an id', '{"type":"typing","conversation_id":"\\u0000"}'],
  ])('TR-1 %s is answered with BAD_REQUEST', async (_name, text) => {
    const socket = await connect(server, ann);
    socket.send(text);
    expect(await socket.next('error')).toMatchObject({ code: 'BAD_REQUEST', i18n_key: 'error.bad_request' });
    socket.send({ type: 'ping' });
    await socket.next('pong');
    await socket.end();
  });

  it('TR-1 a binary frame is refused, and many bad frames end the socket', async () => {
    const socket = await connect(server, ann);
    for (let n = 0; n < 25; n++) socket.socket.send(Buffer.from([0, 1, 2]));
    expect(await socket.closed).toBe(4000);
    expect(await isAlive()).toBe(true);
  });

  it('TR-1 a frame of 10 MB ends the socket before it is in memory', async () => {
    const socket = await connect(server, ann);
    socket.socket.on('error', () => {});
    socket.send(`{"type":"ping","x":"${'x'.repeat(10_000_000)}"}`);
    expect([1006, 1009]).toContain(await socket.closed);
    expect(await isAlive()).toBe(true);
  });

  it.each([
    ['a send', () => JSON.stringify({ type: 'send', envelope: seal(ann, conversation) })],
    ['a resume', () => '{"type":"resume"}'],
    ['garbage', () => '}'],
  ])('TR-1 %s before auth ends the socket and does nothing', async (_name, frame) => {
    const socket = await openSocket(server, '/ws/human');
    socket.send(frame());
    expect((await socket.next('auth.error')).reason).toBe('auth_required');
    expect(await socket.closed).toBe(4001);
  });

  it('TR-1 frames right behind auth wait for it, and are dropped with it', async () => {
    const good = await openSocket(server, '/ws/human');
    good.send({ type: 'auth', token: ann.token });
    good.send({ type: 'ping' });
    await good.next('pong');
    expect(good.frames.map(({ type }) => type)).toEqual(['auth.ok', 'pong']);
    const bad = await openSocket(server, '/ws/human');
    const envelope = seal(ann, conversation, { client_message_id: 'smuggled' });
    bad.send({ type: 'auth', token: 'wrong' });
    bad.send({ type: 'send', envelope });
    expect(await bad.closed).toBe(4001);
    const row = server.platform.db.selectFrom('messages').select('id').where('client_message_id', '=', 'smuggled');
    expect(await row.execute()).toEqual([]);
    await good.end();
  });

  it('TR-1 whoever has not signed in cannot make the server hold more than 64 KB', async () => {
    const socket = await openSocket(server, '/ws/human');
    socket.socket.on('error', () => {});
    socket.send(`{"type":"auth","token":"${'x'.repeat(500_000)}"}`);
    expect(await socket.closed).toBe(1006);
    expect(await isAlive()).toBe(true);
  });

  it('TR-1 slow loris: a handshake that never ends does not hold up others', async () => {
    const { port } = new URL(server.url);
    const lines = Array.from({ length: 50 }, () => {
      const line = connectTcp(Number(port), '127.0.0.1');
      line.on('error', () => {});
      line.write('GET /ws/human HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\n');
      return line;
    });
    const socket = await connect(server, ann);
    await socket.end();
    for (const line of lines) line.destroy();
    expect(await isAlive()).toBe(true);
  });

  it('TR-1 a second auth is refused', async () => {
    const socket = await connect(server, ann);
    socket.send({ type: 'auth', token: bot.token });
    expect(await socket.next('error')).toMatchObject({ code: 'BAD_REQUEST' });
    await socket.end();
  });

  it('TR-7 an error names no internals', async () => {
    const socket = await connect(server, ann);
    const pool = server.platform.storage.pool;
    await pool.query('alter table messages rename to hidden');
    try {
      socket.send({ type: 'send', envelope: seal(ann, conversation) });
      const error = await socket.next('error');
      expect(error).toMatchObject({ code: 'UNAVAILABLE', params: {} });
      expect(JSON.stringify(error)).not.toMatch(/messages"|hidden|select|relation "/);
    } finally {
      await pool.query('alter table hidden rename to messages');
    }
    socket.send({ type: 'send', envelope: seal(ann, conversation) });
    await socket.next('message.ack');
    await socket.end();
  });
});

describe('TR-2 slow consumers', () => {
  it('TR-2 a consumer that takes nothing is disconnected after 30 s and loses nothing', async () => {
    const owner = await addTalker(server);
    const agent = await addBot(server, owner);
    const talk = await relate(server, owner, agent);
    const [writer, slow] = [await connect(server, owner), await connect(server, agent)];
    slow.socket.pause();
    // More than all buffers hold, and less than an account may send at once.
    const count = 90;
    const ciphertext = 'A'.repeat(200_000);
    for (let n = 0; n < count; n++) {
      const envelope = { ...seal(owner, talk), ciphertext };
      writer.send({ type: 'send', envelope });
      await writer.next((f) => f.type === 'message.ack' && f.client_message_id === envelope.header.client_message_id);
    }
    server.clock.advance(31_000);
    writer.send({ type: 'ping' });
    await writer.next('pong');
    await until(async () => {
      const gauge = await server.platform.metrics.sockets.get();
      expect(gauge.values.find(({ labels }) => labels.kind === 'agent')?.value ?? 0).toBe(0);
    });
    slow.socket.resume();
    expect([1006, 4008]).toContain(await slow.closed);
    const before = sequences(slow.frames).length;
    expect(before).toBeLessThan(count);
    const back = await connect(server, agent, { conversations: { [talk]: before } });
    await back.until((frames) => sequences(frames).at(-1) === count);
    expect([...sequences(slow.frames), ...sequences(back.frames)]).toEqual(
      Array.from({ length: count }, (_, n) => n + 1),
    );
    await back.end();
    await writer.end();
  });
});
