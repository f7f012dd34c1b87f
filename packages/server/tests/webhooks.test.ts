import { createHmac } from 'node:crypto';
import { createGuardedFetch } from '@parley/guarded-fetch';
import { until } from '@parley/testkit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queueForWebhooks } from '../src/events/webhook-outbox.ts';
import { createId } from '../src/id.ts';
import { releaseDead } from '../src/jobs.ts';
import { deliver } from '../src/webhooks/deliver.ts';
import { fanOut } from '../src/webhooks/fan-out.ts';
import { findAttemptable, pruneDeliveries, updateAttempted } from '../src/webhooks/store.ts';
import { createWaitingRoom } from '../src/webhooks/waiting-room.ts';
import { type Receiver, startReceiver } from './harness/receiver.ts';
import { createDatabase, startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addTalker, relate, seal } from './harness/talk.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DAY = 24 * 3_600_000;
const NOWHERE = 'http://127.0.0.1:9/';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());
beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

interface Person {
  readonly userId: string;
  readonly email: string;
}
let people = 0;
const PASSWORD = 'correct horse battery';

async function createPerson(at = server): Promise<Person> {
  const email = `person${people++}@example.org`;
  const body = { email, account_password: PASSWORD, display_name: 'Ada' };
  const reply = await at.call('POST', '/auth/register', { body });
  return { userId: reply.body.user_id, email };
}
/** Access tokens last five minutes, and these tests move the clock by days. */
const tokens = new Map<string, { readonly token: string; readonly since: number }>();
async function signIn({ email }: Person, at = server): Promise<string> {
  const now = at.clock.now().getTime();
  const known = tokens.get(email);
  if (known !== undefined && now - known.since < 240_000) return known.token;
  const reply = await at.call('POST', '/auth/login', { body: { email, account_password: PASSWORD } });
  tokens.set(email, { token: reply.body.access_token, since: now });
  return reply.body.access_token;
}

interface Owned {
  readonly owner: Person;
  readonly agentId: string;
  call(method: string, path: string, body?: unknown): ReturnType<TestServer['call']>;
}
async function createAgent(at = server): Promise<Owned> {
  const owner = await createPerson(at);
  const agentId = createId();
  await at.platform.db
    .insertInto('agents')
    .values({ id: agentId, owner_id: owner.userId, name: `Bot ${agentId}`, warnings: '[]' })
    .execute();
  const call: Owned['call'] = async (method, path, body) =>
    at.call(method, `/agents/${agentId}/webhook${path}`, { token: await signIn(owner, at), ...(body ? { body } : {}) });
  return { owner, agentId, call };
}

const logOf = async (agent: Owned) => (await agent.call('GET', '/deliveries')).body.deliveries;
const observe = (agentId: string, type: string, payload: object, { platform } = server) =>
  platform.db.transaction().execute((trx) => queueForWebhooks(trx, platform, [agentId], type, payload));

/** Attempts are made by hand from here on: no dispatcher takes the agent's deliveries. */
async function hold(agentId: string, { platform } = server): Promise<void> {
  await sql`insert into webhook_queues (agent_id, leased_until) values (${agentId}, now() + interval '1 hour')
    on conflict (agent_id) do update set leased_until = excluded.leased_until`.execute(platform.db);
}
const letGo = (agentId: string) =>
  server.platform.db
    .updateTable('webhook_queues')
    .set({ leased_until: null })
    .where('agent_id', '=', agentId)
    .execute();
const attempt = (deliveryId: string, { platform }: Pick<TestServer, 'platform'> = server) => {
  const fetch = createGuardedFetch({
    allowPrivate: true,
    allowLoopback: true,
    maxBytes: 100,
    timeoutMs: 5_000,
    maxRedirects: 0,
  });
  return deliver({ platform, fetch, random: () => 0.5, signal: new AbortController().signal }, deliveryId);
};
/** As if time had passed: everything that waits lies so much further back. */
const letPass = async (agentId: string, ms: number) => {
  const passed = sql`${ms} * interval '1 millisecond'`;
  const { db } = server.platform;
  await sql`update webhooks set paused_until = paused_until - ${passed} where agent_id = ${agentId}`.execute(db);
  await sql`update webhook_deliveries set next_at = next_at - ${passed}, expires_at = expires_at - ${passed}
    where agent_id = ${agentId}`.execute(db);
};
/** As if the database's clock had been watched for two hours (OP-13). */
const trustClock = () =>
  server.editDatabase(`insert into clock_readings (read_at, steady_since)
    values (now() - interval '10 minutes', now() - interval '2 hours')
    on conflict (only_row) do update set read_at = excluded.read_at, steady_since = excluded.steady_since`);
