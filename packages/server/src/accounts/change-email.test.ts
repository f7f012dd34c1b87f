import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, signInAgain, signUp, signUpWithDevice } from '../../tests/harness/accounts.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { type SmtpServer, startSmtp } from '../../tests/harness/smtp.ts';
import { changeEmail } from './change-email.ts';
import type { Passwords } from './password.ts';

let smtp: SmtpServer;
let server: TestServer;
/** The same accounts, with a way to send e-mail. */
let mailing: TestServer;
beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer();
  const { databaseUrl, tokenSecret, storageSecret } = server.config;
  mailing = await startTestServer({ databaseUrl, tokenSecret, storageSecret, smtpUrl: smtp.url });
});
afterAll(async () => {
  await mailing.close();
  await server.drop();
  await smtp.close();
});

let count = 0;
const address = () => `next-${++count}@example.org`;
const change = (at: TestServer, token: string, email: string, more: object = {}) =>
  at.call('POST', '/auth/email', { token, body: { account_password: PASSWORD, email, ...more } });
const emailOf = async (token: string) => (await server.call('GET', '/auth/me', { token })).body.email;
const mailsTo = (email: string) =>
  smtp.mails.filter(({ to }) => to === email).map(({ data }) => data.replaceAll('=\n', ''));
const codeFor = (email: string) => /Your code is (\d+)/.exec(mailsTo(email).at(-1) ?? '')?.[1] ?? '';
const login = (email: string) => server.call('POST', '/auth/login', { body: { email, account_password: PASSWORD } });

describe('AC-10 another e-mail address', () => {
  it('AC-10 without e-mail it changes at once: the new one signs in, the old one does not, and it is noted', async () => {
    const ada = await signUp(server);
    const next = address();
    expect(await change(server, ada.token, next.toUpperCase())).toMatchObject({
      status: 200,
      body: { email: next, code_sent: false },
    });
    expect((await login(ada.email)).status).toBe(401);
    expect((await login(next)).status).toBe(200);
    const { notices } = (await server.call('GET', '/auth/notices', { token: ada.token })).body;
    expect(notices).toMatchObject([{ kind: 'email_changed', detail: ada.email }]);
  });

  it('AC-10 with e-mail it wants the code that was sent to the new address, and tells the old one', async () => {
    const ada = await signUp(server);
    const next = address();
    expect((await change(mailing, ada.token, next)).body).toEqual({ email: ada.email, code_sent: true });
    const code = codeFor(next);
    const wrong = code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    expect((await change(mailing, ada.token, next, { code: wrong })).body.error.code).toBe('CODE_INVALID');
    expect(await emailOf(ada.token)).toBe(ada.email);
    expect((await change(mailing, ada.token, next, { code })).body).toEqual({ email: next, code_sent: false });
    expect(await emailOf(ada.token)).toBe(next);
    await until(() => mailsTo(ada.email).some((mail) => mail.includes('no longer used')));
  });

  it('AC-10 attack: the server is to send e-mail and cannot: an address that nobody has confirmed is not taken', async () => {
    const ada = await signUp(server);
    const { id: sessionId } = await mailing.platform.db
      .selectFrom('sessions')
      .select('id')
      .where('account_id', '=', ada.id)
      .executeTakeFirstOrThrow();
    const passwords = { check: async () => true } as unknown as Passwords;
    const unable = { ...mailing.platform, passwords, mailer: undefined };
    const password = { password: PASSWORD, knownDevice: undefined };
    const asked = { password, email: address(), code: '12345678', network: '127.0.0.1' };
    const caller = { kind: 'human', accountId: ada.id, sessionId, role: 'user' } as const;
    await expect(changeEmail(unable, caller, asked)).rejects.toMatchObject({ code: 'CODE_INVALID' });
    expect(await emailOf(ada.token)).toBe(ada.email);
  });

  it('AC-10 attack: a stolen session without the password changes nothing, and no letter is sent for it', async () => {
    const ada = await signUp(server);
    const next = address();
    const refused = await change(mailing, ada.token, next, { account_password: 'a guess' });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'LOGIN_FAILED' } } });
    expect(await emailOf(ada.token)).toBe(ada.email);
    expect(mailsTo(next)).toEqual([]);
  });

  it('AC-10 attack: an address that someone has is not taken, and with e-mail the reply does not tell that there is one', async () => {
    const [ada, bob] = [await signUp(server), await signUp(server)];
    expect((await change(server, ada.token, bob.email)).body.error.code).toBe('EMAIL_TAKEN');
    expect((await change(mailing, ada.token, bob.email)).body).toEqual({ email: ada.email, code_sent: true });
    expect(codeFor(bob.email)).toBe('');
    expect(mailsTo(bob.email).at(-1)).toContain('wants to use this address');
    expect(mailsTo(bob.email).at(-1)).not.toContain('create');
    expect((await change(mailing, ada.token, bob.email, { code: '12345678' })).body.error.code).toBe('CODE_INVALID');
    expect((await login(bob.email)).status).toBe(200);
  });

  it('AC-10 attack: one session asks for many addresses whether they are taken: it is slowed down', async () => {
    server.clock.stop();
    const [ada, bob] = [await signUp(server), await signUp(server)];
    const codes: string[] = [];
    for (let n = 0; n < 30; n++) {
      // Past the limit of the route itself.
      server.clock.advance(8_000);
      codes.push((await change(server, ada.token, bob.email)).body.error.code);
    }
    expect(new Set(codes.slice(0, 20))).toEqual(new Set(['EMAIL_TAKEN']));
    expect(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS').length).toBeGreaterThan(2);
  });

  it('AC-9 AC-10 attack: a link for a new password that went to the old address works no more', async () => {
    const ada = await signUp(server);
    await mailing.call('POST', '/auth/password-reset/request', { body: { email: ada.email } });
    const code = await until(() => /reset-password#([\w-]{43})/.exec(mailsTo(ada.email).join())?.[1] ?? false);
    expect((await change(server, ada.token, address())).status).toBe(200);
    const body = { code, new_password: 'another horse battery' };
    expect((await server.call('POST', '/auth/password-reset', { body })).body.error.code).toBe('RESET_CODE_INVALID');
  });
});

