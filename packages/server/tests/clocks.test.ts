import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { until } from '@parley/testkit/until';
import { beforeEach, describe, expect, it } from 'vitest';
import { queueForWebhooks } from '../src/events/webhook-outbox.ts';
import { recordHeartbeat } from '../src/presence/store.ts';
import { createTasks, SCHEDULE } from '../src/tasks.ts';
import { type Receiver, startReceiver } from './harness/receiver.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addTalker, relate, seal } from './harness/talk.ts';

const HOUR = 3_600_000;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  return () => server.drop();
});

describe('OP-13 clocks', () => {
  const ask = () => server.call('POST', '/auth/refresh', { body: {} });

  it.each([-HOUR, HOUR])('OP-13 a clock that is set by %d ms moves no rate limit', async (jump) => {
    server.clock.stop();
    server.clock.advance(60_000);
    let reply = await ask();
    while (reply.status !== 429) reply = await ask();
    expect(Number(reply.headers.get('retry-after'))).toBe(60);
    server.clock.jump(jump);
    const later = await ask();
    expect([later.status, Number(later.headers.get('retry-after'))]).toEqual([429, 60]);
    server.clock.advance(60_000);
    expect((await ask()).status).not.toBe(429);
  });
});

const DAY = 24 * HOUR;

describe('OP-13 webhooks', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
    return () => receiver.close();
  });
  const start = async () => {
    const person = await addTalker(server);
    const agent = await addBot(server, person, { mode: 'webhook' });
    const put = await server.call('PUT', `/agents/${agent.id}/webhook`, {
      token: person.token,
      body: { url: receiver.url },
    });
    expect(put.status).toBe(200);
    // Not by a request: access tokens end when the clock jumps.
    const { platform } = server;
    const send = () =>
      platform.db.transaction().execute((trx) => queueForWebhooks(trx, platform, [agent.id], 'message.new', {}));
    const deliveries = async () => {
      const { rows } = await server.platform.storage.pool.query<{ status: string; attempts: number }>(
        `select status, attempts from webhook_deliveries where agent_id = '${agent.id}' order by event_id`,
      );
      return rows;
    };
    return { send, deliveries };
  };
  /** As if time had passed since the last attempt; the database's clock is set by `ahead` and back if that was meanwhile. */
  const letPass = async (seconds: number, ahead = 0) => {
    const moved = `interval '1 second' * ${ahead - seconds}`;
    await server.editDatabase(`begin;
      update webhooks set paused_until = paused_until + ${moved};
      update webhook_deliveries set next_at = next_at + ${moved}, expires_at = expires_at + ${moved};
      update webhook_queues set due_at = due_at + ${moved};
      commit`);
  };

  it('OP-13 attack: a delivery that fails while the clock is 31 days ahead is neither given up nor put off for a month', async () => {
    const { send, deliveries } = await start();
    receiver.answer(500);
    server.clock.jump(31 * DAY);
    await send();
    await until(async () => expect(await deliveries()).toEqual([{ status: 'pending', attempts: 1 }]));
    server.clock.jump(-31 * DAY);
    receiver.answer(204);
    await send();
    await letPass(10);
    const delivered = expect.objectContaining({ status: 'delivered' });
    await until(async () => expect(await deliveries()).toEqual([delivered, delivered]));
  });

  it('OP-13 attack: a delivery that waits while the clock is 31 days ahead is tried, and goes on afterwards', async () => {
    const { send, deliveries } = await start();
    receiver.answer(500);
    await send();
    await until(async () => expect(await deliveries()).toEqual([{ status: 'pending', attempts: 1 }]));
    server.clock.jump(31 * DAY);
    await letPass(10);
    await until(async () => expect(await deliveries()).toEqual([{ status: 'pending', attempts: 2 }]));
    server.clock.jump(-31 * DAY);
    receiver.answer(204);
    await letPass(30);
    await until(async () => expect(await deliveries()).toEqual([{ status: 'delivered', attempts: 3 }]));
  });

  it('OP-13 what was put off while the clock of the database was 31 days ahead is due once it is right again', async () => {
    const { send, deliveries } = await start();
    receiver.answer(500);
    await send();
    await until(async () => expect(await deliveries()).toEqual([{ status: 'pending', attempts: 1 }]));
    receiver.answer(204);
    await letPass(0, 31 * 86_400);
    await until(async () => expect(await deliveries()).toEqual([{ status: 'delivered', attempts: 2 }]));
    await server.editDatabase(`update webhooks set failures = 1, paused_until = now() + interval '31 days';
      update webhook_queues set leased_until = now() + interval '31 days'`);
    await send();
    const delivered = expect.objectContaining({ status: 'delivered' });
    await until(async () => expect(await deliveries()).toEqual([delivered, delivered]));
  });
});

