import { until } from '@parley/testkit/until';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, signUp } from '../harness/accounts.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const SIGN_INS = 30;

it('OP-3 attack: sign-ins that all wait for one count leave connections for those who are signed in', async () => {
  const { email, token } = await signUp(server);
  const { pool } = server.platform.storage;
  const holder = new pg.Client({ connectionString: server.platform.config.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin; lock table login_failures in access exclusive mode');
    const body = { email, account_password: PASSWORD };
    const replies = Array.from({ length: SIGN_INS }, () => server.call('POST', '/auth/login', { body }));
    await until(() => pool.totalCount - pool.idleCount >= 4);
    // With every connection waiting for the lock, this would never be answered.
    expect((await server.call('GET', '/auth/me', { token })).status).toBe(200);
    expect(pool.totalCount - pool.idleCount).toBeLessThan(server.platform.config.poolSize);
    await holder.query('rollback');
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
    expect(statuses).toContain(200);
  } finally {
    await holder.end();
  }
});

it('AC-1 OP-3 attack: strangers hold every connection that sign-ins have; a device that was signed in before does not wait', async () => {
  const [ada, bob] = [await signUp(server), await signUp(server)];
  const { pool } = server.platform.storage;
  const login = (email: string, account_password: string, cookie = '') =>
    server.call('POST', '/auth/login', { body: { email, account_password }, headers: { cookie } });
  const known = (await login(ada.email, PASSWORD)).headers
    .getSetCookie()
    .find((text) => text.includes('known_device'))!;
  expect((await login(bob.email, 'wrong')).status).toBe(401);
  const holder = new pg.Client({ connectionString: server.platform.config.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin; select from login_failures for update');
    const strangers = Array.from({ length: 8 }, () => login(bob.email, 'wrong'));
    await until(() => pool.totalCount - pool.idleCount >= 4);
    // With a forged proof they are strangers like the others.
    const forged = login(bob.email, 'wrong', `${known.split(';')[0]}x`);
    expect((await login(ada.email, PASSWORD, known.split(';')[0])).status).toBe(200);
    await holder.query('rollback');
    const statuses = (await Promise.all([...strangers, forged])).map(({ status }) => status);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
  } finally {
    await holder.end();
  }
});
