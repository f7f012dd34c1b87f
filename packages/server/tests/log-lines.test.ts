import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOSE_CODES } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueForWebhooks } from '../src/events/webhook-outbox.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect, openSocket } from './harness/socket.ts';
import { addBot, addTalker, type Talker } from './harness/talk.ts';

let folder: string;
let file: string;
let server: TestServer;
let person: Talker;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-log-lines-'));
  file = join(folder, 'log');
  const budgets = { frames_per_second: 1, waiting_deliveries: 1 };
  server = await startTestServer({ logLevel: 'info', logFile: file, budgets });
  // What a test does fits into its budget, except where it shall not.
  server.clock.stop();
  person = await addTalker(server);
});
afterAll(async () => {
  await server.drop();
  rmSync(folder, { recursive: true });
});

const lines = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const CLIENT = '127.0.0.1';

describe('OP-14 the log says who', () => {
  it('OP-14 attack: requests that a limit refuses have a line a minute with the account, those that are served one each', async () => {
    server.clock.advance(15_000);
    await until(async () => expect((await server.call('GET', '/auth/me', { token: person.token })).status).toBe(429));
    for (let n = 0; n < 20; n++) await server.call('GET', '/auth/me', { token: person.token });
    await server.call('GET', '/health');
    const about = { limit: 'frames_per_second', account: person.id, client: CLIENT };
    const refused = { ...about, method: 'GET', route: '/auth/me', status: 429, times: 1, msg: 'refused' };
    // Its line is behind theirs.
    await until(() => expect(lines().at(-1)).toMatchObject({ route: '/health' }));
    expect(lines().filter(({ status }) => status === 429)).toMatchObject([refused]);
    const served = lines().find(({ route, status }) => route === '/auth/me' && status === 200);
    expect(served).not.toHaveProperty('account');
  });

  it('OP-14 frames that a limit refused: one line a minute for each account, with its client', async () => {
    server.clock.advance(60_000);
    const socket = await connect(server, person);
    const refusals = () => lines().filter(({ msg, route }) => msg === 'refused' && route === undefined);
    const flood = () => {
      for (let n = 0; n < 40; n++)
        socket.send({ type: 'claim', message_id: randomUUID(), conversation_id: randomUUID() });
    };
    const refused = { limit: 'frames_per_second', account: person.id, client: CLIENT };
    flood();
    await until(() => expect(refusals()).toMatchObject([refused]));
    flood();
    await socket.until((frames) => frames.filter(({ type }) => type === 'error').length > 60);
    expect(refusals()).toHaveLength(1);
    server.clock.advance(60_000);
    flood();
    await until(() => expect(refusals()).toMatchObject([refused, { ...refused, times: expect.any(Number) }]));
    await socket.end();
  });

  it('OP-14 each socket has a line when it ends, with client, account, agent and code', async () => {
    server.clock.advance(15_000);
    const bot = await addBot(server, person);
    server.clock.advance(15_000);
    const socket = await connect(server, bot);
    server.clock.advance(30_000);
    await socket.end();
    const silent = await openSocket(server, '/ws/human');
    silent.send({ type: 'ping' });
    await silent.closed;
    const ends = () => lines().filter(({ msg }) => msg === 'socket closed');
    await until(() => expect(ends()).toHaveLength(3));
    const known = { client: CLIENT, account: person.id, agent: bot.id, code: 1005, seconds: 30 };
    expect(ends()).toContainEqual(expect.objectContaining(known));
    const unknown = ends().find(({ account }) => account === undefined);
    expect(unknown).toMatchObject({ client: CLIENT, code: CLOSE_CODES.auth });
    expect(readFileSync(file, 'utf8')).not.toContain(bot.token);
    expect(readFileSync(file, 'utf8')).not.toContain(person.token);
  });

  it('OP-14 deliveries beyond the budget have a line with the account', async () => {
    server.clock.advance(15_000);
    const bot = await addBot(server, person, { mode: 'webhook' });
    const url = 'http://127.0.0.1:9/';
    server.clock.advance(15_000);
    const put = await server.call('PUT', `/agents/${bot.id}/webhook`, { token: person.token, body: { url } });
    expect(put.status).toBe(200);
    const { platform } = server;
    for (let n = 0; n < 3; n++)
      await platform.db.transaction().execute((trx) => queueForWebhooks(trx, platform, [bot.id], 'message.new', { n }));
    const refused = { msg: 'refused', limit: 'waiting_deliveries', account: person.id };
    await until(() => expect(lines()).toContainEqual(expect.objectContaining(refused)));
  });
});