/** A delivery that no dispatcher takes. */
async function addUnscheduled(agentId: string, at = server): Promise<string> {
  const { platform } = at;
  await hold(agentId, at);
  await observe(agentId, 'message.new', { n: 1 }, at);
  await fanOut(platform, createWaitingRoom(platform));
  const { id } = await platform.db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('agent_id', '=', agentId)
    .orderBy('event_id', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}

describe('TR-5 settings', () => {
  it('TR-5 the secret is made by the server, shown once and never again', async () => {
    const agent = await createAgent();
    const put = await agent.call('PUT', '', { url: receiver.url });
    expect(put).toMatchObject({ status: 200, body: { url: receiver.url, status: 'active', unreachable_since: null } });
    expect(put.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const get = await agent.call('GET', '');
    const { secret: _, ...rest } = put.body;
    expect(get.body).toEqual(rest);
    const moved = await agent.call('PUT', '', { url: `${receiver.url}/2` });
    expect(moved.body.url).toBe(`${receiver.url}/2`);
    expect(moved.body).not.toHaveProperty('secret');
    const row = await server.platform.db
      .selectFrom('webhooks')
      .select('secret')
      .where('agent_id', '=', agent.agentId)
      .executeTakeFirstOrThrow();
    expect(row.secret).not.toContain(put.body.secret.slice(6));
  });

  it.each([0, 1, 31])('TR-5 a secret of %i bytes is refused', async (bytes) => {
    const agent = await createAgent();
    const reply = await agent.call('PUT', '', { url: receiver.url, secret: 'x'.repeat(bytes) });
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { code: 'WEBHOOK_SECRET_TOO_SHORT', params: { minimum: 32 } } },
    });
    expect((await agent.call('GET', '')).status).toBe(404);
  });

  it('TR-5 a secret of 32 bytes is taken and not repeated', async () => {
    const agent = await createAgent();
    const reply = await agent.call('PUT', '', { url: receiver.url, secret: 'x'.repeat(32) });
    expect(reply.status).toBe(200);
    expect(reply.body).not.toHaveProperty('secret');
    const rotated = await agent.call('POST', '/rotate', { secret: '' });
    expect(rotated.body.error.code).toBe('WEBHOOK_SECRET_TOO_SHORT');
  });

  it.each([
    'ftp://example.org/',
    'nonsense',
    'javascript:alert(1)',
    'https://user:pass@example.org/',
    'http://169.254.169.254/',
    'https://[::ffff:127.0.0.1]/',
    '',
  ])('TR-5 the address %j is refused', async (url) => {
    const agent = await createAgent();
    expect(await agent.call('PUT', '', { url })).toMatchObject({
      status: 422,
      body: { error: { code: 'WEBHOOK_URL_INVALID' } },
    });
  });

  it('TR-5 of several who set it for the first time at once, one is shown the secret, and it is the right one', async () => {
    const agent = await createAgent();
    const replies = await Promise.all(Array.from({ length: 5 }, () => agent.call('PUT', '', { url: receiver.url })));
    const secrets = replies.map(({ body }) => body.secret).filter((secret) => secret !== undefined);
    expect(secrets).toHaveLength(1);
    await attempt(await addUnscheduled(agent.agentId));
    const { headers, body } = receiver.received[0]!;
    const input = `${headers['x-hashee-timestamp']}.${headers['x-hashee-delivery-id']}.${body}`;
    expect(headers['x-hashee-signature']).toBe(createHmac('sha256', secrets[0]).update(input).digest('hex'));
  });

  it('TR-5 a secret that cannot be opened any more sends nothing unsigned', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const { db } = server.platform;
    await db.updateTable('webhooks').set({ secret: 'AAAA' }).where('agent_id', '=', agent.agentId).execute();
    await attempt(await addUnscheduled(agent.agentId));
    expect(receiver.received).toHaveLength(0);
    expect(await logOf(agent)).toMatchObject([{ status: 'pending', last_error: 'SECRET_UNREADABLE', attempts: 1 }]);
  });

  it('TR-5 owners of other agents, strangers and the agent itself have no say', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const stranger = await signIn(await createPerson());
    const path = `/agents/${agent.agentId}/webhook`;
    const requests: [string, string, unknown?][] = [
      ['PUT', path, { url: NOWHERE }],
      ['GET', path],
      ['DELETE', path],
      ['POST', `${path}/rotate`, {}],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries`],
      ['POST', `${path}/deliveries/${createId()}/redeliver`],
    ];
    for (const [method, at, body] of requests) {
      const options = body === undefined ? {} : { body };
      expect((await server.call(method, at, options)).status).toBe(401);
      expect((await server.call(method, at, { token: stranger, ...options })).status).toBe(403);
      const gone = at.replace(agent.agentId, createId());
      expect((await server.call(method, gone, { token: stranger, ...options })).status).toBe(404);
    }
    expect((await agent.call('GET', '')).body.url).toBe(receiver.url);
  });

  it('TR-5 a webhook that was removed gets nothing more, not even what waits', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const id = await addUnscheduled(agent.agentId);
    expect((await agent.call('DELETE', '')).status).toBe(204);
    await attempt(id);
    await observe(agent.agentId, 'message.new', {});
    expect(receiver.received).toHaveLength(0);
    expect(await logOf(agent)).toMatchObject([{ delivery_id: id, status: 'failed', last_error: 'WEBHOOK_REMOVED' }]);
    expect((await agent.call('DELETE', '')).status).toBe(404);
  });
});

describe('TR-5 a delivery', () => {
  it('TR-5 is a POST of exactly the bytes that both signatures sign', async () => {
    const agent = await createAgent();
    const { secret } = (await agent.call('PUT', '', { url: receiver.url })).body;
    await observe(agent.agentId, 'message.new', { text: '密文 \u0000 é' });
    await until(() => expect(receiver.received).toHaveLength(1));
    const { method, path, headers, body } = receiver.received[0]!;
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hook', 'application/json']);
    const id = String(headers['x-hashee-delivery-id']);
    const time = String(headers['x-hashee-timestamp']);
    expect(id).toMatch(UUID_V7);
    expect(headers['x-hashee-agent-id']).toBe(agent.agentId);
    expect([headers['webhook-id'], headers['webhook-timestamp']]).toEqual([id, time]);
    expect(Math.abs(Number(time) - server.clock.now().getTime() / 1_000)).toBeLessThan(60);
    expect(headers['x-hashee-signature']).toBe(
      createHmac('sha256', secret).update(`${time}.${id}.${body}`).digest('hex'),
    );
    const key = Buffer.from(secret.slice(6), 'base64');
    const standard = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${standard}`);
    expect(JSON.parse(body)).toEqual({
      type: 'message.new',
      delivery_id: id,
      agent_id: agent.agentId,
      created_at: expect.any(String),
      data: { text: '密文 \u0000 é' },
    });
    await until(async () => {
      expect(await logOf(agent)).toMatchObject([
        {
          delivery_id: id,
          event_type: 'message.new',
          status: 'delivered',
          attempts: 1,
          last_status: 200,
          last_error: null,
        },
      ]);
    });
    expect(JSON.stringify(await logOf(agent))).not.toContain('密文');
  });

  it('TR-5 the owner can test it with a ping', async () => {
    const agent = await createAgent();
    expect((await agent.call('POST', '/test')).status).toBe(404);
    await agent.call('PUT', '', { url: receiver.url });
    const reply = await agent.call('POST', '/test');
    expect(reply.status).toBe(202);
    await until(() => expect(receiver.received).toHaveLength(1));
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type: 'ping', delivery_id: reply.body.delivery_id });
  });

  it('TR-5 attack: a redirect is not followed', async () => {
    const agent = await createAgent();
    const elsewhere = await startReceiver();
    await agent.call('PUT', '', { url: receiver.url });
    receiver.answer(307, { location: elsewhere.url });
    const id = await addUnscheduled(agent.agentId);
    await attempt(id);
    expect(elsewhere.received).toHaveLength(0);
    expect(await logOf(agent)).toMatchObject([{ status: 'pending', last_status: 307, last_error: 'STATUS' }]);
    await elsewhere.close();
  });

  it('SI-6 attack: a webhook cannot reach loopback where nobody allowed it', async () => {
    const strict = await startTestServer({ development: false, allowPrivateAddresses: false });
    try {
      const agent = await createAgent(strict);
      for (const url of [receiver.url, receiver.url.replace('127.0.0.1', 'localhost'), 'https://10.0.0.1/']) {
        expect((await agent.call('PUT', '', { url })).body.error.code).toBe('WEBHOOK_URL_INVALID');
      }
      // A name that is found to be an inner one only when it is resolved.
      await agent.call('PUT', '', { url: 'https://inner.example/hook' });
      const id = await addUnscheduled(agent.agentId, strict);
      const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
      const policy = { allowPrivate: false, allowLoopback: false, maxBytes: 100, timeoutMs: 5_000, maxRedirects: 0 };
      const { platform } = strict;
      const fetch = createGuardedFetch({ ...policy, resolve });
      await deliver({ platform, fetch, random: Math.random, signal: new AbortController().signal }, id);
      expect(await logOf(agent)).toMatchObject([
        { status: 'pending', last_status: null, last_error: 'ADDRESS_BLOCKED' },
      ]);
    } finally {
      await strict.drop();
    }
  });
});

