import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { createServer } from '../server.ts';
import { loginByPassword } from './account.ts';
import type { Passwords } from './password.ts';

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
  it('TR-9 the reply is 201 with tokens and the cookies', async () => {
    const { status, body, headers } = await register('first@example.org');
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in_seconds', 'user_id']);
    expect(body.expires_in_seconds).toBe(300);
    const [refresh, known] = headers.getSetCookie();
    expect(refresh).toMatch(/^parley_refresh=[\w.-]+; Path=\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    expect(known).toMatch(/^parley_known_device=[\w.-]+; Path=\/auth; Max-Age=34560000; HttpOnly; SameSite=Strict$/);
    const me = await server.call('GET', '/auth/me', { token: body.access_token });
    expect(me.body).toMatchObject({ user_id: body.user_id, email: 'first@example.org', role: 'user' });
  });

  it('AC-8 accounts are users, whatever they ask for', async () => {
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

  it('TR-9 an old token does not stand in the way of signing in', async () => {
    const reply = await server.call('POST', '/auth/login', {
      token: 'not.a.token',
      body: { email: 'first@example.org', account_password: PASSWORD },
    });
    expect(reply.status).toBe(200);
  });
});

describe('OP-3 whose turn a password is checked in', () => {
  it('OP-3 AC-1 a stranger waits among those of the same network, a known device among those who are known', async () => {
    const { headers } = await register('turns@example.org');
    const knownDevice = /parley_known_device=([\w.-]+)/.exec(headers.getSetCookie().join())![1];
    const networks: (string | undefined)[] = [];
    const passwords: Passwords = {
      hash: async () => '',
      check: async (_stored, _password, network) => {
        networks.push(network);
        return false;
      },
    };
    const deps = { ...server.platform, passwords, mailer: undefined };
    const from = { client: undefined, network: '192.0.2.1' };
    for (const device of [
      { ...from, knownDevice: undefined },
      { ...from, knownDevice: 'forged' },
      { ...from, knownDevice },
    ]) {
      const trying = loginByPassword(deps, { email: 'turns@example.org', password: 'wrong', device });
      await expect(trying).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
    }
    expect(networks).toEqual(['192.0.2.1', '192.0.2.1', undefined]);
  });
});
