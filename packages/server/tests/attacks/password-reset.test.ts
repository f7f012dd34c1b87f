import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loginByPassword } from '../../src/accounts/account.ts';
import type { Passwords } from '../../src/accounts/password.ts';
import { keyOf } from '../../src/events/bus.ts';
import { cookieOf, PASSWORD, type Person, signUp } from '../harness/accounts.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
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
    trustedProxies: ['127.0.0.1'],
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
/** On both servers: one whose clock is behind does not believe what the other has written (OP-13). */
const pass = (ms: number) => {
  for (const { clock } of [server, mailing]) clock.advance(ms);
};
const NEXT = 'another horse battery';
const request = (email: string, network = '192.0.2.1') =>
  mailing.call('POST', '/auth/password-reset/request', {
    body: { email },
    headers: { 'x-forwarded-for': network },
  });
const reset = (code: string, more: object = {}) =>
  server.call('POST', '/auth/password-reset', { body: { code, new_password: NEXT, ...more } });
const login = (email: string, account_password: string) =>
  server.call('POST', '/auth/login', { body: { email, account_password } });
const me = (token: string) => server.call('GET', '/auth/me', { token });
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to === email);
const linkIn = (data: string) => /reset-password#([\w-]{43})/.exec(data.replaceAll('=\n', ''))?.[1];
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
const STALE = { status: 403, body: { error: { code: 'REAUTHENTICATION_REQUIRED' } } };
const INVALID = { status: 422, body: { error: { code: 'RESET_CODE_INVALID' } } };

