import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { createServer } from '../server.ts';

const PASSWORD = 'correct horse battery';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const register = (email: string, more: object = {}) =>
  server.call('POST', '/auth/register', {
    body: { email, account_password: PASSWORD, display_name: 'Ada', ...more },
  });
const login = (email: string, account_password = PASSWORD) =>
  server.call('POST', '/auth/login', { body: { email, account_password } });

describe('TR-9 registering', () => {
  it('TR-9 the first account becomes admin, the reply is 201 with tokens and the cookie', async () => {
    const { status, body, headers } = await register('first@example.org');
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in_seconds', 'user_id']);
    expect(body.expires_in_seconds).toBe(300);
    expect(headers.get('set-cookie')).toMatch(
      /^parley_refresh=[\w.-]+; Path=\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    const me = await server.call('GET', '/auth/me', { token: body.access_token });
    expect(me.body).toMatchObject({ user_id: body.user_id, email: 'first@example.org', role: 'admin' });
  });

  it('TR-9 later accounts are users, whatever they ask for', async () => {
    const { body } = await register('second@example.org');
    expect((await server.call('GET', '/auth/me', { token: body.access_token })).body.role).toBe('user');
    expect((await register('third@example.org', { role: 'admin' })).status).toBe(400);
  });

  it('TR-9 one account for an address, however it is spelt', async () => {
    await register('twice@example.org');
    for (const spelling of ['TWICE@example.org', ' twice@Example.ORG ', 'ｔｗｉｃｅ@example.org']) {
      expect(await register(spelling)).toMatchObject({ status: 409, body: { error: { code: 'EMAIL_TAKEN' } } });
    }
  });

  it.each([
    'nobody',
    'a@b',
    'a@b@c.org',
    'a b@example.org',
    'a@exa mple.org',
    'a\u0000@example.org',
    '<a@example.org>',
  ])('TR-9 %j is no address', async (email) => {
    expect(await register(email)).toMatchObject({ status: 422, body: { error: { code: 'EMAIL_INVALID' } } });
  });

  it.each([
    [9, 400],
    [10, 201],
    [200, 201],
    [201, 400],
  ])('TR-9 a password of %i characters is %i', async (length, status) => {
    const reply = await register(`p${length}@example.org`, { account_password: 'ü'.repeat(length) });
    expect(reply.status).toBe(status);
    expect(JSON.stringify(reply.body)).not.toContain('üü');
  });

  it('TR-9 passwords are stored as Argon2id of at least 19 MiB and 2 passes, unless tests say otherwise', async () => {
    const { passwordCost: _, ...config } = server.config;
    const production = await createServer(config);
    const body = { email: 'costly@example.org', account_password: PASSWORD, display_name: 'Ada' };
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    expect((await fetch(`${production.url}/auth/register`, sent)).status).toBe(201);
    await production.close();
    const { password_hash } = await server.platform.db
      .selectFrom('accounts')
      .select('password_hash')
      .where('email', '=', 'costly@example.org')
      .executeTakeFirstOrThrow();
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('TR-9 the first account', () => {
  it('TR-9 of many at once, one is the first; when it is gone, nobody takes its place', async () => {
    const fresh = await startTestServer();
    const add = async (email: string) => {
      const body = { email, account_password: PASSWORD, display_name: 'Ada' };
      return (await fresh.call('POST', '/auth/register', { body })).body.access_token as string;
    };
    const role = async (token: string) => (await fresh.call('GET', '/auth/me', { token })).body.role as string;
    const tokens = await Promise.all(Array.from({ length: 8 }, (_, i) => add(`p${i}@example.org`)));
    const roles = await Promise.all(tokens.map(role));
    expect(roles.filter((name) => name === 'admin')).toHaveLength(1);
    const admin = tokens[roles.indexOf('admin')]!;
    await fresh.call('DELETE', '/auth/account', { token: admin, body: { account_password: PASSWORD } });
    await fresh.platform.db.deleteFrom('accounts').where('role', '=', 'user').where('status', '=', 'active').execute();
    expect(await role(await add('late@example.org'))).toBe('user');
    await fresh.drop();
  });
});

describe('TR-9 signing in', () => {
  it('TR-9 by e-mail and password, in any case', async () => {
    const { body } = await register('login@example.org');
    const reply = await login('LOGIN@Example.org');
    expect(reply).toMatchObject({ status: 200, body: { user_id: body.user_id, expires_in_seconds: 300 } });
    expect(reply.headers.get('set-cookie')).toContain('HttpOnly');
  });

  it('TR-9 user enumeration: unknown, banned and mistyped get the same status and words', async () => {
    const { body } = await register('banned@example.org');
    await server.platform.db.updateTable('accounts').set({ status: 'banned' }).where('id', '=', body.user_id).execute();
    const replies = await Promise.all([
      login('login@example.org', 'wrong password'),
      login('unknown@example.org', 'wrong password'),
      login('banned@example.org'),
    ]);
    const seen = replies.map(({ status, body: { error } }) => ({ status, ...error, request_id: '' }));
    expect(seen[0]).toMatchObject({ status: 401, code: 'LOGIN_FAILED' });
    expect(new Set(seen.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect((await server.call('GET', '/auth/me', { token: body.access_token })).status).toBe(401);
  });

  it('TR-9 five failures lock for 15 minutes, even for the right password, under every spelling', async () => {
    const { body } = await register('lock@example.org');
    const spellings = [
      'lock@example.org',
      ' lock@example.org',
      'LOCK@example.org',
      'lock@EXAMPLE.org ',
      'ｌｏｃｋ@example.org',
    ];
    for (const spelling of spellings) expect((await login(spelling, 'not this one')).status).toBe(401);
    const locked = await login('lock@example.org');
    expect(locked).toMatchObject({ status: 429, body: { error: { code: 'ACCOUNT_LOCKED' } } });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890);
    expect((await login('LOCK@example.org')).status).toBe(429);
    expect((await server.call('GET', '/auth/me', { token: body.access_token })).status).toBe(200);
    server.clock.advance(14 * 60_000);
    expect((await login('lock@example.org')).status).toBe(429);
    server.clock.advance(2 * 60_000);
    expect((await login('lock@example.org')).status).toBe(200);
  });

  it('TR-9 user enumeration: an unknown address is locked alike', async () => {
    for (let i = 0; i < 5; i++) expect((await login('ghost@example.org', 'not this one')).status).toBe(401);
    expect((await login('ghost@example.org', 'not this one')).status).toBe(429);
  });

  it('TR-9 brute force: forty guesses at once are five', async () => {
    await register('burst@example.org');
    const replies = await Promise.all(Array.from({ length: 40 }, (_, i) => login('burst@example.org', `guess ${i}`)));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(replies.filter(({ body }) => body.error.code === 'ACCOUNT_LOCKED')).toHaveLength(35);
  });

  it('TR-9 a lock survives a restart', async () => {
    for (let i = 0; i < 5; i++) await login('restart@example.org', 'not this one');
    const other = await startTestServer({ databaseUrl: server.config.databaseUrl });
    const reply = await other.call('POST', '/auth/login', {
      body: { email: 'restart@example.org', account_password: PASSWORD },
    });
    expect(reply.status).toBe(429);
    await other.close();
  });

  it('TR-9 an old token does not stand in the way of signing in', async () => {
    const reply = await server.call('POST', '/auth/login', {
      token: 'not.a.token',
      body: { email: 'first@example.org', account_password: PASSWORD },
    });
    expect(reply.status).toBe(200);
  });
});