describe('TR-6 what is delivered', () => {
  it.each([
    'message.new',
    'artifact_response',
    'relation.established',
    'relation.revoked',
    'relation.suspended',
    'relation.restored',
    'h2a.reauth_required',
    'agent.capability_changed',
  ])('TR-6 %s reaches the webhook of an agent that is told of it', async (type) => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    await server.platform.events.send([{ kind: 'agent', id: agent.agentId }], type as never, { n: 1 });
    await until(() => expect(receiver.received).toHaveLength(1));
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type, data: { n: 1 } });
  });

  it.each([
    ['text', 'text', 'message.new'],
    ['artifact', 'artifact_response', 'artifact_response'],
  ] as const)(
    'TR-6 a %s message labelled %s to an agent in webhook mode is delivered as %s, still sealed',
    async (content_type, msg_subtype, type) => {
      const person = await addTalker(server);
      const bot = await addBot(server, person, { mode: 'webhook' });
      const conversation = await relate(server, person, bot);
      const put = { token: person.token, body: { url: receiver.url } };
      expect((await server.call('PUT', `/agents/${bot.id}/webhook`, put)).status).toBe(200);
      const created_at = server.clock.now().toISOString();
      const envelope = seal(person, conversation, { content_type, msg_subtype, created_at });
      const path = `/conversations/${conversation}/messages`;
      const sent = await server.call('POST', path, { token: person.token, body: envelope });
      expect(sent.status).toBe(200);
      await until(() => expect(receiver.received).toHaveLength(1));
      const { message_id, conversation_seq } = sent.body;
      expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
        type,
        agent_id: bot.id,
        data: { message_id, conversation_seq, conversation_id: conversation, msg_subtype, envelope },
      });
      // Sending the same once more is the same message, and no second delivery.
      await server.call('POST', path, { token: person.token, body: envelope });
      const rows = await server.platform.db
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('agent_id', '=', bot.id)
        .execute();
      expect(rows).toHaveLength(1);
    },
  );

  it('TR-6 other events, other agents and people are not delivered', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const { events } = server.platform;
    await events.send([{ kind: 'agent', id: agent.agentId }], 'h2a.manifest_updated', {});
    await events.send([{ kind: 'human', id: agent.agentId }], 'message.new', {});
    await events.send([{ kind: 'agent', id: (await createAgent()).agentId }], 'message.new', {});
    expect(await logOf(agent)).toEqual([]);
  });

  it('TR-6 a change that is rolled back delivers nothing', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const change = server.platform.db.transaction().execute(async (trx) => {
      await queueForWebhooks(trx, server.platform, [agent.agentId], 'message.new', {});
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    expect(await logOf(agent)).toEqual([]);
  });
});

