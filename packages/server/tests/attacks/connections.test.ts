import { once } from 'node:events';
import { get } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { until } from '@parley/testkit/until';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addAgent, addPerson } from '../harness/relations.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { connect } from '../harness/socket.ts';
import { addBot, addTalker, relate, seal } from '../harness/talk.ts';

const MAX = 60;
const SHARE = MAX / 3;
const HEAD = 'GET /health HTTP/1.1\r\nhost: x\r\n';
const BODY = 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';

const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${btoa('x'.repeat(16))}\r\n\r\n`;

async function start(overrides: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer({ maxConnections: MAX, ...overrides });
  onTestFinished(() => server.drop());
  return server;
}

/** Connections of clients that begin a request and never finish it. */
async function openSlow(server: TestServer, addresses: readonly string[], begin = HEAD): Promise<Socket[]> {
  const { port } = new URL(server.url);
  const sockets = addresses.map((localAddress) =>
    connectTcp({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true }),
  );
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  await Promise.all(
    sockets.map(async (socket) => {
      socket.on('error', () => {});
      // Without a reader its end would not be heard of.
      socket.resume();
      await once(socket, 'connect');
      socket.write(begin);
    }),
  );
  return sockets;
}

/** Writes a little to find out: a half-open connection shows nothing by itself. */
function countOpen(sockets: readonly Socket[]): number {
  for (const socket of sockets) if (socket.writable) socket.write('x');
  return sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
}

function visit(server: TestServer, localAddress: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${server.url}/health`, { localAddress, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

const addressOf = (index: number) => `127.0.${1 + (index >> 7)}.${1 + (index % 128)}`;
const many = (count: number, address: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => address(index));

describe('OP-7 slow connections', () => {
  it('OP-7 attack: a client that trickles its headers and never hangs up is answered 408 and destroyed', async () => {
    const server = await start({ headersTimeoutMs: 100 });
    const [slow] = (await openSlow(server, ['127.0.0.1'])) as [Socket];
    let answer = '';
    let reset = false;
    slow.on('data', (chunk) => {
      answer += chunk;
    });
    slow.on('error', () => {
      reset = true;
    });
    await until(() => expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n(.|\r\n)*"code":"BAD_REQUEST"/));
    await until(() => {
      slow.write('x');
      expect(reset).toBe(true);
    });
  });

  it.each([
    ['headers', HEAD],
    ['bodies', BODY],
    ['nothing at all', ''],
  ])(
    'OP-7 attack: 300 connections of one address that send slow %s leave room for others and neighbours',
    async (_, begin) => {
      const server = await start();
      const slow = await openSlow(
        server,
        many(300, () => '127.0.0.1'),
        begin,
      );
      expect(await visit(server, '127.0.0.2')).toBe(200);
      expect(await visit(server, '127.0.0.1')).toBe(200);
      await until(() => expect(countOpen(slow)).toBeLessThanOrEqual(SHARE));
    },
  );

  it('OP-7 attack: slow connections of 300 addresses leave room for newcomers', async () => {
    const server = await start();
    const slow = await openSlow(server, many(300, addressOf));
    expect(await visit(server, '127.0.0.2')).toBe(200);
    await until(() => expect(countOpen(slow)).toBeLessThanOrEqual(MAX));
  });

  it('OP-7 whoever has asked for something is not closed to make room', async () => {
    const server = await start();
    const person = await addTalker(server);
    const socket = await connect(server, person);
    await openSlow(
      server,
      many(300, () => '127.0.0.1'),
    );
    expect(await visit(server, '127.0.0.2')).toBe(200);
    const before = socket.frames.length;
    socket.send({ type: 'ping' });
    await socket.until((frames) => frames.slice(before).some(({ type }) => type === 'pong'));
    await socket.end();
  });

  it('OP-7 connections of a trusted proxy are of many people, and only count for the whole', async () => {
    const server = await start({ trustedProxies: ['127.0.0.1'] });
    const held = await openSlow(
      server,
      many(2 * SHARE, () => '127.0.0.1'),
    );
    expect(await visit(server, '127.0.0.2')).toBe(200);
    expect(countOpen(held)).toBe(2 * SHARE);
  });
});

/** Connections of clients that have sent something and got the head of an answer, which is returned. */
async function openAnswered(server: TestServer, request: string): Promise<{ sockets: Socket[]; status: string }> {
  const heads: string[] = [];
  const sockets = await openSlow(server, many(MAX, addressOf), '');
  await Promise.all(
    sockets.map(async (socket) => {
      const answered = once(socket, 'data');
      socket.write(request);
      const [chunk] = await answered;
      heads.push(String(chunk).slice(9, 12));
    }),
  );
  return { sockets, status: heads[0]! };
}

