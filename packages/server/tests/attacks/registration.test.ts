import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@parley/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../src/id.ts';
import { PASSWORD } from '../harness/accounts.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { type SmtpServer, startSmtp } from '../harness/smtp.ts';

let folder: string;
const servers: TestServer[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-registration-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drop();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function start(config: Partial<TestServer['config']> = {}): Promise<TestServer> {
  const server = await startTestServer(config);
  servers.push(server);
  return server;
}
const register = (server: TestServer, more: { email?: string; invitation?: string | undefined; code?: string } = {}) =>
  server.call('POST', '/auth/register', {
    body: { email: `${randomUUID()}@example.org`, account_password: PASSWORD, display_name: 'Ada', ...more },
  });
const roleOf = async (server: TestServer, token: string) =>
  (await server.call('GET', '/auth/me', { token })).body.role as string;
const codeOf = (link: string | undefined) => new URL(link!).hash.slice(1);
const INVITATION = { status: 403, body: { error: { code: 'INVITATION_INVALID' } } };

async function startWithOperator(config: Partial<TestServer['config']> = {}) {
  const server = await start(config);
  const { body } = await register(server, { invitation: codeOf(server.operatorLink) });
  const token = body.access_token as string;
  const invite = async (options: object = {}) =>
    (await server.call('POST', '/admin/invitations', { token, body: options })).body;
  return { server, token, invite };
}

describe('AC-8 the operator', () => {
  it('AC-8 attack: whoever registers first is no operator; of many with the link at once, one is', async () => {
    const server = await start();
    const first = await register(server);
    expect(await roleOf(server, first.body.access_token)).toBe('user');
    const invitation = codeOf(server.operatorLink);
    expect((await server.call('POST', '/auth/invitation', { body: { invitation } })).body).toEqual({
      valid: true,
      role: 'admin',
    });
    const replies = await Promise.all(Array.from({ length: 6 }, () => register(server, { invitation })));
    const winners = replies.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    expect(await roleOf(server, winners[0]!.body.access_token)).toBe('admin');
    for (const reply of replies) if (reply.status !== 201) expect(reply).toMatchObject(INVITATION);
    expect(await register(server, { invitation })).toMatchObject(INVITATION);
    expect((await server.call('POST', '/auth/invitation', { body: { invitation } })).body.valid).toBe(false);
  });

  it('AC-8 attack: reading the log of a proxy: what a browser sends of a link does not have its code', async () => {
    const { server, invite } = await startWithOperator();
    for (const link of [server.operatorLink!, (await invite()).link]) {
      const { pathname, search } = new URL(link);
      expect(codeOf(link)).toMatch(/^[\w-]{43}$/);
      expect(`${pathname}${search}`).toBe('/sign-up');
    }
  });

  it('AC-8 attack: the link is worth nothing once there is an operator in another way', async () => {
    const server = await start();
    const { body } = await register(server);
    await server.makeOperator(body.user_id);
    expect(await register(server, { invitation: codeOf(server.operatorLink) })).toMatchObject(INVITATION);
  });

  it('AC-8 every start and node shows the same link, in a file for this user only, until it is used', async () => {
    const operatorLinkFile = join(folder, 'operator-link');
    const server = await start({ operatorLinkFile });
    const { databaseUrl, tokenSecret } = server.config;
    const second = await startTestServer({ databaseUrl, tokenSecret });
    expect(codeOf(second.operatorLink)).toBe(codeOf(server.operatorLink));
    await second.close();
    expect(readFileSync(operatorLinkFile, 'utf8').trim()).toBe(server.operatorLink);
    expect(statSync(operatorLinkFile).mode & 0o777).toBe(0o600);
    const rows = JSON.stringify(await server.platform.db.selectFrom('invitations').selectAll().execute());
    expect(rows).not.toContain(codeOf(server.operatorLink));
    expect((await register(server, { invitation: codeOf(server.operatorLink) })).status).toBe(201);
    expect(existsSync(operatorLinkFile)).toBe(false);
    const third = await startTestServer({ databaseUrl, tokenSecret });
    expect(third.operatorLink).toBeUndefined();
    await third.close();
  });

  it('AC-8 attack: the link of an operator who has left is kept and used again, after the next start with the same secret', async () => {
    const { server, token } = await startWithOperator();
    const old = codeOf(server.operatorLink);
    const body = { account_password: PASSWORD };
    expect((await server.call('DELETE', '/auth/account', { token, body })).status).toBe(204);
    expect(await register(server, { invitation: old })).toMatchObject(INVITATION);
    const { databaseUrl, tokenSecret } = server.config;
    const next = await startTestServer({ databaseUrl, tokenSecret });
    expect(await register(next, { invitation: old })).toMatchObject(INVITATION);
    expect((await register(next, { invitation: codeOf(next.operatorLink) })).status).toBe(201);
    await next.close();
  });

  it('AC-8 attack: someone else registers PARLEY_OPERATOR_EMAIL first; without e-mail it wants the link, too', async () => {
    const server = await start({ operatorEmail: 'boss@example.org' });
    const invitation = codeOf(server.operatorLink);
    expect(await register(server, { invitation })).toMatchObject(INVITATION);
    const squatter = await register(server, { email: 'boss@example.org' });
    expect(await roleOf(server, squatter.body.access_token)).toBe('user');
    const other = await start({ operatorEmail: 'boss@example.org' });
    const boss = await register(other, { email: 'Boss@example.org', invitation: codeOf(other.operatorLink) });
    expect(await roleOf(other, boss.body.access_token)).toBe('admin');
  });
});

describe('AC-8 by e-mail', () => {
  let smtp: SmtpServer;
  beforeAll(async () => {
    smtp = await startSmtp();
  });
  afterAll(() => smtp.close());

  it('AC-8 PARLEY_OPERATOR_EMAIL is an operator once the address is verified, though registration is closed', async () => {
    const server = await start({
      operatorEmail: 'boss@example.org',
      registration: 'closed',
      smtpUrl: smtp.url,
      development: false,
    });
    const email = 'boss@example.org';
    expect((await register(server, { email })).body.error.code).toBe('CODE_INVALID');
    expect((await register(server, { email, code: '00000000' })).body.error.code).toBe('CODE_INVALID');
    await server.call('POST', '/auth/send-code', { body: { email } });
    const letter = String(await until(() => smtp.mails.find(({ to }) => to === email)?.data ?? false));
    const [, code] = /Your code is (\d+)/.exec(letter)!;
    const { body } = await register(server, { email, code: code! });
    expect(await roleOf(server, body.access_token)).toBe('admin');
  });

  it.each([
    ['closed', 'REGISTRATION_CLOSED'],
    ['invitation', 'INVITATION_INVALID'],
  ] as const)(
    'AC-8 attack: guessing PARLEY_OPERATOR_EMAIL where registration is %s; every address is answered alike',
    async (registration, refused) => {
      const email = 'chief@example.org';
      const server = await start({ operatorEmail: email, registration, smtpUrl: smtp.url, development: false });
      const others = `${randomUUID()}@example.org`;
      for (const code of [undefined, '00000000']) {
        const given = code === undefined ? {} : { code };
        const [theirs, other] = [
          await register(server, { email, ...given }),
          await register(server, { email: others, ...given }),
        ];
        expect([theirs.status, theirs.body.error.code]).toEqual([422, 'CODE_INVALID']);
        expect([other.status, other.body.error.code]).toEqual([422, 'CODE_INVALID']);
      }
      await server.call('POST', '/auth/send-code', { body: { email: others } });
      if (registration === 'invitation') {
        // Who reads the mail of an address learns about that one.
        const [, code] = /Your code is (\d+)/.exec(smtp.mails.find(({ to }) => to === others)!.data)!;
        expect((await register(server, { email: others, code: code! })).body.error.code).toBe(refused);
      }
      const silent = await start({ operatorEmail: email, registration });
      for (const address of [email, others]) {
        expect((await register(silent, { email: address })).body.error.code).toBe(refused);
      }
    },
  );

  it('AC-8 attack: an operator who was demoted deletes the account and registers the address again', async () => {
    const email = 'former@example.org';
    const server = await start({ operatorEmail: email, registration: 'open', smtpUrl: smtp.url, development: false });
    const join = async () => {
      const before = smtp.mails.length;
      server.clock.advance(61_000);
      await server.call('POST', '/auth/send-code', { body: { email } });
      const [, code] = /Your code is (\d+)/.exec(smtp.mails.slice(before).find(({ to }) => to === email)!.data)!;
      return (await register(server, { email, code: code! })).body;
    };
    const former = await join();
    expect(await roleOf(server, former.access_token)).toBe('admin');
    const { db } = server.platform;
    const other = createId();
    await db
      .insertInto('accounts')
      .values({ id: other, email: 'x@example.org', display_name: '', password_hash: null, account_key: null })
      .execute();
    await server.makeOperator(other);
    await db.updateTable('accounts').set({ role: 'user' }).where('id', '=', former.user_id).execute();
    const { access_token: token } = former;
    const body = { account_password: PASSWORD };
    expect((await server.call('DELETE', '/auth/account', { token, body })).status).toBe(204);
    expect(await roleOf(server, (await join()).access_token)).toBe('user');
  });
});

describe('AC-8 registration', () => {
  it('AC-8 closed: nobody but the operator, not even with an invitation', async () => {
    const { server, invite } = await startWithOperator({ registration: 'closed' });
    expect((await server.call('GET', '/auth/sign-up')).body).toEqual({ registration: 'closed', sends_email: true });
    const { code: invitation } = await invite();
    for (const more of [{}, { invitation }]) {
      expect(await register(server, more)).toMatchObject({
        status: 403,
        body: { error: { code: 'REGISTRATION_CLOSED' } },
      });
    }
    expect((await server.call('POST', '/auth/invitation', { body: { invitation } })).body.valid).toBe(false);
  });

  it('AC-8 attack: an invitation for three, used by ten at once, lets three in', async () => {
    const { server, invite } = await startWithOperator({ registration: 'invitation' });
    const { code: invitation, link, invitation: made } = await invite({ uses: 3, note: 'the team' });
    expect(codeOf(link)).toBe(invitation);
    expect(made).toMatchObject({ uses: 3, used: 0, note: 'the team', revoked_at: null });
    const replies = await Promise.all(Array.from({ length: 10 }, () => register(server, { invitation })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const reply of replies) if (reply.status !== 201) expect(reply).toMatchObject(INVITATION);
  });

  it('AC-8 attack: none, a guessed, an expired and a revoked invitation are refused', async () => {
    const { server, invite, token } = await startWithOperator({ registration: 'invitation' });
    const revoked = await invite();
    const path = `/admin/invitations/${revoked.invitation.invitation_id}`;
    expect((await server.call('DELETE', path, { token })).status).toBe(204);
    expect((await server.call('DELETE', path, { token })).status).toBe(404);
    for (const invitation of [undefined, 'A'.repeat(43), revoked.code]) {
      const given = invitation === undefined ? {} : { invitation };
      expect(await register(server, given)).toMatchObject(INVITATION);
    }
    const { code: late } = await invite({ days: 2 });
    server.clock.advance(2 * 86_400_000 + 1_000);
    expect(await register(server, { invitation: late })).toMatchObject(INVITATION);
  });

  it('AC-8 an address that is taken uses no invitation up', async () => {
    const { server, invite } = await startWithOperator({ registration: 'invitation' });
    const [one, other] = [await invite(), await invite()];
    await register(server, { email: 'taken@example.org', invitation: one.code });
    const taken = await register(server, { email: 'taken@example.org', invitation: other.code });
    expect(taken.body.error.code).toBe('EMAIL_TAKEN');
    expect((await register(server, { invitation: other.code })).status).toBe(201);
  });

  it('AC-8 attack: one unused invitation asks for address after address whether it is taken', async () => {
    const { server, invite } = await startWithOperator({ registration: 'invitation' });
    server.clock.stop();
    const [one, other] = [await invite(), await invite()];
    await register(server, { email: 'taken@example.org', invitation: one.code });
    const ask = async (invitation: string) =>
      (await register(server, { email: 'taken@example.org', invitation })).body.error.code as string;
    for (let i = 0; i < 20; i++) expect(await ask(other.code)).toBe('EMAIL_TAKEN');
    for (const spelling of [other.code, ` ${other.code}`]) expect(await ask(spelling)).toBe('TOO_MANY_ATTEMPTS');
    // A free address is not answered otherwise, and the invitation still counts.
    expect((await register(server, { invitation: other.code })).body.error.code).toBe('TOO_MANY_ATTEMPTS');
    server.clock.advance(1_001);
    expect((await register(server, { invitation: other.code })).status).toBe(201);
  });

  it('AC-8 invitations are recorded, listed without their codes, and stored as hashes', async () => {
    const { server, invite, token } = await startWithOperator();
    const { code, invitation } = await invite({ note: 'for Bob' });
    const list = await server.call('GET', '/admin/invitations', { token });
    expect(list.body.invitations).toMatchObject([{ invitation_id: invitation.invitation_id, note: 'for Bob' }]);
    const { actions } = (await server.call('GET', '/admin/actions', { token })).body;
    expect(actions).toMatchObject([{ action: 'invitation.create', target_id: invitation.invitation_id }]);
    const rows = JSON.stringify(await server.platform.db.selectFrom('invitations').selectAll().execute());
    expect(JSON.stringify([list.body, actions, rows])).not.toContain(code);
  });
});
