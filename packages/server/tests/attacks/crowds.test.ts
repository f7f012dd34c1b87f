import { until } from '@parley/testkit/until';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consumerOf } from '../../src/conversations/consumer.ts';
import { createReader } from '../../src/conversations/read-messages.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { connect, type Frame, sequences } from '../harness/socket.ts';
import { addBot, addTalker, relate, seal } from '../harness/talk.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.drop());

/** Counts what is asked through this pool, by what the statement says. */
function watchStatements(pool: pg.Pool): { count(part: string): number } {
  const texts: string[] = [];
  const watch = (client: pg.PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [statement] = args as [string | { text: string }];
      texts.push(typeof statement === 'string' ? statement : statement.text);
      return query(...args);
    }) as typeof client.query;
  };
  const seen = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (!seen.has(client)) watch(client);
    seen.add(client);
  });
  return { count: (part) => texts.filter((text) => text.includes(part)).length };
}

async function limit(accountId: string, budget: 'sockets' | 'bytes_passed_on_per_second', value: number) {
  await server.platform.db.insertInto('account_budgets').values({ account_id: accountId, budget, value }).execute();
  await server.platform.budgets.reload();
}
const numbers = (frames: readonly Frame[]) => frames.filter(({ type }) => type === 'test.event').map(({ n }) => n);

describe('OP-3 attack: many sockets of one account', () => {
  it('OP-3 attack: an event for an agent with twenty sockets is read once, and its token checked once', async () => {
    const owner = await addTalker(server);
    const bot = await addBot(server, owner);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connect(server, bot)));
    const tell = (n: number) =>
      server.platform.events.send([{ kind: 'agent', id: bot.id }], 'test.event' as never, { n });
    await tell(0);
    await until(() => expect(sockets.map(({ frames }) => numbers(frames))).toEqual(sockets.map(() => [0])));
    const statements = watchStatements(server.platform.storage.pool);
    await tell(1);
    await until(() => expect(sockets.map(({ frames }) => numbers(frames))).toEqual(sockets.map(() => [0, 1])));
    // A socket that had its last push a moment later may ask once more; that is not one for each of the twenty.
    expect(statements.count('select position, type, payload from events')).toBeLessThanOrEqual(3);
    expect(statements.count('"token"."token_hash"')).toBeLessThanOrEqual(3);
  });

  it('OP-3 attack: pages that thousands wait for are read in turns by account, and what is large counts for its size', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const anns = await relate(server, ann, await addBot(server, ann));
    const eves = await relate(server, eve, await addBot(server, eve));
    const wrap = { to: eve.deviceId, key: 'k'.repeat(100) };
    for (let n = 0; n < 3; n++) {
      const body = { ...seal(eve, eves), wraps: Array.from({ length: 2_000 }, () => wrap) };
      await server.call('POST', `/conversations/${eves}/messages`, { token: eve.token, body });
    }
    await server.call('POST', `/conversations/${anns}/messages`, { token: ann.token, body: seal(ann, anns) });
    const reader = createReader(server.platform.db);
    const done: string[] = [];
    const read = async (who: typeof ann, conversationId: string, n: number) => {
      const page = await reader.read({ consumer: consumerOf(who.caller), conversationId, after: -n, allOwn: true });
      done.push(who.id);
      return page;
    };
    await read(eve, eves, 0);
    const reads = Array.from({ length: 200 }, (_, n) => read(eve, eves, n + 1));
    const own = await read(ann, anns, 1);
    expect(own?.messages).toHaveLength(1);
    // What begins before hers is one batch, which a few of such pages fill.
    expect(done.length).toBeLessThan(40);
    await Promise.all(reads);
  });

  it('OP-3 same requests are one, and nobody gets what is another’s', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const id = await relate(server, ann, await addBot(server, ann));
    await server.call('POST', `/conversations/${id}/messages`, { token: ann.token, body: seal(ann, id) });
    const reader = createReader(server.platform.db);
    const statements = watchStatements(server.platform.storage.pool);
    const read = (who: typeof ann) =>
      reader.read({ consumer: consumerOf(who.caller), conversationId: id, after: 0, allOwn: true });
    const [first, second, other] = await Promise.all([read(ann), read(ann), read(eve)]);
    expect(first?.messages.map(({ seq }) => seq)).toEqual([1]);
    expect(second).toBe(first);
    expect(other).toBeUndefined();
    expect(statements.count('join members m on m.conversation_id = w.conversation')).toBe(1);
  });

  it('OP-3 attack: whatever is read, a message is stored: nothing queues in front of it', async () => {
    const ann = await addTalker(server);
    const bot = await addBot(server, ann);
    const id = await relate(server, ann, bot);
    const socket = await connect(server, ann);
    socket.send({ type: 'send', envelope: seal(ann, id) });
    await socket.next('message.ack');
    const { pool } = server.platform.storage;
    // More than there are: whoever comes now waits behind them.
    const held = Array.from({ length: server.config.poolSize + 5 }, () => pool.connect());
    const second = seal(ann, id);
    socket.send({ type: 'send', envelope: second });
    await socket.next(({ client_message_id: about }) => about === second.header.client_message_id);
    expect(pool.waitingCount).toBeGreaterThan(0);
    await Promise.all(held.map((client) => client.then((one) => one.release())));
  });
});