describe('OP-7 connections that are kept', () => {
  const post = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 2\r\n\r\n{}`;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

  it.each([
    ['served', '200', get('/health')],
    ['refused before its body is read', '401', post('/agents', 'application/json')],
    ['refused for the type of its body', '415', post('/auth/login', 'text/x')],
    ['refused for its content', '400', post('/auth/login', 'application/json')],
    ['sent to nowhere', '404', post('/nowhere', 'application/json')],
  ])(
    'OP-7 attack: connections that are kept open after a request that was %s leave room',
    async (_, status, request) => {
      const server = await start();
      const { sockets, status: answered } = await openAnswered(server, request);
      expect(answered).toBe(status);
      expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
      expect(await visit(server, '127.0.0.2')).toBe(200);
    },
  );

  it('OP-7 whose first of two requests was answered waits for the second, and is not closed to make room', async () => {
    const server = await start();
    const person = await addTalker(server);
    const bot = await addBot(server, person, { mode: 'polling' });
    const wait = `GET /agents/${bot.id}/messages/poll?wait=60 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bot.token}\r\n\r\n`;
    const [busy] = (await openSlow(server, ['127.0.0.3'], '')) as [Socket];
    let answers = '';
    busy.on('data', (chunk) => {
      answers += chunk;
    });
    const { bus } = server.platform;
    const { listen } = bus;
    const polling = new Promise<void>((resolve) => {
      bus.listen = (key, listener) => {
        if (key === `a:${bot.id}`) resolve();
        return listen(key, listener);
      };
    });
    busy.write(get('/health') + wait);
    await polling;
    bus.listen = listen;
    await until(() => expect(answers).toContain('"status":"ok"'));
    await openSlow(server, many(300, addressOf));
    expect(await visit(server, '127.0.0.2')).toBe(200);
    const conversation = await relate(server, person, bot);
    const body = seal(person, conversation);
    await server.call('POST', `/conversations/${conversation}/messages`, { token: person.token, body });
    await until(() => expect(answers).toContain(body.header.client_message_id));
  });
});

describe('OP-14 strangers who are refused', () => {
  it('OP-7 OP-14 attack: connections that are closed, refused or cut off are counted by why', async () => {
    const server = await start({ headersTimeoutMs: 100 });
    const isCounted = (limit: string) =>
      until(async () => {
        const { body } = await server.call('GET', '/metrics');
        expect(body).toMatch(new RegExp(`parley_refusals_total\\{limit="${limit}"\\} [1-9]`));
      });
    await openSlow(server, ['127.0.0.3']);
    await isCounted('request_timeout');
    await openSlow(server, ['127.0.0.3'], 'no request at all\r\n\r\n');
    await isCounted('unreadable_requests');
    await openSlow(server, ['127.0.0.3'], upgrade('/nowhere'));
    await isCounted('upgrades');
    const [unknown] = (await openSlow(server, ['127.0.0.3'], upgrade('/ws/human'))) as [Socket];
    unknown.write(Buffer.alloc(100_000));
    await isCounted('unknown_sockets');
    await openSlow(
      server,
      many(SHARE + 1, () => '127.0.0.3'),
    );
    await isCounted('open_connections');
  });
});

describe('OP-1 connections of the pool', () => {
  it('OP-1 attack: an account whose requests all wait in the database leaves connections to others', async () => {
    const server = await startTestServer({ poolSize: 4 });
    onTestFinished(() => server.drop());
    const { db, storage } = server.platform;
    const greedy = await addAgent(server, await addPerson(server));
    const innocent = await addPerson(server);
    const hold = new pg.Client(server.config.databaseUrl);
    await hold.connect();
    await hold.query('begin');
    await hold.query('select from agents where id = $1 for update', [greedy.id]);
    const suspend = () => server.call('POST', `/agents/${greedy.id}/suspend`, { token: greedy.owner.token });
    const waiting = Array.from({ length: 30 }, suspend);
    const { budgets } = server.platform;
    await until(() => expect(budgets.usedNow(greedy.owner.accountId, 'connections')).toBe(2));
    expect((await server.call('GET', '/agents?mine=true', { token: innocent.token })).status).toBe(200);
    expect((await addAgent(server, innocent)).id).toBeDefined();
    // What the server does by itself may wait for a moment; thirty requests would wait for as long as the row is locked.
    await until(() => expect(storage.pool.waitingCount).toBe(0));
    await hold.query('rollback');
    await hold.end();
    const replies = await Promise.all(waiting);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const row = await db.selectFrom('agents').select('status').where('id', '=', greedy.id).executeTakeFirstOrThrow();
    expect(row.status).toBe('suspended');
  });
});
