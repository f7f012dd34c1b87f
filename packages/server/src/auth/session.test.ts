import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, signUp } from '../../tests/harness/accounts.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const join = () => signUp(server);
const refresh = (cookie: string, headers: Record<string, string> = {}) =>
  server.call('POST', '/auth/refresh', { headers: { cookie, ...headers } });
const me = (token: string) => server.call('GET', '/auth/me', { token });
const parts = (token: string) => token.split('.').slice(0, 2) as [string, string];
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('TR-9 the refresh token', () => {
  it('TR-9 rotates: each gives a new one and a new access token', async () => {
    const { cookie } = await join();
    const second = await refresh(cookie);
    expect(second.status).toBe(200);
    expect(cookieOf(second)).not.toBe(cookie);
    expect((await me(second.body.access_token)).status).toBe(200);
    expect((await refresh(cookieOf(second))).status).toBe(200);
  });

  it('TR-9 AC-2 attack: a replaced token, later than a minute, ends the session for thief and owner alike', async () => {
    const { cookie, token } = await join();
    const owner = await refresh(cookie);
    server.clock.advance(61_000);
    expect((await refresh(cookie)).status).toBe(401);
    expect((await refresh(cookieOf(owner))).status).toBe(401);
    expect((await me(owner.body.access_token)).status).toBe(401);
    expect((await me(token)).status).toBe(401);
  });

  it('TR-9 refresh token theft: a token from many rotations ago ends the session too', async () => {
    const { cookie } = await join();
    let last = cookie;
    for (let i = 0; i < 4; i++) last = cookieOf(await refresh(last));
    expect((await refresh(cookie)).status).toBe(401);
    expect((await refresh(last)).status).toBe(401);
  });

  it('AC-2 a refresh whose reply was lost is repeated: the same device gets the same token, for a minute', async () => {
    const { cookie } = await join();
    const lost = await refresh(cookie);
    server.clock.advance(59_000);
    const again = await refresh(cookie);
    expect([again.status, cookieOf(again)]).toEqual([200, cookieOf(lost)]);
    expect((await me(again.body.access_token)).status).toBe(200);
    expect((await refresh(cookieOf(again))).status).toBe(200);
  });

  it('AC-2 many tabs that refresh at the same moment all get the same token', async () => {
    const { cookie } = await join();
    const replies = await Promise.all(Array.from({ length: 5 }, () => refresh(cookie)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(replies.map(cookieOf)).size).toBe(1);
    expect((await refresh(cookieOf(replies[0]!))).status).toBe(200);
  });

  it('TR-9 a forged token ends nobody else’s session', async () => {
    const { cookie } = await join();
    const forged = `${cookie.slice(0, 30)}${'A'.repeat(cookie.length - 30)}`;
    expect((await refresh(forged)).status).toBe(401);
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('TR-9 is good for 30 days from its last use', async () => {
    const { cookie } = await join();
    server.clock.advance(29 * 86_400_000);
    const second = await refresh(cookie);
    expect(second.status).toBe(200);
    server.clock.advance(31 * 86_400_000);
    expect((await refresh(cookieOf(second))).status).toBe(401);
  });

  it('TR-9 neither it nor anything that opens it is stored', async () => {
    const { cookie } = await join();
    const [family, rest] = cookie.replace('parley_refresh=', '').split('.');
    const rows = JSON.stringify(await server.platform.db.selectFrom('sessions').selectAll().execute());
    expect(rows).not.toContain(family);
    expect(rows).not.toContain(rest);
  });

  it.each([
    ['sec-fetch-site', 'cross-site', 403],
    ['sec-fetch-site', 'same-site', 403],
    ['sec-fetch-site', 'same-origin', 200],
    ['origin', 'https://evil.example', 403],
    ['origin', 'null', 403],
    ['origin', 'http://localhost:8484', 200],
  ])('TR-9 cross-site request forgery: %s %s is %i', async (name, value, status) => {
    const { cookie } = await join();
    expect((await refresh(cookie, { [name]: value })).status).toBe(status);
    const logout = await server.call('POST', '/auth/logout', { headers: { cookie, [name]: value } });
    expect(logout.status).toBe(status === 200 ? 204 : 403);
  });

  it('TR-9 is Secure where people come by https', async () => {
    const secure = await startTestServer({ publicUrl: 'https://parley.example' });
    const reply = await secure.call('POST', '/auth/register', {
      body: { email: 'a@example.org', account_password: 'correct horse battery', display_name: 'Ada' },
    });
    for (const set of reply.headers.getSetCookie()) expect(set).toMatch(/HttpOnly; SameSite=Strict; Secure$/);
    expect(reply.headers.getSetCookie()).toHaveLength(2);
    await secure.drop();
  });
});

describe('TR-9 the access token', () => {
  it('TR-9 lasts five minutes', async () => {
    server.clock.stop();
    const { token } = await join();
    const [, payload] = parts(token);
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'sid', 'sub']);
    expect(claims.exp - claims.iat).toBe(300);
    server.clock.advance(299_000);
    expect((await me(token)).status).toBe(200);
    server.clock.advance(2_000);
    expect((await me(token)).status).toBe(401);
  });

  it('TR-9 algorithm confusion: none, another HMAC, RSA and EdDSA are refused', async () => {
    const { token } = await join();
    const [, payload] = parts(token);
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const secret = server.config.tokenSecret;
    const hmac = (text: string, name: string) => createHmac(name, secret).update(text).digest('base64url');
    const none = `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`;
    const rs256 = `${encode({ alg: 'RS256', typ: 'JWT' })}.${payload}`;
    const hs512 = `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}`;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ed = generateKeyPairSync('ed25519').privateKey;
    const attempts = [
      none,
      `${encode({ alg: 'NONE' })}.${payload}.`,
      `${rs256}.${hmac(rs256, 'sha256')}`,
      `${hs512}.${hmac(hs512, 'sha512')}`,
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(rsa),
      await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA' }).sign(ed),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32)),
    ];
    for (const attempt of attempts) expect((await me(attempt)).status).toBe(401);
    expect((await me(await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret))).status).toBe(200);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'other' }],
    ['no subject', { sub: undefined }],
    ['no session', { sid: undefined }],
    ['no end', { exp: undefined }],
    ['a session that is not its account’s', { sub: '00000000-0000-7000-8000-000000000000' }],
  ])('TR-9 a rightly signed token with %s is refused', async (_, change) => {
    const { token } = await join();
    const claims = JSON.parse(Buffer.from(parts(token)[1], 'base64url').toString());
    const forged = await new SignJWT({ ...claims, ...change })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(server.config.tokenSecret);
    expect((await me(forged)).status).toBe(401);
  });

  it('TR-9 token guessing: malformed bearers are 401, never 500', async () => {
    const hostile = ['', 'a', 'a.b.c', 'hsk_', `hsk_${'A'.repeat(40)}`, 'A'.repeat(5_000), '{}', '../..'];
    for (const token of hostile) {
      const reply = await server.call('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } });
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
    }
    const basic = await server.call('GET', '/auth/me', { headers: { authorization: 'Basic YTpi' } });
    expect(basic.status).toBe(401);
  });
});

