import type { Envelope } from '@parley/protocol';
import { startCutProxy } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANSWER_MS } from '../src/http/readiness.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addTalker, type Bot, relate, seal, type Talker } from './harness/talk.ts';

/** Reaches the database directly. */
let near: TestServer;
/** Reaches it through the proxy. */
let far: TestServer;
let proxy: Awaited<ReturnType<typeof startCutProxy>>;
let owner: Talker;
let bot: Bot;
let conversationId: string;

beforeEach(async () => {
  near = await startTestServer();
  const { databaseUrl, tokenSecret } = near.config;
  proxy = await startCutProxy(databaseUrl);
  const proxied = new URL(databaseUrl);
  proxied.port = new URL(proxy.url).port;
  const databaseLimits = { connectMs: 1_000, statementMs: 1_500, idleTransactionMs: 1_000 };
  far = await startTestServer({ databaseUrl: proxied.href, tokenSecret, databaseLimits });
  owner = await addTalker(near);
  bot = await addBot(near, owner);
  conversationId = await relate(near, owner, bot);
});
afterEach(async () => {
  await far.close();
  await proxy.close();
  await near.drop();
});

const send = (server: TestServer, envelope: Envelope) =>
  server.call('POST', `/conversations/${conversationId}/messages`, { token: bot.token, body: envelope });

describe('OP-9 a database that goes dark', () => {
  it('OP-9 is given up with 503, also by what had begun, and nothing that was acknowledged is lost', async () => {
    const sealed = Array.from({ length: 12 }, () => seal(bot, conversationId));
    const acked = new Map<string, number>();
    const trySend = async (envelope: Envelope) => {
      const { status, body } = await send(far, envelope);
      if (status === 200) acked.set(envelope.header.client_message_id, body.conversation_seq);
      return { status, code: body.error?.code };
    };
    expect(await Promise.all(sealed.slice(0, 4).map(trySend))).toMatchObject(Array(4).fill({ status: 200 }));

    // Some are under way at that moment, the others find nobody.
    const underWay = sealed.slice(4, 8).map(trySend);
    proxy.freeze();
    for (const { status, code } of await Promise.all([...underWay, ...sealed.slice(8).map(trySend)])) {
      expect([200, 503]).toContain(status);
      if (status === 503) expect(code).toBe('UNAVAILABLE');
    }
    expect(acked.size).toBeLessThan(sealed.length);
    expect((await far.call('GET', '/health')).status).toBe(200);

    proxy.thaw();
    for (const envelope of sealed) await until(async () => expect((await trySend(envelope)).status).toBe(200));
    const { body } = await near.call('GET', `/conversations/${conversationId}/messages`, { token: bot.token });
    const stored = body.messages.map(
      (message: { envelope: Envelope; conversation_seq: number }) =>
        [message.envelope.header.client_message_id, message.conversation_seq] as const,
    );
    expect(new Map(stored)).toEqual(acked);
    expect(stored).toHaveLength(sealed.length);
  });

  it('OP-9 /ready says so before a request that waits for the database gives up, and is ready again by itself', async () => {
    expect((await far.call('GET', '/ready')).status).toBe(200);
    proxy.freeze();
    const waiting = send(far, seal(bot, conversationId)).then(() => 'request' as const);
    const ready = until(async () => {
      const reply = await far.call('GET', '/ready');
      expect(reply).toMatchObject({ status: 503, body: { checks: { database: 'timeout', disk: 'ok', log: 'ok' } } });
      return 'ready' as const;
    });
    expect(await Promise.race([waiting, ready])).toBe('ready');
    await waiting;
    await ready;
    proxy.thaw();
    await until(async () => expect((await far.call('GET', '/ready')).status).toBe(200));
  });

  it.each([
    ['/ready', 503],
    ['/health', 200],
    ['/metrics', 403],
  ])('OP-9 attack: %s with a token does not wait for whom a dark database says it is', async (path, status) => {
    expect(ANSWER_MS).toBeLessThan(1_000);
    // As if it came from elsewhere: what only operators are told depends on whose token it is.
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const { token } = owner;
    expect((await far.call('GET', '/auth/me', { token })).status).toBe(200);
    proxy.freeze();
    await until(async () => {
      const waiting = far.call('GET', '/auth/me', { token }).then(() => 'request');
      const asked = far.call('GET', path, { token, headers }).then((reply) => reply.status);
      const first = await Promise.race([waiting, asked]);
      await Promise.all([waiting, asked]);
      expect(first).toBe(status);
    });
  });

  it('OP-9 news of other nodes are heard again over a connection that works', async () => {
    const heard = new Set<string>();
    far.platform.bus.subscribe('h:somebody', (text) => heard.add(text));
    const tell = (text: string) =>
      until(() => {
        near.platform.bus.publish(['h:somebody'], text, 'someone');
        return heard.has(text);
      });
    await tell('before');
    // What was connected at that moment never works again.
    proxy.freeze();
    proxy.thaw();
    await tell('after');
  });

  it('OP-9 closing does not wait for a database that is dark', async () => {
    proxy.freeze();
    await far.close();
    far = await startTestServer({ databaseUrl: near.config.databaseUrl });
  });

  it('OP-9 a statement or a transaction over its limit is ended by the database, and told as a 503', async () => {
    const { pool } = far.platform.storage;
    await expect(pool.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    const client = await pool.connect();
    const ended = new Promise((resolve) => client.once('end', resolve));
    await client.query('begin');
    await ended;
    client.release();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    const migration = await far.platform.patientDb.executeQuery({
      sql: "select current_setting('statement_timeout') as limit",
      parameters: [],
    } as never);
    expect(migration.rows).toEqual([{ limit: '10min' }]);
  });
});