describe('OP-13 retention', () => {
  const run = async (only?: string) => {
    const tasks = createTasks(server.platform);
    const names = SCHEDULE.map((line) => line.split(' ').at(-1)!).filter((name) => only === undefined || name === only);
    for (const name of names) await tasks[name]!({}, {} as never);
    return names;
  };
  /** How many rows each table has. */
  const count = async () => {
    const { rows } = await server.platform.storage.pool.query<{ name: string; count: string }>(`
      select relname as name, (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text as count
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`);
    // What is used is added up, not deleted, and that a clock was seen to jump is noted at any moment.
    const kept = rows.filter(({ name }) => !/usage|^clock_gaps$/.test(name));
    return Object.fromEntries(kept.map((row) => [row.name, Number(row.count)]));
  };
  /** As if the clock had been watched for two hours. */
  const trust = () =>
    server.editDatabase(`insert into clock_readings (read_at, steady_since)
      values (now() - interval '10 minutes', now() - interval '2 hours')
      on conflict (only_row) do update set read_at = excluded.read_at, steady_since = excluded.steady_since`);
  /** Everything that has an age or an end, all of it still wanted. */
  const fill = async () => {
    const person = await addTalker(server);
    const agent = await addBot(server, person);
    const id = await relate(server, person, agent);
    const sent = await server.call('POST', `/conversations/${id}/messages`, {
      token: agent.token,
      body: seal(agent, id),
    });
    expect(sent.status).toBe(200);
    await server.editDatabase(`
      insert into events (recipient_kind, recipient_id, type, payload) values ('human', '${person.id}', 'x', '{}');
      insert into claims (message_id, device_id) values (gen_random_uuid(), gen_random_uuid());
      insert into passes values (gen_random_uuid(), gen_random_uuid(), '${person.id}', now());
      insert into email_codes values (gen_random_uuid(), 'c', 0, now() + interval '10 minutes');
      insert into passkey_challenges values (gen_random_uuid(), 'login', 'c', null, now() + interval '5 minutes');
      insert into device_grants values (gen_random_uuid(), gen_random_uuid(), 'c', 'pending', null, null, 5, now() + interval '10 minutes');
      insert into login_failures values (gen_random_uuid(), 1, null, now());
      insert into idempotency_keys values ('c', gen_random_uuid(), 'h', null, now());
      insert into agent_events values ('${agent.id}', 1, 'connection.opened', '{}', now());
      insert into prekey_takings values ('human', '${person.id}', 'agent', '${agent.id}', now(), 1);
      insert into webhook_deliveries (id, agent_id, event_type, body, expires_at, created_at)
        values (gen_random_uuid(), '${agent.id}', 'message.new', '{}', now() + interval '1 day', now())`);
    return id;
  };

  it('OP-13 attack: a clock that is 31 days ahead for a moment deletes nothing, whichever job runs then', async () => {
    await fill();
    await trust();
    const before = await count();
    for (const name of ['messages', 'sessions', 'email_codes', 'webhook_deliveries'])
      expect(before[name]).toBeGreaterThan(0);
    server.clock.jump(31 * DAY);
    expect((await run()).length).toBeGreaterThan(4);
    expect(await count()).toEqual(before);
    const { body } = await server.call('GET', '/metrics');
    expect(body).toMatch(/parley_retention_refusals_total\{reason="disagree"\} [1-9]/);
    server.clock.jump(-31 * DAY);
    await run();
    expect(await count()).toEqual(before);
  });

  it('OP-13 once the clock is believed, what is old goes', async () => {
    await fill();
    await server.editDatabase(`
      update messages set received_at = received_at - interval '31 days';
      update email_codes set expires_at = expires_at - interval '31 days';
      update idempotency_keys set created_at = created_at - interval '31 days';
      update webhook_deliveries set status = 'delivered', created_at = created_at - interval '31 days'`);
    await trust();
    await run();
    const gone = ['messages', 'email_codes', 'idempotency_keys', 'webhook_deliveries'];
    const after = await count();
    expect(gone.map((name) => after[name])).toEqual(gone.map(() => 0));
  });

  const WANTED = [
    'messages',
    'events',
    'conversation_events',
    'claims',
    'passes',
    'agent_events',
    'webhook_deliveries',
  ];
  const wanted = async () => {
    const rows = await count();
    return WANTED.map((name) => rows[name]);
  };
  const envelopes = async () => {
    const { rows } = await server.platform.storage.pool.query('select count(envelope)::int as count from messages');
    return rows[0].count;
  };
  /** Sets all that was stored back by so many days, and what is about those who are to get it if that time has passed. */
  const age = (days: number, { hasPassed = false } = {}) => {
    const columns = [
      ...['events', 'conversation_events', 'claims', 'passes', 'webhook_deliveries'].map((name) => [
        name,
        'created_at',
      ]),
      ['messages', 'received_at'],
      ['agent_events', 'at'],
      ...(hasPassed ? ['devices.created_at', 'agents.created_at'] : []).map((name) => name.split('.')),
      ...(hasPassed ? ['clock_gaps.began_at', 'clock_gaps.ended_at'] : []).map((name) => name.split('.')),
    ];
    const updates = columns.map(
      ([name, column]) => `update ${name} set ${column} = ${column} - interval '${days} days'`,
    );
    return server.editDatabase(
      `begin; ${updates.join('; ')}; update webhook_deliveries set status = 'delivered'; commit`,
    );
  };

  it('OP-13 attack: what is stored while the clocks of a machine are 40 days behind is kept until its time has passed', async () => {
    const id = await fill();
    await server.editDatabase(
      `insert into conversation_events (conversation_id, type, payload) values ('${id}', 'x', '{}')`,
    );
    const before = await wanted();
    const sealed = await envelopes();
    expect(before.every((rows) => rows! > 0)).toBe(true);
    // A process that starts while they are behind, and another after they were set right.
    await age(40);
    await server.editDatabase(`update clock_readings set read_at = read_at - interval '40 days'`);
    await run();
    await trust();
    await run();
    expect([await wanted(), await envelopes()]).toEqual([before, sealed]);
    await age(20, { hasPassed: true });
    await trust();
    await run('forget_messages');
    expect(await envelopes()).toBe(sealed);
    await age(100, { hasPassed: true });
    await trust();
    await run();
    expect(await wanted()).toEqual(before.map(() => 0));
  });

  it('OP-13 attack: what a node stores whose own clock is 40 days behind is kept, and for those who want it', async () => {
    const person = await addTalker(server);
    const agent = await addBot(server, person);
    const id = await relate(server, person, agent);
    server.clock.jump(-40 * DAY);
    const body = seal(agent, id, { created_at: new Date(Date.now() - 40 * DAY).toISOString() });
    expect((await server.call('POST', `/conversations/${id}/messages`, { token: agent.token, body })).status).toBe(200);
    const sealed = await envelopes();
    expect(sealed).toBeGreaterThan(0);
    // As all of its nodes do every 20 seconds.
    await recordHeartbeat(server.platform.db, randomUUID(), server.platform.now());
    server.clock.jump(40 * DAY);
    await trust();
    await run('forget_messages');
    expect(await envelopes()).toBe(sealed);
  });

  it('OP-13 nothing that deletes by age reads a clock itself: the job that calls it says the time', () => {
    const source = readFileSync(new URL('../src/tasks.ts', import.meta.url), 'utf8');
    expect(source).not.toMatch(/\bnow\(\)|Date\.now|new Date\(\)/);
    const scheduled = SCHEDULE.map((line) => line.split(' ').at(-1)!);
    // The others add up.
    expect(scheduled.filter((name) => !/^(prune|forget)_/.test(name)).sort()).toEqual(['count_usage', 'fold_usage']);
    const offenders = readdirSync(new URL('../src/', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => {
        const text = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
        const functions = text.matchAll(/function (prune\w*|deleteOld\w*|forget\w*)\([\s\S]*?\n}/g);
        return [...functions].filter(([body]) => /now\(\)|Date\.now|new Date\(\)/.test(body)).map(([, name]) => name);
      });
    // Its rows are no data: they count the last minute, by the clock of the database that all nodes share.
    expect(offenders).toEqual(['pruneToolCalls']);
  });
});