describe('TR-6 retries', () => {
  it('TR-6 a delivery is tried for a day under one id with fresh times, then the owner is told; a success clears it', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    receiver.answer(500);
    await trustClock();
    const id = await addUnscheduled(agent.agentId);
    let passed = 0;
    const now = () => new Date(server.clock.now().getTime() + passed);
    const platform = { ...server.platform, now };
    const start = now().getTime();
    const row = () =>
      server.platform.db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const unreachableSince = async () => (await agent.call('GET', '')).body.unreachable_since;
    while ((await row()).status === 'pending') {
      expect(await unreachableSince()).toBeNull();
      await attempt(id, { platform });
      const { next_at: next } = await row();
      if (next === null) continue;
      const wait = next.getTime() - server.clock.now().getTime() + 1;
      await letPass(agent.agentId, wait);
      passed += wait;
    }
    expect(now().getTime() - start).toBeGreaterThanOrEqual(DAY);
    expect(receiver.received).toHaveLength(13);
    const values = (name: string) => new Set(receiver.received.map(({ headers }) => headers[name]));
    expect([...values('x-hashee-delivery-id')]).toEqual([id]);
    expect(values('x-hashee-timestamp').size).toBe(13);
    expect(values('x-hashee-signature').size).toBe(13);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);

    expect(await agent.call('GET', '')).toMatchObject({ body: { status: 'unreachable' } });
    expect(await logOf(agent)).toMatchObject([
      { status: 'failed', attempts: 13, last_status: 500, next_attempt_at: null },
    ]);
    const told = () =>
      server.platform.db
        .selectFrom('events')
        .select(['type', 'payload'])
        .where('recipient_kind', '=', 'human')
        .where('recipient_id', '=', agent.owner.userId)
        .execute();
    expect(await told()).toEqual([
      { type: 'agent.unreachable', payload: { agent_id: agent.agentId, since: await unreachableSince() } },
    ]);

    receiver.answer(204);
    const next = await addUnscheduled(agent.agentId);
    await letPass(agent.agentId, 600_000);
    await attempt(next);
    expect(await agent.call('GET', '')).toMatchObject({ body: { status: 'active', unreachable_since: null } });
    expect(await told()).toHaveLength(1);
  });

  it('TR-6 the owner is told how the last attempt and the last ping ended; a new address knows of neither', async () => {
    const agent = await createAgent();
    const read = async () => (await agent.call('GET', '')).body;
    const { body: before } = await server.call('GET', `/agents/${agent.agentId}`, { token: await signIn(agent.owner) });
    expect(before).toMatchObject({ has_webhook: false });
    await agent.call('PUT', '', { url: receiver.url });
    const unknown = { failing: null, last_answered_at: null, last_ping: null };
    const readAgent = async (token?: string) =>
      (await server.call('GET', `/agents/${agent.agentId}`, token === undefined ? {} : { token })).body;
    expect(await readAgent(await signIn(agent.owner))).toMatchObject({ has_webhook: true });
    expect(await readAgent()).not.toHaveProperty('has_webhook');
    expect(await read()).toMatchObject(unknown);
    await hold(agent.agentId);
    receiver.answer(503);
    const { delivery_id: id } = (await agent.call('POST', '/test')).body;
    expect(await read()).toMatchObject({ ...unknown, last_ping: { delivery_id: id, status: 'pending', attempts: 0 } });
    await attempt(id);
    const { failing } = await read();
    expect(failing).toEqual({ since: expect.any(String), status: 503, error: 'STATUS' });
    expect(await read()).toMatchObject({ status: 'active', last_ping: { last_status: 503, attempts: 1 } });

    // Asking for another attempt does not make it answer.
    await agent.call('POST', `/deliveries/${id}/redeliver`);
    expect((await read()).failing).toEqual(failing);
    receiver.answer(200);
    await hold(agent.agentId);
    await attempt(id);
    expect(await read()).toMatchObject({ failing: null, last_ping: { status: 'delivered' } });
    expect((await read()).last_answered_at).toBe((await read()).last_ping.delivered_at);
    await agent.call('PUT', '', { url: NOWHERE });
    expect(await read()).toMatchObject(unknown);
    await attempt((await agent.call('POST', '/test')).body.delivery_id);
    expect((await read()).failing).toMatchObject({ status: null, error: 'REFUSED' });
  });

  it.each([200, 503, 410])(
    'TR-6 an attempt that ends with %i after the address was changed says nothing about the new one',
    async (status) => {
      const agent = await createAgent();
      await agent.call('PUT', '', { url: receiver.url });
      const id = await addUnscheduled(agent.agentId);
      const asked = async () => {
        await agent.call('PUT', '', { url: NOWHERE });
        return { status } as unknown as Awaited<ReturnType<Parameters<typeof deliver>[0]['fetch']>>;
      };
      const { platform } = server;
      await deliver({ platform, fetch: asked, random: () => 0.5, signal: new AbortController().signal }, id);
      const { body } = await agent.call('GET', '');
      expect(body).toMatchObject({ url: NOWHERE, status: 'active', failing: null, last_answered_at: null });
      expect(await logOf(agent)).toMatchObject([{ attempts: 1, last_status: status }]);
    },
  );

  it('TR-6 a success that ends after the address was changed does not end the failures of the new one', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const [first, second] = [await addUnscheduled(agent.agentId), await addUnscheduled(agent.agentId)];
    const { platform } = server;
    const asked = async () => {
      await agent.call('PUT', '', { url: NOWHERE });
      await attempt(second);
      return { status: 200 } as unknown as Awaited<ReturnType<Parameters<typeof deliver>[0]['fetch']>>;
    };
    await deliver({ platform, fetch: asked, random: () => 0.5, signal: new AbortController().signal }, first);
    expect((await agent.call('GET', '')).body).toMatchObject({ failing: { error: 'REFUSED' }, last_answered_at: null });
  });

  it('TR-6 410 Gone ends it at once', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    receiver.answer(410);
    await attempt(await addUnscheduled(agent.agentId));
    expect(await logOf(agent)).toMatchObject([{ status: 'failed', attempts: 1, last_status: 410 }]);
    expect((await agent.call('GET', '')).body.status).toBe('unreachable');
  });

  it('TR-6 an endpoint that fails is left alone for a moment; what waits for it is not counted as tried', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    receiver.answer(503);
    const [first, second] = [await addUnscheduled(agent.agentId), await addUnscheduled(agent.agentId)];
    await attempt(first);
    // So that the pause lasts, however long this takes.
    await letPass(agent.agentId, -60_000);
    await attempt(second);
    expect(receiver.received).toHaveLength(1);
    expect(await logOf(agent)).toMatchObject([
      { delivery_id: second, attempts: 0, status: 'pending' },
      { delivery_id: first, attempts: 1, status: 'pending' },
    ]);
    await letPass(agent.agentId, 63_000);
    receiver.answer(200);
    await attempt(second);
    expect(receiver.received).toHaveLength(2);
  });

  it('TR-6 a success after a failure, while the agent is deleted: neither waits for the other', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    receiver.answer(503);
    const id = await addUnscheduled(agent.agentId);
    await attempt(id);
    await letPass(agent.agentId, 63_000);
    receiver.answer(200);
    const { pool } = server.platform.storage;
    // Whoever deletes it locks the webhook, then its deliveries.
    const deleting = await pool.connect();
    await deleting.query('begin');
    await deleting.query('select from webhooks where agent_id = $1 for update', [agent.agentId]);
    const attempted = attempt(id);
    await until(async () => {
      const { rows } = await pool.query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'with calm as%'`);
      expect(rows).toHaveLength(1);
    });
    const { rowCount } = await deleting.query('select from webhook_deliveries where id = $1 for update nowait', [id]);
    expect(rowCount).toBe(1);
    await deleting.query('commit');
    deleting.release();
    await attempted;
    expect(await logOf(agent)).toMatchObject([{ delivery_id: id, status: 'delivered' }]);
  });

  it('TR-6 the owner can redeliver, under the same id, what failed and what was delivered', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    receiver.answer(410);
    const id = await addUnscheduled(agent.agentId);
    await attempt(id);
    await letGo(agent.agentId);
    receiver.answer(200);
    for (const count of [2, 3]) {
      expect(await agent.call('POST', `/deliveries/${id}/redeliver`)).toMatchObject({
        status: 202,
        body: { delivery_id: id },
      });
      await until(() => expect(receiver.received).toHaveLength(count));
      await until(async () => {
        expect(await logOf(agent)).toMatchObject([{ delivery_id: id, status: 'delivered', attempts: 1 }]);
      });
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    const other = await createAgent();
    await other.call('PUT', '', { url: receiver.url });
    expect((await other.call('POST', `/deliveries/${id}/redeliver`)).status).toBe(404);
  });

  it('TR-6 a redelivery that is asked for while an attempt is under way is not ended by it', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    receiver.answer(0);
    const id = await addUnscheduled(agent.agentId);
    const underWay = (await findAttemptable(server.platform.db, id))!;
    await agent.call('POST', `/deliveries/${id}/redeliver`);
    expect(await updateAttempted(server.platform.db, underWay, { status: 'delivered' })).toBe(false);
    expect(await logOf(agent)).toMatchObject([{ delivery_id: id, status: 'pending' }]);
  });

  it('TR-5 while a secret is rotated both verify; afterwards only the new one', async () => {
    const agent = await createAgent();
    const { secret: old } = (await agent.call('PUT', '', { url: receiver.url })).body;
    const rotated = await agent.call('POST', '/rotate', { overlap_seconds: 3_600 });
    expect(rotated.body.secret).not.toBe(old);
    expect(Date.parse(rotated.body.previous_secret_until)).toBeGreaterThan(server.clock.now().getTime());
    const signatures = async () => {
      await attempt(await addUnscheduled(agent.agentId));
      const { headers, body } = receiver.received.at(-1)!;
      const input = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const sign = (secret: string) =>
        `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
          .update(input)
          .digest('base64')}`;
      return { sent: headers['webhook-signature'], fresh: sign(rotated.body.secret), old: sign(old) };
    };
    const during = await signatures();
    expect(during.sent).toBe(`${during.fresh} ${during.old}`);
    server.clock.advance(3_601_000);
    const after = await signatures();
    expect(after.sent).toBe(after.fresh);
    expect((await agent.call('GET', '')).body.previous_secret_until).toBeNull();
  });

  it('TR-6 an endpoint that never answers holds up no other agent', async () => {
    const [slow, quick] = [await createAgent(), await createAgent()];
    const silent = await startReceiver();
    silent.answer(0);
    await slow.call('PUT', '', { url: silent.url });
    await quick.call('PUT', '', { url: receiver.url });
    for (let n = 0; n < 20; n++) await observe(slow.agentId, 'message.new', { n });
    await until(() => expect(silent.received).toHaveLength(1));
    await observe(quick.agentId, 'message.new', {});
    await until(() => expect(receiver.received).toHaveLength(1));
    expect(silent.received).toHaveLength(1);
    await silent.close();
  });
});

describe('TR-6 restarts', () => {
  it('TR-6 a restart in the middle of retries loses nothing', async () => {
    const database = await createDatabase();
    const secrets = { databaseUrl: database.url, storageSecret: Buffer.alloc(32, 7), tokenSecret: Buffer.alloc(32, 8) };
    const first = await startTestServer(secrets);
    const agent = await createAgent(first);
    await agent.call('PUT', '', { url: receiver.url });
    receiver.answer(503);
    for (let n = 0; n < 3; n++) await observe(agent.agentId, 'message.new', { n }, first);
    await until(() => expect(receiver.received.length).toBeGreaterThan(0));
    await first.close();

    const second = await startTestServer(secrets);
    try {
      receiver.answer(200);
      receiver.received.length = 0;
      await second.platform.db.updateTable('webhooks').set({ paused_until: null }).execute();
      await second.platform.db.updateTable('webhook_deliveries').set({ next_at: new Date() }).execute();
      await second.platform.db.updateTable('webhook_queues').set({ due_at: new Date() }).execute();
      await until(() => {
        const numbers = receiver.received.map(({ body }) => JSON.parse(body).data.n);
        expect(new Set(numbers)).toEqual(new Set([0, 1, 2]));
      });
    } finally {
      await second.close();
      await database.drop();
    }
  });

  it('TR-6 a node that is killed in the middle of an attempt leaves nothing locked for long', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const { db } = server.platform;
    await hold(agent.agentId);
    for (const n of [1, 2]) await observe(agent.agentId, 'message.new', { n });
    const other = await createAgent();
    await other.call('PUT', '', { url: receiver.url });
    await observe(other.agentId, 'message.new', { n: 3 });
    const numbers = () => receiver.received.map(({ body }) => JSON.parse(body).data.n);
    await until(() => expect(numbers()).toEqual([3]));
    // The lease of the dead node ends.
    await sql`update webhook_queues set leased_until = now() - interval '1 second'
      where agent_id = ${agent.agentId}`.execute(db);
    await until(() => expect(numbers()).toEqual([3, 1, 2]));
  });

  it('TR-6 the jobs of a worker that was killed are released once its lease has ended', async () => {
    const { db, storage } = server.platform;
    const lock = (ago: string) =>
      sql`insert into graphile_worker._private_job_queues as q (queue_name, locked_by, locked_at)
      values ('killed', 'worker-killed', now() - ${ago}::interval)
      on conflict (queue_name) do update set locked_by = excluded.locked_by, locked_at = excluded.locked_at`.execute(
        db,
      );
    const locked = async () => {
      const { rows } = await sql`select 1 from graphile_worker._private_job_queues
        where queue_name = 'killed' and locked_by = 'worker-killed'`.execute(db);
      return rows.length;
    };
    await lock('5 seconds');
    await releaseDead(storage.pool);
    expect(await locked()).toBe(1);
    await lock('31 seconds');
    await releaseDead(storage.pool);
    expect(await locked()).toBe(0);
  });

  it('TR-6 workers that live keep their jobs however long they take', async () => {
    const { db, storage } = server.platform;
    const [worker] = await db.selectFrom('job_workers').select('worker_id').execute();
    await sql`insert into graphile_worker._private_job_queues (queue_name, locked_by, locked_at)
      values ('long', ${worker!.worker_id}, now() - interval '2 hours')`.execute(db);
    await releaseDead(storage.pool);
    const { rows } = await sql<{ locked_by: string }>`
      select locked_by from graphile_worker._private_job_queues where queue_name = 'long'`.execute(db);
    expect(rows).toEqual([{ locked_by: worker!.worker_id }]);
  });

  it('TR-6 old deliveries are forgotten, those that wait are not', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const before = server.clock.now();
    const done = await addUnscheduled(agent.agentId);
    await attempt(done);
    const waiting = await addUnscheduled(agent.agentId);
    await pruneDeliveries(server.platform.db, new Date(before.getTime() - 1));
    expect(await logOf(agent)).toHaveLength(2);
    await pruneDeliveries(server.platform.db, new Date(server.clock.now().getTime() + 1_000));
    expect(await logOf(agent)).toMatchObject([{ delivery_id: waiting }]);
  });

  it('TR-6 the log is paged, newest first, and can be filtered', async () => {
    const agent = await createAgent();
    await agent.call('PUT', '', { url: receiver.url });
    const now = server.clock.now();
    const ids = Array.from({ length: 60 }, (_, n) => createId(new Date(now.getTime() + n)));
    const rows = ids.map((id, n) => ({
      id,
      agent_id: agent.agentId,
      event_type: 'ping',
      body: '{}',
      status: n % 2 === 0 ? ('failed' as const) : ('delivered' as const),
      expires_at: now,
      created_at: now,
    }));
    await server.platform.db.insertInto('webhook_deliveries').values(rows).execute();
    const page = async (query: string) => (await agent.call('GET', `/deliveries${query}`)).body;
    const first = await page('');
    const second = await page(`?cursor=${first.next_cursor}`);
    const seen = [...first.deliveries, ...second.deliveries].map((delivery) => delivery.delivery_id);
    expect(seen).toEqual([...ids].reverse());
    expect(second.next_cursor).toBeNull();
    expect((await page('?status=failed')).deliveries).toHaveLength(30);
    expect((await agent.call('GET', '/deliveries?cursor=x')).status).toBe(400);
  });
});