describe('AC-10 the name', () => {
  it('AC-10 is changed within the limits of registering', async () => {
    const ada = await signUp(server);
    const rename = (display_name: string) =>
      server.call('PATCH', '/auth/me', { token: ada.token, body: { display_name } });
    expect(await rename('Ada Lovelace')).toMatchObject({ status: 200, body: { display_name: 'Ada Lovelace' } });
    for (const bad of ['', 'a'.repeat(101), 'two\nlines']) expect((await rename(bad)).status).toBe(400);
    expect((await server.call('GET', '/auth/me', { token: ada.token })).body.display_name).toBe('Ada Lovelace');
  });
});

describe('AC-10 why a session ended', () => {
  it('AC-10 a refresh by a device that was removed says so; one whose session was ended, or an old token, does not', async () => {
    const ada = await signUpWithDevice(server);
    const other = await signInAgain(server, ada);
    const refresh = (cookie: string) => server.call('POST', '/auth/refresh', { headers: { cookie } });
    await server.editDatabase(`update sessions set revoked_at = now() where id in (
      select id from sessions where account_id = '${ada.id}')`);
    expect(await refresh(other.cookie)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
    expect((await refresh(ada.cookie)).body.error.code).toBe('UNAUTHENTICATED');
    await server.editDatabase(`update devices set revoked_at = now() where account_id = '${ada.id}'`);
    expect(await refresh(ada.cookie)).toMatchObject({ status: 401, body: { error: { code: 'DEVICE_REVOKED' } } });
    expect((await refresh(other.cookie)).body.error.code).toBe('UNAUTHENTICATED');
    const stale = ada.cookie.replace(/.(;|$)/, (end) =>
      end.startsWith('A') ? `B${end.slice(1)}` : `A${end.slice(1)}`,
    );
    expect((await refresh(stale)).body.error.code).toBe('UNAUTHENTICATED');
  });
});
