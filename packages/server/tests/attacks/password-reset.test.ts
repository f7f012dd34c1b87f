import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loginByPassword } from '../../src/accounts/account.ts';
import type { Passwords } from '../../src/accounts/password.ts';
import { cookieOf, PASSWORD, type Person, signUp } from '../harness/accounts.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { type Reply, startTestServer, type TestServer } from '../harness/server.ts';
import { type SmtpServer, startSmtp } from '../harness/smtp.ts';

let smtp: SmtpServer;
let server: TestServer;
let operator: Person;
beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({ trustedProxies: ['127.0.0.1'] });
  // People of the tests register without a code; letters go out all the same.
  mailing = await startTestServer({
    databaseUrl: server.config.databaseUrl,
    smtpUrl: smtp.url,
    tokenSecret: server.config.tokenSecret,
  });
  operator = await signUp(server);
  await server.makeOperator(operator.id);
});
let mailing: TestServer;
afterAll(async () => {
  await mailing.close();
  await server.drop();
  await smtp.close();
});

const DAY = 86_400_000;
const NEXT = 'another horse battery';
const request = (email: string) => mailing.call('POST', '/auth/password-reset/request', { body: { email } });
const reset = (code: string, more: object = {}) =>
  server.call('POST', '/auth/password-reset', { body: { code, new_password: NEXT, ...more } });
const login = (email: string, account_password: string, headers: Record<string, string> = {}) =>
  server.call('POST', '/auth/login', { body: { email, account_password }, headers });
const me = (token: string) => server.call('GET', '/auth/me', { token });
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to === email);
const linkIn = (data: string) => /reset-password#([\w-]{43})/.exec(data.replaceAll('=\n', ''))?.[1];
const knownOf = ({ headers }: Reply) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('parley_known_device='))!
    .split(';')[0]!;
const lastLink = (email: string) =>
  mailsTo(email)
    .map(({ data }) => linkIn(data))
    .findLast((code) => code !== undefined) ?? false;
async function codeFor(email: string): Promise<string> {
  await request(email);
  return String(await until(() => lastLink(email)));
}
const makeLink = (accountId: string, token = operator.token) =>
  server.call('POST', `/admin/accounts/${accountId}/reset-link`, { token, body: { reason: 'asked by phone' } });
const codeOf = (link: string) => new URL(link).hash.slice(1);
const INVALID = { status: 422, body: { error: { code: 'RESET_CODE_INVALID' } } };

