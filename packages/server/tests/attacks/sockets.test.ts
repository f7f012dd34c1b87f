import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { inTime, until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createSharedReads } from '../../src/conversations/shared-reads.ts';
import { createIntake } from '../../src/http/intake.ts';
import { RequestError } from '../../src/http/request-error.ts';
import { createConnection } from '../../src/sockets/connection.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { connect, sequences, type TestSocket } from '../harness/socket.ts';
import { addBot, addTalker, relate, seal } from '../harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

/** What the server answers to these bytes, until it hangs up. */
async function exchange(bytes: string): Promise<string> {
  const socket = connectTcp(Number(new URL(server.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.end(bytes);
  await inTime(once(socket, 'close'), () => answer);
  return answer;
}

const upgrade = (target: string) =>
  `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;

describe('TR-1 attacks on sockets', () => {
  it.each(['//', 'http://[', '//:99999', '/\\\\'])(
    'TR-1 crash by upgrade: the target %s is refused and the process lives',
    async (target) => {
      expect(await exchange(upgrade(target))).toMatch(/^HTTP\/1\.1 (400|404) /);
      expect((await server.call('GET', '/health')).status).toBe(200);
    },
  );

  const pair = async () => {
    const person = await addTalker(server);
    const bot = await addBot(server, person);
    return { person, bot, id: await relate(server, person, bot) };
  };
  const alive = async (socket: TestSocket) => {
    const before = socket.frames.length;
    socket.send({ type: 'ping' });
    await socket.until((frames) => frames.slice(before).some(({ type }) => type === 'pong'));
  };

  it('TR-1 hiding by resume: cursors ahead of what exists hide nothing that comes later', async () => {
    const { person, bot, id } = await pair();
    const emit = (n: number) =>
      server.platform.events.send([{ kind: 'agent', id: bot.id }], 'test.event' as never, { n });
    const far = Number.MAX_SAFE_INTEGER;
    const desk = await connect(server, person);
    const early = await connect(server, bot, { conversations: { [id]: far }, event_id: far });
    const late = await connect(server, bot);
    late.send({ type: 'resume', conversations: { [id]: far }, event_id: far });
    for (const socket of [early, late]) await alive(socket);
    await emit(1);
    for (let n = 0; n < 3; n++) desk.send({ type: 'send', envelope: seal(person, id) });
    for (const socket of [early, late]) {
      await socket.next('test.event');
      await socket.until((frames) => sequences(frames).length === 3);
      expect(sequences(socket.frames)).toEqual([1, 2, 3]);
      await socket.end();
    }
    await desk.end();
  });

  it('TR-1 nonsense by resume: a refused one changes nothing about what is pushed', async () => {
    const { person, bot, id } = await pair();
    const [desk, service] = [await connect(server, person), await connect(server, bot)];
    for (const wrong of [{ conversations: { [id]: -1 } }, { event_id: -1 }, { conversations: { [id]: 0.5 } }]) {
      const before = service.frames.length;
      service.send({ type: 'resume', ...wrong });
      await service.until((frames) => frames.slice(before).some(({ code }) => code === 'BAD_REQUEST'));
    }
    desk.send({ type: 'send', envelope: seal(person, id) });
    expect(await service.next('message.new')).toMatchObject({ conversation_id: id, conversation_seq: 1 });
    await Promise.all([desk.end(), service.end()]);
  });

  it('TR-1 reading by resume: the conversation of others is no different from one that does not exist', async () => {
    const [{ person, id }, { bot: eve }] = [await pair(), await pair()];
    const desk = await connect(server, person);
    const spy = await connect(server, eve, { conversations: { [id]: 0, [randomUUID()]: 0 } });
    spy.send({ type: 'resume', conversations: { [id]: 0 } });
    desk.send({ type: 'send', envelope: seal(person, id) });
    await desk.next('message.ack');
    await alive(spy);
    expect(spy.frames.map(({ type }) => type)).toEqual(['auth.ok', 'pong']);
    await Promise.all([desk.end(), spy.end()]);
  });

  it('TR-1 flooding by resume: a thousand of them repeat nothing and hold up nothing', async () => {
    const { person, bot, id } = await pair();
    const [desk, service] = [await connect(server, person), await connect(server, bot)];
    for (let n = 0; n < 20; n++) desk.send({ type: 'send', envelope: seal(person, id) });
    await service.until((frames) => sequences(frames).length === 20);
    for (let n = 0; n < 1_000; n++) {
      service.send({ type: 'resume', conversations: { [id]: n % 20, [randomUUID()]: n }, event_id: n });
    }
    desk.send({ type: 'send', envelope: seal(person, id) });
    await service.until((frames) => sequences(frames).includes(21));
    await alive(service);
    expect(sequences(service.frames)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
    await Promise.all([desk.end(), service.end()]);
  });

  it('TR-2 memory by resume: conversations are not named faster than they are looked up', async () => {
    const socket = await connect(server, await addTalker(server));
    for (let frame = 0; frame < 3; frame++) {
      const names = Array.from({ length: 11_000 }, () => [randomUUID(), 1]);
      socket.send({ type: 'resume', conversations: Object.fromEntries(names) });
    }
    expect(await socket.next('error')).toMatchObject({ code: 'RATE_LIMITED' });
    socket.send({ type: 'ping' });
    expect(await socket.next('pong')).toBeDefined();
    await socket.end();
  });

  it('TR-1 refused but never gone: whoever is refused is hung up on, even if they hold the line', async () => {
    const held = connectTcp({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true });
    let reset = false;
    held.on('error', () => {
      reset = true;
    });
    held.write(upgrade('/nowhere'));
    held.resume();
    await once(held, 'end');
    await until(() => {
      held.write('still there?');
      expect(reset).toBe(true);
    });
    held.destroy();
  });

  it('TR-1 sockets that never say who they are do not keep out those who do', async () => {
    const { port } = new URL(server.url);
    const idle = Array.from({ length: 2_100 }, () => connectTcp(Number(port), '127.0.0.1'));
    const accepted = idle.map(async (socket) => {
      socket.on('error', () => {});
      socket.write(upgrade('/ws/human'));
      // Not `once`, which fails where a socket is reset: some are, to make room for others.
      await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
    });
    await Promise.all(accepted);
    const honest = await connect(server, await addTalker(server));
    await honest.end();
    const open = () => idle.filter((socket) => !socket.destroyed).length;
    await until(() => expect(open()).toBeLessThanOrEqual(2_000));
    for (const socket of idle) socket.destroy();
  });

  it('TR-1 sockets that do not hear goodbye: an account has twenty of them all the same', async () => {
    const person = await addTalker(server);
    const sockets = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = await connect(server, person);
        socket.socket.pause();
        return socket;
      }),
    );
    const open = async () => (await server.platform.metrics.sockets.get()).values[0]?.value;
    await until(async () => expect(await open()).toBe(20));
    for (const { socket } of sockets) socket.terminate();
  });

  it('TR-1 revoked on the way in: what was taken back before anyone listened is noticed', async () => {
    const sent: string[] = [];
    const socket = Object.assign(new EventEmitter(), {
      OPEN: 1,
      readyState: 1,
      bufferedAmount: 0,
      send: (text: string) => void sent.push(JSON.parse(text).reason ?? JSON.parse(text).type),
      close: () => {},
      terminate: () => {},
    });
    const { caller } = await addTalker(server);
    let asked = 0;
    const auth = {
      authenticate: async () => {
        if (++asked > 1) throw new RequestError('UNAUTHENTICATED');
        return caller;
      },
    };
    const token = `x.${Buffer.from(JSON.stringify({ exp: 99_999_999_999 })).toString('base64url')}.x`;
    const presence = { enter: () => ({ leave: () => {} }) };
    createConnection(
      {
        platform: server.platform,
        auth: auth as never,
        conversations: { reads: createSharedReads(1) } as never,
        presence: presence as never,
        intake: createIntake(),
      },
      {
        socket: socket as unknown as WebSocket,
        endpoint: { kind: 'human' },
        client: '203.0.113.9',
        locale: 'en',
        stream: { cork: () => {}, uncork: () => {} },
        onAuthenticated: () => ({ leave: () => {}, noteWaiting: () => {}, chargeCopies: () => {} }),
      },
    );
    socket.emit('message', Buffer.from(JSON.stringify({ type: 'auth', token })), false);
    await until(() => expect(sent).toEqual(['auth.ok', 'revoked']));
  });
});
