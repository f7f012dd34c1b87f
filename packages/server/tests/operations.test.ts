import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { until } from '@parley/testkit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, startTestServer, type TestServer } from './harness/server.ts';

/** Of those that no table of the contract names. */
const REFUSED_EARLY = [
  'open_connections',
  'request_timeout',
  'unreadable_requests',
  'upgrades',
  'unknown_sockets',
  'unsent_replies',
  'polls',
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

describe('TR-8 probes', () => {
  it('TR-8 a server that runs is healthy and ready', async () => {
    expect(await server.call('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await server.call('GET', '/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('TR-8 without its migrations, or without its database, it is healthy but not ready', async () => {
    const database = await createDatabase();
    const lost = await startTestServer({ databaseUrl: database.url });
    const { db } = lost.platform;
    await db.deleteFrom('migrations' as never).execute();
    const unready = await lost.call('GET', '/ready');
    expect(unready).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE', params: {} } } });
    await database.drop();
    expect((await lost.call('GET', '/ready')).status).toBe(503);
    expect((await lost.call('GET', '/health')).status).toBe(200);
    await lost.close();
  });
});

describe('OP-9 readiness', () => {
  it('OP-9 figures that the database is slow to give do not make a node unready', async () => {
    const other = await startTestServer();
    let isOver = false;
    const scrape = async () => {
      // Each as if it were much later: the route has a rate limit, and what /ready said is remembered for a second.
      for (; !isOver; other.clock.advance(10_000)) await other.call('GET', '/metrics');
    };
    const blocker = await other.platform.storage.pool.connect();
    await blocker.query('begin');
    await blocker.query('set local idle_in_transaction_session_timeout = 0');
    await blocker.query('lock table graphile_worker._private_jobs, webhook_queues in access exclusive mode');
    const scrapes = Array.from({ length: 4 }, scrape);
    const waiting = async () => {
      const { rows } = await sql`select pid, query_start from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and (query like '%count(*)::int as jobs%' or query like '%count(*)::integer as agents%') order by pid
        `.execute(other.platform.patientDb);
      return rows;
    };
    await until(async () => {
      const before = await waiting();
      expect(before).toHaveLength(2);
      other.clock.advance(10_000);
      expect(await other.call('GET', '/ready')).toMatchObject({ status: 200 });
      // It was answered while both of them waited.
      expect(await waiting()).toEqual(before);
    });
    isOver = true;
    await blocker.query('rollback');
    blocker.release();
    await Promise.all(scrapes);
    await other.drop();
  });
});

describe('OP-14 HSTS', () => {
  it('OP-14 attack: a first visit without TLS is taken over only once: browsers are told to use HTTPS', async () => {
    const name = 'strict-transport-security';
    const secure = await startTestServer({ publicUrl: 'https://parley.example.com' });
    for (const path of ['/health', '/nowhere']) {
      expect((await secure.call('GET', path)).headers.get(name)).toBe('max-age=31536000');
      // Whoever runs it on localhost would lock the other programs there out of their browser.
      expect((await server.call('GET', path)).headers.get(name)).toBeNull();
    }
    await secure.drop();
  });
});

describe('TR-8 metrics', () => {
  const sample = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );

  it('TR-8 requests are counted by route and status, never by address', async () => {
    const secret = '0192f3a4-0000-7000-8000-00000000feed';
    await server.call('GET', `/agents/${secret}/webhook`);
    const series = 'parley_http_request_seconds_count{method="GET",route="/agents/:agent_id/webhook",status="401"}';
    // A request is counted when its reply has left, of which whoever gets the reply cannot be sure.
    const { status, body, headers } = await until(async () => {
      const reply = await server.call('GET', '/metrics');
      expect(sample(reply.body, series)).toBe(1);
      return reply;
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(body).not.toContain(secret);
    for (const name of [
      'parley_sockets',
      'parley_messages_total',
      'parley_webhook_attempts_total',
      'parley_webhooks_waiting',
    ]) {
      expect(body).toContain(`# TYPE ${name} `);
    }
    expect(sample(body, 'parley_database_connections{state="awaited"}')).toBe(0);
  });

  it('OP-14 what a limit refused and what was no sign-in are counted', async () => {
    const wrong = { email: 'nobody@example.org', account_password: 'not the password' };
    await server.call('POST', '/auth/login', { body: wrong });
    await until(async () => expect((await server.call('POST', '/auth/send-code', { body: {} })).status).toBe(429));
    await until(async () => {
      const { body } = await server.call('GET', '/metrics');
      expect(sample(body, 'parley_sign_in_failures_total{method="password"}')).toBe(1);
      expect(sample(body, 'parley_refusals_total{limit="rate"}')).toBe(1);
    });
  });

  it.each(['operators.md', 'operators.zh-CN.md'])('OP-14 the guide %s explains every figure', async (name) => {
    const guide = readFileSync(new URL(`../../../docs/guides/${name}`, import.meta.url), 'utf8');
    const measured = await startTestServer({ dataDir: tmpdir() });
    const { body } = await measured.call('GET', '/metrics');
    await measured.drop();
    const figures = [...body.matchAll(/^# TYPE (parley_\w+) /gm)].map(([, figure]) => figure);
    expect(figures.length).toBeGreaterThan(10);
    for (const figure of figures) expect(guide).toContain(`\`${figure}\``);
    for (const limit of REFUSED_EARLY) expect(guide).toContain(`\`${limit}\``);
    expect(sample(body, 'parley_disk_bytes{state="free"}')).toBeGreaterThan(0);
    expect(body).toMatch(/^parley_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
  });

  it('OP-14 jobs that wait are counted by task', async () => {
    const { db, jobs } = server.platform;
    // Nobody on this server runs it.
    await jobs.add(db, 'nobody_runs_this', {});
    const { body } = await server.call('GET', '/metrics');
    expect(sample(body, 'parley_jobs_waiting{task="nobody_runs_this"}')).toBe(1);
  });

  it('TR-8 two servers in one process count apart', async () => {
    const other = await startTestServer();
    await other.call('GET', '/nowhere');
    const { body } = await server.call('GET', '/metrics');
    expect(body).not.toContain('route="/nowhere"');
    await other.drop();
  });

  it.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
    'TR-8 attack: metrics through a proxy on the same machine (%s) are refused',
    async (name) => {
      expect((await server.call('GET', '/metrics', { headers: { [name]: '203.0.113.9' } })).status).toBe(403);
    },
  );

  it('TR-8 an operator reads them from anywhere, a person does not', async () => {
    const register = async (email: string) => {
      const body = { email, account_password: 'correct horse battery', display_name: 'Ada' };
      return (await server.call('POST', '/auth/register', { body })).body;
    };
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const [admin, person] = [await register('admin@example.org'), await register('person@example.org')];
    await server.makeOperator(admin.user_id);
    expect((await server.call('GET', '/metrics', { token: admin.access_token, headers })).status).toBe(200);
    expect((await server.call('GET', '/metrics', { token: person.access_token, headers })).status).toBe(403);
  });
});