describe('AC-9 a lost password', () => {
  it('AC-9 is reset by mail, once: every session and proof of a device ends, and the person is told', async () => {
    const ada = await signUp(server);
    const known = knownOf(await login(ada.email, PASSWORD));
    const code = await codeFor(ada.email);
    const done = await reset(code);
    expect(done.status).toBe(204);
    expect((await me(ada.token)).status).toBe(401);
    expect((await server.call('POST', '/auth/refresh', { headers: { cookie: ada.cookie } })).status).toBe(401);
    expect((await login(ada.email, PASSWORD)).status).toBe(401);
    const again = await login(ada.email, NEXT);
    expect(again.status).toBe(200);
    expect(await reset(code)).toMatchObject(INVALID);
    const { notices } = (await server.call('GET', '/auth/notices', { token: again.body.access_token })).body;
    expect(notices).toMatchObject([{ kind: 'password_reset' }]);
    // The old proof counts no more; the one that came with the reset does.
    const attack = (cookie: string) => login(ada.email, NEXT, { 'x-forwarded-for': '203.0.113.8', cookie });
    for (let i = 0; i < 25; i++) await login(ada.email, 'wrong', { 'x-forwarded-for': `203.0.113.${100 + i}` });
    expect((await attack(known)).status).toBe(429);
    expect((await attack(knownOf(done))).status).toBe(200);
  });

  it('AC-9 attack: user enumeration; asking for an address nobody has gets the same answer, and no letter', async () => {
    const ada = await signUp(server);
    const replies = [await request(ada.email), await request('nobody@example.net')];
    expect(replies[0]!.status).toBe(202);
    expect(replies[0]!.body).toEqual(replies[1]!.body);
    await until(() => mailsTo(ada.email).length > 0);
    expect(mailsTo('nobody@example.net')).toEqual([]);
  });

  it('AC-9 attack: asking all the time sends one letter a minute, ten at most, and ends no link', async () => {
    const ada = await signUp(server);
    const code = await codeFor(ada.email);
    await Promise.all(Array.from({ length: 5 }, () => request(ada.email)));
    for (let i = 0; i < 15; i++) {
      mailing.clock.advance(61_000);
      await request(ada.email);
      // The next letter is asked for when this one has been decided on.
      await until(async () => {
        const { rows } = await server.platform.storage.pool.query(
          'select 1 from password_resets where account_id = $1',
          [ada.id],
        );
        return rows.length >= Math.min(i + 2, 10);
      });
    }
    await codeFor((await signUp(server)).email);
    expect(mailsTo(ada.email)).toHaveLength(10);
    expect((await reset(code)).status).toBe(204);
    // Together with the other server's again.
    mailing.clock.jump(-15 * 61_000);
  });

  it('OP-13 attack: a link that was asked for while the clock was 31 days ahead holds up no other, and does not last', async () => {
    const ada = await signUp(server);
    mailing.clock.advance(61_000);
    mailing.clock.jump(31 * DAY);
    const early = await codeFor(ada.email);
    mailing.clock.jump(-31 * DAY - 61_000);
    await request(ada.email);
    const code = await until(() => {
      const last = lastLink(ada.email);
      return last !== early && last;
    });
    expect(await reset(early)).toMatchObject(INVALID);
    expect((await reset(String(code))).status).toBe(204);
  });

  it('OP-13 letters of other days do not count', async () => {
    const ada = await signUp(server);
    await server.editDatabase(`insert into password_resets (code_hash, account_id, created_at, expires_at)
      select gen_random_uuid(), '${ada.id}', now() - interval '25 hours', now() - interval '24 hours'
      from generate_series(1, 10)`);
    const code = await codeFor(ada.email);
    expect((await reset(code)).status).toBe(204);
    // The rate limit of the route begins anew.
    for (const { clock } of [server, mailing]) clock.advance(61_000);
  });

  it('AC-9 attack: a used, late, guessed or foreign code; of many at once with one code, one counts', async () => {
    const [ada, bob] = [await signUp(server), await signUp(server)];
    expect(await reset('A'.repeat(43))).toMatchObject(INVALID);
    const code = await codeFor(ada.email);
    const replies = await Promise.all(Array.from({ length: 5 }, () => reset(code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422, 422]);
    expect((await login(bob.email, PASSWORD)).status).toBe(200);
    const { link } = (await makeLink(bob.id)).body;
    await server.editDatabase(`update password_resets set expires_at = now() - interval '1 hour'`);
    expect(await reset(codeOf(link))).toMatchObject(INVALID);
    expect((await login(bob.email, PASSWORD)).status).toBe(200);
  });

  it('AC-9 attack: a link that was made before the password changed is worth nothing', async () => {
    const ada = await signUp(server);
    const code = await codeFor(ada.email);
    const body = { account_password: PASSWORD, new_password: NEXT };
    expect((await server.call('POST', '/auth/password', { token: ada.token, body })).status).toBe(204);
    expect(await reset(code)).toMatchObject(INVALID);
  });

  it('AC-9 by an operator: a link that works once, is recorded, and its owner sees it', async () => {
    const ada = await signUp(server);
    const boss = await login(operator.email, PASSWORD);
    const { status, body } = await makeLink(ada.id, boss.body.access_token);
    expect(status).toBe(201);
    const { notices } = (await server.call('GET', '/auth/notices', { token: ada.token })).body;
    expect(notices).toMatchObject([{ kind: 'operator_reset_link' }]);
    const { actions } = (await server.call('GET', '/admin/actions', { token: boss.body.access_token })).body;
    expect(actions[0]).toMatchObject({ action: 'account.reset_link', target_id: ada.id, reason: 'asked by phone' });
    expect(JSON.stringify(actions)).not.toContain(codeOf(body.link));
    expect((await reset(codeOf(body.link))).status).toBe(204);
    expect(await reset(codeOf(body.link))).toMatchObject(INVALID);
    expect((await login(ada.email, NEXT)).status).toBe(200);
  });

  it('AC-9 attack: people make no links, not even for themselves; a banned account gets none', async () => {
    const [ada, eve] = [await signUp(server), await signUp(server)];
    expect((await makeLink(ada.id, eve.token)).status).toBe(403);
    expect((await makeLink(eve.id, eve.token)).status).toBe(403);
    const { db } = server.platform;
    await db.updateTable('accounts').set({ status: 'banned' }).where('id', '=', ada.id).execute();
    const boss = await login(operator.email, PASSWORD);
    expect((await makeLink(ada.id, boss.body.access_token)).status).toBe(404);
    await request(ada.email);
    await codeFor(eve.email);
    expect(mailsTo(ada.email)).toEqual([]);
  });

  it('AC-9 touches no key: devices, their list and the account key stay; passkeys go if the person says so', async () => {
    const ada = await signUp(server);
    await server.platform.db.updateTable('accounts').set({ account_key: 'key' }).where('id', '=', ada.id).execute();
    const key = new Authenticator();
    const begun = (await server.call('POST', '/auth/passkey/register/options', { token: ada.token })).body;
    const body = { challenge_id: begun.challenge_id, name: 'key', credential: key.create(begun.options.challenge) };
    expect((await server.call('POST', '/auth/passkey/register/verify', { token: ada.token, body })).status).toBe(201);
    expect((await reset(await codeFor(ada.email))).status).toBe(204);
    const passkeys = async () => {
      const { access_token: token } = (await login(ada.email, NEXT)).body;
      expect((await me(token)).body.account_key).toBe('key');
      return (await server.call('GET', '/auth/passkey', { token })).body.passkeys;
    };
    expect(await passkeys()).toHaveLength(1);
    mailing.clock.advance(61_000);
    const before = lastLink(ada.email);
    await request(ada.email);
    const next = await until(() => lastLink(ada.email) !== before && lastLink(ada.email));
    expect((await reset(String(next), { end_passkeys: true })).status).toBe(204);
    expect(await passkeys()).toEqual([]);
  });

  it('AC-9 attack: a sign-in with the old password is still being checked while it is reset', async () => {
    const ada = await signUp(server);
    const code = await codeFor(ada.email);
    const passwords: Passwords = {
      hash: async () => '',
      check: async () => {
        expect((await reset(code)).status).toBe(204);
        return true;
      },
    };
    const deps = { ...server.platform, passwords, mailer: undefined };
    const device = { client: undefined, network: '192.0.2.9', knownDevice: undefined };
    const trying = loginByPassword(deps, { email: ada.email, password: PASSWORD, device });
    await expect(trying).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
    const live = await server.platform.db
      .selectFrom('sessions')
      .select('id')
      .where('account_id', '=', ada.id)
      .where('revoked_at', 'is', null)
      .execute();
    expect(live).toEqual([]);
  });

  it('AC-9 attack: a thief lets a device in, which comes after the password was reset or changed', async () => {
    for (const end of [
      async (ada: Person) => reset(await codeFor(ada.email)),
      (ada: Person) =>
        server.call('POST', '/auth/password', {
          token: ada.token,
          body: { account_password: PASSWORD, new_password: NEXT },
        }),
    ]) {
      const ada = await signUp(server);
      const { body: grant } = await server.call('POST', '/auth/device/code', { body: { client_name: 'thief' } });
      const approval = { user_code: grant.user_code, approve: true };
      expect((await server.call('POST', '/auth/device/approve', { token: ada.token, body: approval })).status).toBe(
        204,
      );
      expect((await end(ada)).status).toBe(204);
      const { device_code } = grant;
      const polled = await server.call('POST', '/auth/device/token', { body: { device_code } });
      expect(polled.body.error?.code).toBe('EXPIRED_TOKEN');
    }
  });

  it('AC-9 attack: a stolen session of an operator makes a link for that very account, past its password', async () => {
    const { access_token: token } = (await login(operator.email, PASSWORD)).body;
    expect(await makeLink(operator.id, token)).toMatchObject({ status: 403, body: { error: { code: 'OWN_ACCOUNT' } } });
  });

  it('AC-9 a session that began with the old password cannot be refreshed', async () => {
    const ada = await signUp(server);
    const other = await login(ada.email, PASSWORD);
    await reset(await codeFor(ada.email));
    const refreshed = await server.call('POST', '/auth/refresh', { headers: { cookie: cookieOf(other) } });
    expect(refreshed.status).toBe(401);
  });
});