describe('OP-1 OP-2 attack: what goes out', () => {
  it('OP-1 attack: an account’s agents share its sockets: the oldest is replaced, and its owner sees how many there are', async () => {
    const eve = await addTalker(server);
    await limit(eve.id, 'sockets', 3);
    const bots = await Promise.all(Array.from({ length: 4 }, () => addBot(server, eve)));
    const sockets = [];
    for (const bot of bots) sockets.push(await connect(server, bot));
    expect(await sockets[0]!.closed).toBe(4009);
    const { body } = await server.call('GET', '/auth/account/usage', { token: eve.token });
    expect(body.budgets).toContainEqual({ name: 'sockets', kind: 'concurrent', unit: 'sockets', used: 3, limit: 3 });
    await sockets[1]!.end();
    await until(() => expect(server.platform.budgets.usedNow(eve.id, 'sockets')).toBe(2));
    await connect(server, bots[0]!);
    expect(sockets[2]!.socket.readyState).toBe(1);
  });

  it('OP-2 attack: what a message costs to pass on is its sender’s, who is refused beyond it; what was stored arrives once, in order', async () => {
    server.clock.stop();
    const eve = await addTalker(server);
    const bot = await addBot(server, eve);
    const id = await relate(server, eve, bot);
    await limit(eve.id, 'bytes_passed_on_per_second', 5_000);
    const heard = await Promise.all(Array.from({ length: 10 }, () => connect(server, bot)));
    const sender = await connect(server, eve);
    const say = async () => {
      const envelope = seal(eve, id);
      sender.send({ type: 'send', envelope });
      const wanted = envelope.header.client_message_id;
      return sender.next(({ client_message_id: about }) => about === wanted);
    };
    // Ten copies of about a kilobyte are two seconds' worth, and there are four.
    const answers: Frame[] = [];
    while (answers.at(-1)?.type !== 'error') answers.push(await say());
    expect(answers.length).toBeGreaterThan(2);
    expect(answers.length).toBeLessThan(6);
    expect(answers.at(-1)).toMatchObject({ code: 'RATE_LIMITED' });
    sender.send({ type: 'typing', conversation_id: id });
    await sender.next(({ type, conversation_id: about }) => type === 'error' && about === id);
    const stored = Array.from({ length: answers.length - 1 }, (_, n) => n + 1);
    await until(() => expect(heard.map(({ frames }) => sequences(frames))).toEqual(heard.map(() => stored)));
    // The others are not in debt with it.
    const ann = await addTalker(server);
    const other = await relate(server, ann, bot);
    const reply = await server.call('POST', `/conversations/${other}/messages`, {
      token: ann.token,
      body: seal(ann, other),
    });
    expect(reply.status).toBe(200);
    server.clock.advance(60_000);
    expect(await say()).toMatchObject({ type: 'message.ack' });
  });
});
