import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBuiltCommand, useFolder } from '../run.ts';
import { Machine, PASSWORD } from './person.ts';

useBuiltCommand();
const folder = useFolder();
let server: TestServer;
const machine = (name: string) => new Machine(folder.path, name, server.url);
const NEXT = 'another horse battery';
const FAR = { 'x-forwarded-for': '203.0.113.9' };

beforeAll(async () => {
  server = await startTestServer({ registration: 'invitation', trustedProxies: ['127.0.0.1'] });
});
afterAll(() => server?.drop());

const login = (email: string, account_password: string) =>
  server.call('POST', '/auth/login', { body: { email, account_password }, headers: FAR });

/** As someone would have added it in a browser. */
const passkeyOf = (accountId: string, name: string) =>
  `insert into passkeys (credential_id, account_id, name, public_key, counter)
   values ('${name}', '${accountId}', '${name}', '', 0)`;

async function joinBy(name: string, invitation: string): Promise<Machine> {
  const ada = machine(name);
  const args = ['register', '--email', `${name}@example.org`, '--name', 'Ada', '--password-stdin'];
  const { code } = await ada.json([...args, '--invitation', invitation], { input: `${PASSWORD}\n` });
  expect(code).toBe(0);
  return ada;
}

describe('AC-8 AC-9 accounts in the terminal', () => {
  let token: string;
  const invite = async (): Promise<string> =>
    (await server.call('POST', '/admin/invitations', { token, body: {} })).body.link;
  beforeAll(async () => {
    await joinBy('operator', server.operatorLink!);
    token = (await login('operator@example.org', PASSWORD)).body.access_token;
  });

  test('AC-8 the link of the first start makes an operator; without an invitation nobody else gets in', async () => {
    expect((await server.call('GET', '/auth/me', { token })).body.role).toBe('admin');
    const { code, json } = await machine('stranger').register('stranger@example.org');
    expect({ code, error: json.error.code }).toEqual({ code: 1, error: 'INVITATION_INVALID' });
    expect((await joinBy('invited', await invite())).env.PARLEY_URL).toBe(server.url);
  });

  test('AC-1 the proof of a known device is kept, and signs in while others guess', async () => {
    const ada = await joinBy('guessed', await invite());
    const file = join(folder.path, 'guessed', 'credentials.json');
    const { known_devices } = JSON.parse(readFileSync(file, 'utf8'));
    expect(known_devices[server.url]['guessed@example.org']).toMatch(/^[\w.-]{100,}$/);
    expect((await ada.json(['logout'])).code).toBe(0);
    server.clock.stop();
    for (let i = 0; i < 30; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` };
      const body = { email: 'guessed@example.org', account_password: 'wrong' };
      await server.call('POST', '/auth/login', { body, headers });
    }
    expect((await login('guessed@example.org', 'wrong')).status).toBe(401);
    expect((await login('guessed@example.org', PASSWORD)).status).toBe(429);
    expect((await ada.login('guessed@example.org')).code).toBe(0);
  });

  test('AC-3 the password is changed, and passkeys are listed', async () => {
    const ada = await joinBy('changing', await invite());
    const change = (old: string) =>
      ada.json(['account', 'change-password', '--stdin', '--end-passkeys'], { input: `${old}\n${NEXT}\n` });
    expect((await change('not this one')).json.error.code).toBe('LOGIN_FAILED');
    expect(await change(PASSWORD)).toMatchObject({ code: 0, json: { changed: true, passkeys_ended: 0 } });
    expect((await login('changing@example.org', NEXT)).status).toBe(200);
    expect(await ada.json(['account', 'passkeys'])).toEqual({ code: 0, json: { passkeys: [] } });
    expect((await ada.run(['account', 'passkeys', '--locale', 'zh-CN'])).stdout).toContain('没有通行密钥');
    expect((await ada.json(['account', 'passkeys', '--remove', 'nobodys'])).json.error.code).toBe('NOT_FOUND');
    const half = await ada.run(['account', 'change-password', '--stdin'], { input: `${NEXT}\n` });
    expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('two lines')]);
  });

  test('AC-3 the passkeys of someone else end with the password, also where nobody is asked', async () => {
    const ada = await joinBy('keys', await invite());
    const { json: me } = await ada.json(['whoami']);
    const add = (...names: string[]) => server.editDatabase(names.map((name) => passkeyOf(me.user_id, name)).join(';'));
    const names = async () =>
      (await ada.json(['account', 'passkeys'])).json.passkeys.map(({ name }: { name: string }) => name);
    const change = (...more: string[]) =>
      ada.json(['account', 'change-password', '--stdin', ...more], { input: `${PASSWORD}\n${PASSWORD}\n` });
    await add('one', 'two');
    expect(await change('--no-end-passkeys')).toMatchObject({ code: 0, json: { passkeys_ended: 0 } });
    expect(await names()).toEqual(['one', 'two']);
    // The terminal's session began with a password.
    const { stdout } = await ada.run(['account', 'change-password', '--stdin'], {
      input: `${PASSWORD}\n${PASSWORD}\n`,
    });
    expect(stdout).toContain('and these passkeys: one, two.');
    expect(await names()).toEqual([]);
    await add('three');
    await server.editDatabase(`update sessions set passkey_id = 'three'`);
    expect(await change()).toMatchObject({ code: 0, json: { passkeys_ended: 0 } });
    expect(await change('--end-passkeys')).toMatchObject({ code: 0, json: { passkeys_ended: 1 } });
  });

  test('AC-3 attack: a terminal that was left open removes a passkey', async () => {
    const ada = await joinBy('left-open', await invite());
    const { json: me } = await ada.json(['whoami']);
    const leaveOpen = `update sessions set verified_at = null where account_id = '${me.user_id}'`;
    await server.editDatabase(`${passkeyOf(me.user_id, 'own')}; ${leaveOpen}`);
    const remove = ['account', 'passkeys', '--remove', 'own'];
    expect(await ada.json(remove)).toMatchObject({ code: 1, json: { error: { code: 'REAUTHENTICATION_REQUIRED' } } });
    expect((await ada.json([...remove, '--password-stdin'], { input: 'a guess\n' })).json.error.code).toBe(
      'LOGIN_FAILED',
    );
    const removed = await ada.json([...remove, '--password-stdin'], { input: `${PASSWORD}\n` });
    expect(removed).toEqual({ code: 0, json: { removed: 'own' } });
  });

  test('AC-3 AC-9 HS-7 where nobody can be asked, nothing is done, and the exit code says so', async () => {
    const ada = await joinBy('unasked', await invite());
    for (const command of ['change-password', 'reset-password']) {
      const { code, stderr } = await ada.run(['account', command]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('no terminal to ask at')]);
    }
  });

  test('AC-9 a link from an operator sets a new password, once', async () => {
    const ada = await joinBy('forgetful', await invite());
    const { json: me } = await ada.json(['whoami']);
    const path = `/admin/accounts/${me.user_id}/reset-link`;
    const { link } = (await server.call('POST', path, { token, body: {} })).body;
    await server.editDatabase(passkeyOf(me.user_id, 'someone else’s'));
    const reset = () => ada.json(['account', 'reset-password', '--stdin'], { input: `${link}\n${NEXT}\n` });
    expect(await reset()).toEqual({ code: 0, json: { requested: false, reset: true } });
    expect((await reset()).json.error.code).toBe('RESET_CODE_INVALID');
    expect((await login('forgetful@example.org', NEXT)).status).toBe(200);
    const left = await server.platform.db.selectFrom('passkeys').select('name').where('account_id', '=', me.user_id);
    expect(await left.execute()).toEqual([]);
    const asked = await ada.json(['account', 'reset-password', '--email', 'nobody@example.org']);
    expect(asked).toEqual({ code: 0, json: { requested: true, reset: false } });
  });

  test('AC-2 a refresh shows the proof of the machine, so that a lost reply does not end the session in another network', async () => {
    const ada = await joinBy('moving', await invite());
    server.clock.advance(301_000);
    const { json: me } = await ada.json(['whoami']);
    const sessions = server.platform.db.selectFrom('sessions').select('rotated_by');
    const [session] = await sessions
      .where('account_id', '=', me.user_id)
      .where('revoked_at', 'is', null)
      .where('rotated_at', 'is not', null)
      .orderBy('rotated_at', 'desc')
      .execute();
    expect(session?.rotated_by).toMatch(/^proof /);
  });
});