describe('AC-9 a lost password', () => {
  it('AC-9 is reset by mail, once: every session ends, and the person is told', async () => {
    const ada = await signUp(server);
    const code = await codeFor(ada.email);
    expect((await reset(code)).status).toBe(204);
    expect((await me(ada.token)).status).toBe(401);
    expect((await server.call('POST', '/auth/refresh', { headers: { cookie: ada.cookie } })).status).toBe(401);
    expect((await login(ada.email, PASSWORD)).status).toBe(401);
    const again = await login(ada.email, NEXT);
    expect(again.status).toBe(200);
    expect(await reset(code)).toMatchObject(INVALID);
    const { notices } = (await server.call('GET', '/auth/notices', { token: again.body.access_token })).body;
    expect(notices).toMatchObject([{ kind: 'password_reset' }]);
  });

  it('AC-9 attack: a session that began with a passkey that ends with the reset keeps its socket no longer than others', async () => {
    const ada = await signUp(server);
    const sessionId = (await me(ada.token)).body.session_id;
    await server.editDatabase(`insert into passkeys (credential_id, account_id, name, public_key, counter)
      values ('${ada.id} key', '${ada.id}', 'key', '', 0)`);
    await server.editDatabase(`update sessions set passkey_id = '${ada.id} key' where id = '${sessionId}'`);
    const code = await codeFor(ada.email);
    const ended = vi.fn();
    server.platform.bus.listen(keyOf.session(sessionId), ended);
    expect((await reset(code)).status).toBe(204);
    expect(ended).toHaveBeenCalled();
  });

  it('AC-9 attack: user enumeration; asking for an address nobody has gets the same answer, and no letter', async () => {
    const [ada, eve] = [await signUp(server), await signUp(server)];
    const replies = [await request('nobody@example.net'), await request(ada.email)];
    expect(replies[0]!.status).toBe(202);
    expect(replies[0]!.body).toEqual(replies[1]!.body);
    // What was asked for later is there.
    await codeFor(ada.email);
    await codeFor(eve.email);
    expect(smtp.mails.map(({ to }) => to)).toContain(eve.email);
    expect(mailsTo('nobody@example.net')).toEqual([]);
  });

  describe('AC-9 asking all the time', () => {
    const decided = async (accountId: string) => {
      const { rows } = await server.platform.storage.pool.query('select 1 from password_resets where account_id = $1', [
        accountId,
      ]);
      return rows.length;
    };
    /** Once a minute. The next is asked for when what this one sends was decided on. */
    async function askOften(person: Person, network: string, letters: readonly number[]) {
      for (const count of letters) {
        pass(61_000);
        await request(person.email, network);
        await until(async () => (await decided(person.id)) >= count);
      }
    }

    it('AC-9 attack: sends one letter a minute, three for one network, and ends no link', async () => {
      const ada = await signUp(server);
      const code = await codeFor(ada.email);
      await Promise.all(Array.from({ length: 5 }, () => request(ada.email)));
      await askOften(ada, '203.0.113.1', [2, 3, 4, 4, 4, 4]);
      // Another network is asked from later, and still gets its own.
      await askOften(ada, '192.0.2.1', [5, 6]);
      expect(await decided(ada.id)).toBe(6);
      await until(() => mailsTo(ada.email).length === 6);
      expect((await reset(code)).status).toBe(204);
    });

    it('AC-9 attack: keeps the owner from getting a letter for a day: after ten there is one an hour', async () => {
      const ada = await signUp(server);
      await askOften(ada, '203.0.113.1', [1, 2, 3]);
      await askOften(ada, '203.0.113.2', [4, 5, 6]);
      await askOften(ada, '203.0.113.3', [7, 8, 9]);
      await askOften(ada, '203.0.113.4', [10, 10, 10, 10]);
      await askOften(ada, '192.0.2.1', [10, 10]);
      pass(3_600_000);
      await askOften(ada, '192.0.2.1', [11]);
      await until(() => mailsTo(ada.email).length === 11);
      expect(await decided(ada.id)).toBe(11);
      expect((await reset(String(lastLink(ada.email)))).status).toBe(204);
    });
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
    pass(61_000);
  });

  it('AC-9 attack: a used, late, guessed or foreign code; of many at once with one code, one counts', async () => {
    const [ada, bob] = [await signUp(server), await signUp(server)];
    expect(await reset('A'.repeat(43))).toMatchObject(INVALID);
    const code = await codeFor(ada.email);
    const replies = await Promise.all(Array.from({ length: 5 }, () => reset(code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422, 422]);
    expect((await login(bob.email, PASSWORD)).status).toBe(200);
    const boss = await login(operator.email, PASSWORD);
    const { link } = (await makeLink(bob.id, boss.body.access_token)).body;
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

  it('AC-9 touches no key: devices, their list and the account key stay; passkeys go unless the person says otherwise', async () => {
    const ada = await signUp(server);
    await server.platform.db.updateTable('accounts').set({ account_key: 'key' }).where('id', '=', ada.id).execute();
    const key = new Authenticator();
    const begun = (await server.call('POST', '/auth/passkey/register/options', { token: ada.token })).body;
    const body = { challenge_id: begun.challenge_id, name: 'key', credential: key.create(begun.options.challenge) };
    expect((await server.call('POST', '/auth/passkey/register/verify', { token: ada.token, body })).status).toBe(201);
    expect((await reset(await codeFor(ada.email), { keep_passkeys: true })).status).toBe(204);
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
    expect((await reset(String(next))).status).toBe(204);
    expect(await passkeys()).toEqual([]);
    const { access_token: token } = (await login(ada.email, NEXT)).body;
    const { notices } = (await server.call('GET', '/auth/notices', { token })).body;
    expect(notices).toContainEqual(expect.objectContaining({ kind: 'passkey_removed', detail: 'key' }));
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

  it('AC-9 OP-15 attack: a stolen session of an operator makes a link for that very account, past its password', async () => {
    const { access_token: token } = (await login(operator.email, PASSWORD)).body;
    const { session_id } = (await me(token)).body;
    expect(await makeLink(operator.id, token)).toMatchObject({ status: 403, body: { error: { code: 'OWN_ACCOUNT' } } });
    // By way of another operator: someone whom the thief invites.
    const past = server.clock.now().getTime() - 11 * 60_000;
    const { db } = server.platform;
    await db
      .updateTable('sessions')
      .set({ verified_at: new Date(past) })
      .where('id', '=', session_id)
      .execute();
    const { code: invitation } = (await server.call('POST', '/admin/invitations', { token, body: {} })).body;
    const email = 'accomplice@example.org';
    const body = { email, account_password: PASSWORD, display_name: 'Eve', invitation };
    const eve = (await server.call('POST', '/auth/register', { body })).body;
    const appoint = () =>
      server.call('POST', `/admin/accounts/${eve.user_id}/role`, { token, body: { role: 'admin' } });
    expect(await appoint()).toMatchObject(STALE);
    expect((await makeLink(operator.id, eve.access_token)).status).toBe(403);
    // A program that it lets in has proved nothing either.
    const { body: grant } = await server.call('POST', '/auth/device/code', { body: { client_name: 'thief' } });
    const approval = { user_code: grant.user_code, approve: true };
    await server.call('POST', '/auth/device/approve', { token, body: approval });
    const { device_code } = grant;
    const program = (await server.call('POST', '/auth/device/token', { body: { device_code } })).body;
    expect(await makeLink(eve.user_id, program.access_token)).toMatchObject(STALE);
    // Its owner gives the password and goes on.
    const proof = { account_password: PASSWORD };
    expect((await server.call('POST', '/auth/reauthenticate', { token, body: proof })).status).toBe(200);
    expect((await appoint()).status).toBe(200);
    await server.call('POST', `/admin/accounts/${eve.user_id}/role`, { token, body: { role: 'user' } });
  });

  it('OP-15 attack: a stolen session of an operator shuts people and agents out', async () => {
    const [ada, boss] = [await signUp(server), (await login(operator.email, PASSWORD)).body];
    const { access_token: token } = boss;
    const agent = await server.call('POST', '/agents', { token: ada.token, body: { name: 'Bot' } });
    await server.editDatabase(`update sessions set verified_at = verified_at - interval '11 minutes'`);
    for (const [method, path, body] of [
      ['POST', `/admin/accounts/${ada.id}/ban`, {}],
      ['POST', `/admin/accounts/${ada.id}/sign-out`, {}],
      ['POST', `/admin/accounts/${ada.id}/reset-link`, {}],
      ['POST', `/admin/accounts/${ada.id}/role`, { role: 'admin' }],
      ['PATCH', `/admin/accounts/${ada.id}/budgets`, { budgets: { agents: 1 } }],
      ['POST', `/admin/agents/${agent.body.agent_id}/ban`, {}],
    ] as const) {
      expect(await server.call(method, path, { token, body })).toMatchObject(STALE);
    }
    expect((await me(ada.token)).status).toBe(200);
    // What gives something back, or only reads, asks for nothing.
    const resumed = await server.call('POST', `/admin/accounts/${ada.id}/unban`, { token, body: {} });
    expect(resumed.status).toBe(200);
  });

  it('AC-9 a session that began with the old password cannot be refreshed', async () => {
    const ada = await signUp(server);
    const other = await login(ada.email, PASSWORD);
    await reset(await codeFor(ada.email));
    const refreshed = await server.call('POST', '/auth/refresh', { headers: { cookie: cookieOf(other) } });
    expect(refreshed.status).toBe(401);
  });
});
