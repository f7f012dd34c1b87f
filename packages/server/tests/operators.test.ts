import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantAdmin } from '../src/admin/grant.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect } from './harness/socket.ts';
import { addBot, addTalker, type Talker } from './harness/talk.ts';

let server: TestServer;
let operator: Talker;
beforeAll(async () => {
  server = await startTestServer();
  operator = await addTalker(server);
  await grantAdmin(server.platform.config.databaseUrl, await emailOf(operator.id), 'the first one');
});
afterAll(() => server.drop());

const emailOf = async (id: string) =>
  (await server.platform.db.selectFrom('accounts').select('email').where('id', '=', id).executeTakeFirstOrThrow())
    .email;
const ask = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: operator.token, ...(body === undefined ? {} : { body }) });
const works = async (token: string, path = '/auth/me') => (await server.call('GET', path, { token })).status;
const actionsOn = async (id: string) => (await ask('GET', `/admin/actions?target_id=${id}`)).body.actions;

describe('OP-15 operators', () => {
  it('OP-15 one account is shown with how much it has, and nothing of what is inside', async () => {
    const person = await addTalker(server);
    await addBot(server, person);
    const { status, body } = await ask('GET', `/admin/accounts/${person.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_id: person.id, status: 'active', agents: 1, sessions: 1, devices: 1 });
    expect(Date.parse(body.last_seen_at)).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toMatch(/hash|argon2|_key/);
  });

  it('OP-15 accounts are listed by role', async () => {
    const { body } = await ask('GET', '/admin/accounts?role=admin');
    expect(body.accounts.map(({ role }: { role: string }) => role)).toEqual(['admin']);
    expect((await ask('GET', '/admin/accounts?role=god')).status).toBe(400);
  });

  it('OP-15 signed out everywhere: sessions and sockets end, agents go on, and signing in works', async () => {
    const person = await addTalker(server);
    const bot = await addBot(server, person);
    const [own, agents] = [await connect(server, person), await connect(server, bot)];
    const reply = await ask('POST', `/admin/accounts/${person.id}/sign-out`, { reason: 'stolen laptop' });
    expect(reply).toMatchObject({ status: 200, body: { sessions: 1 } });
    expect(await own.next('auth.error')).toMatchObject({ reason: 'revoked' });
    await own.closed;
    expect(await works(person.token)).toBe(401);
    expect(await works(bot.token, `/agents/${bot.id}`)).toBe(200);
    await agents.end();
    expect(await actionsOn(person.id)).toMatchObject([{ action: 'account.sign_out', reason: 'stolen laptop' }]);
  });

  it('OP-15 attack: a thief who is signed out comes back with a device that was let in before', async () => {
    const person = await addTalker(server);
    const { body: grant } = await server.call('POST', '/auth/device/code', { body: { client_name: 'thief' } });
    const approval = { user_code: grant.user_code, approve: true };
    await server.call('POST', '/auth/device/approve', { token: person.token, body: approval });
    expect((await ask('POST', `/admin/accounts/${person.id}/sign-out`, {})).body).toEqual({ sessions: 1 });
    const { device_code } = grant;
    const polled = await server.call('POST', '/auth/device/token', { body: { device_code } });
    expect(polled.body.error?.code).toBe('EXPIRED_TOKEN');
  });

  it('OP-15 attack: an operator who locks out the last operator, which is themselves, is told why not', async () => {
    for (const [verb, body] of [
      ['ban', {}],
      ['sign-out', {}],
      ['role', { role: 'user' }],
    ] as const) {
      const reply = await ask('POST', `/admin/accounts/${operator.id}/${verb}`, body);
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'OWN_ACCOUNT' } } });
    }
    expect(await works(operator.token, '/admin/stats')).toBe(200);
  });

  it('OP-15 the log names who, what, whom, when, why and from where', async () => {
    const person = await addTalker(server);
    const email = await emailOf(person.id);
    await ask('POST', `/admin/accounts/${person.id}/ban`, { reason: 'spam' });
    const [action] = await actionsOn(person.id);
    expect(action).toMatchObject({
      admin_id: operator.id,
      admin_email: await emailOf(operator.id),
      action: 'account.ban',
      target_id: person.id,
      target_name: email,
      previous: 'active',
      reason: 'spam',
      address: '127.0.0.1',
    });
    const { body } = await ask('GET', `/admin/actions?admin_id=${operator.id}`);
    expect(body.actions[0].id).toBe(action.id);
    expect((await ask('GET', `/admin/actions?admin_id=${person.id}`)).body.actions).toEqual([]);
  });

  it('OP-15 what is done on the machine is in the log as well', async () => {
    expect(await actionsOn(operator.id)).toMatchObject([
      { action: 'account.role.admin', previous: 'user', admin_email: null, address: null, reason: 'the first one' },
    ]);
    const { databaseUrl } = server.platform.config;
    expect(await grantAdmin(databaseUrl, await emailOf(operator.id))).toBe(true);
    expect(await grantAdmin(databaseUrl, 'nobody@example.org')).toBe(false);
    expect(await actionsOn(operator.id)).toHaveLength(1);
  });

  it('OP-15 attack: the log cannot be rewritten, not even with the right to write to the database', async () => {
    const { db } = server.platform;
    const before = (await ask('GET', '/admin/actions')).body.actions;
    expect(before.length).toBeGreaterThan(0);
    await expect(db.updateTable('admin_actions').set({ reason: 'nothing' }).execute()).rejects.toThrow('append-only');
    await expect(db.deleteFrom('admin_actions').execute()).rejects.toThrow('append-only');
    await expect(server.editDatabase('truncate admin_actions')).rejects.toThrow('append-only');
    expect((await ask('GET', '/admin/actions')).body.actions).toEqual(before);
  });

  it('OP-15 an action that cannot be recorded is not carried out', async () => {
    const person = await addTalker(server);
    const reply = await ask('POST', `/admin/accounts/${person.id}/ban`, { reason: 'a\u0000b' });
    expect(reply.status).toBe(400);
    expect(await works(person.token)).toBe(200);
    expect(await actionsOn(person.id)).toEqual([]);
  });
});