describe('TR-9 sessions', () => {
  it('TR-9 are listed, and one that is revoked stops at once', async () => {
    const { token, cookie } = await join();
    const email = (await me(token)).body.email;
    const other = await server.call('POST', '/auth/login', {
      body: { email, account_password: 'correct horse battery' },
      headers: { 'user-agent': 'second browser' },
    });
    const { sessions } = (await server.call('GET', '/auth/sessions', { token })).body;
    expect(sessions).toHaveLength(2);
    const second = sessions.find((session: { current: boolean }) => !session.current);
    expect(second.client).toBe('second browser');
    const path = `/auth/sessions/${second.session_id}`;
    expect((await server.call('DELETE', path, { token })).status).toBe(204);
    expect((await me(other.body.access_token)).status).toBe(401);
    expect((await refresh(cookieOf(other))).status).toBe(401);
    expect((await server.call('DELETE', path, { token })).status).toBe(404);
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('TR-9 nobody ends another’s session', async () => {
    const [ada, eve] = [await join(), await join()];
    const { session_id } = (await me(ada.token)).body;
    const reply = await server.call('DELETE', `/auth/sessions/${session_id}`, { token: eve.token });
    expect(reply.status).toBe(404);
    expect((await me(ada.token)).status).toBe(200);
  });

  it('TR-9 signing out ends the session and takes the cookie back', async () => {
    const { token, cookie } = await join();
    const reply = await server.call('POST', '/auth/logout', { headers: { cookie } });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('set-cookie')).toMatch(/^parley_refresh=; Path=\/auth; Max-Age=0/);
    expect((await me(token)).status).toBe(401);
    expect((await refresh(cookie)).status).toBe(401);
  });

  it('TR-9 a ban stops access and refresh at once', async () => {
    const { token, cookie, id } = await join();
    await server.platform.db.updateTable('accounts').set({ status: 'banned' }).where('id', '=', id).execute();
    expect((await me(token)).status).toBe(401);
    expect((await refresh(cookie)).status).toBe(401);
  });
});
