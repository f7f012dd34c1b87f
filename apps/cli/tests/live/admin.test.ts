import { grantAdmin } from '@parley/server/admin';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBuiltCommand, useFolder } from '../run.ts';
import { Machine, PASSWORD } from './person.ts';

useBuiltCommand();
const folder = useFolder();

let server: TestServer;
let operator: Machine;
let ada: Machine;
const admin = (...args: string[]) => operator.json(['admin', ...args]);
const works = async (machine: Machine) => (await machine.json(['agent', 'list'])).code;

beforeAll(async () => {
  server = await startTestServer();
  operator = new Machine(folder.path, 'operator', server.url);
  ada = new Machine(folder.path, 'ada', server.url);
  await operator.register('root@example.org');
  await grantAdmin(server.config.databaseUrl, 'root@example.org');
  await ada.register('ada@example.org');
});
afterAll(() => server.drop());

describe('OP-15 parley admin', () => {
  test('OP-15 accounts are listed and found; a status or role that there is not is a wrong usage', async () => {
    const { code, json } = await admin('accounts');
    expect(code).toBe(0);
    expect(json.accounts.map(({ email }: { email: string }) => email)).toEqual(
      expect.arrayContaining(['ada@example.org', 'root@example.org']),
    );
    expect((await admin('accounts', 'ADA@example')).json.accounts).toMatchObject([
      { email: 'ada@example.org', agents: 0 },
    ]);
    expect((await admin('accounts', '--role', 'operator')).json.accounts).toMatchObject([
      { email: 'root@example.org' },
    ]);
    expect((await admin('accounts', '--limit', '1')).json.accounts).toHaveLength(1);
    expect((await admin('accounts', '--all')).code).toBe(0);
    for (const args of [
      ['--role', 'god'],
      ['--status', 'gone'],
      ['--limit', '0'],
    ]) {
      expect(await admin('accounts', ...args)).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } });
    }
    const { stdout } = await operator.run(['admin', 'accounts', 'ada@', '--locale', 'zh-CN']);
    expect(stdout).toContain('0 个 Agent');
  });

  test('OP-15 one account is shown, by its address or its id; an unknown one is 1', async () => {
    const { json } = await admin('show', 'Ada@Example.org');
    expect(json).toMatchObject({ email: 'ada@example.org', devices: 1, status: 'active' });
    expect((await admin('show', json.user_id)).json).toEqual(json);
    const nobody = await admin('show', 'ada@example');
    expect(nobody).toMatchObject({ code: 1, json: { error: { code: 'ACCOUNT_UNKNOWN' } } });
    expect((await operator.run(['admin', 'show', 'ada@example.org'])).stdout).toContain('1 devices');
  });

  test('OP-15 attack: newer accounts that call themselves like the address or id of one hide it from nobody', async () => {
    const { json } = await admin('show', 'ada@example.org');
    await server.editDatabase(`insert into accounts (id, email, display_name)
      select uuidv7(), name || number || '@example.net', name
      from generate_series(1, 60) number, unnest(array['ada@example.org', '${json.user_id}']) name`);
    expect(await admin('show', 'ada@example.org')).toMatchObject({ code: 0, json });
    expect(await admin('show', json.user_id)).toMatchObject({ code: 0, json });
    await server.editDatabase("delete from accounts where email like '%@example.net'");
  });

  test('OP-15 suspended, the account is out; resumed, it signs in again', async () => {
    expect(await works(ada)).toBe(0);
    const done = await admin('suspend', 'ada@example.org', '--reason', 'sends spam');
    expect(done).toMatchObject({ code: 0, json: { email: 'ada@example.org', status: 'banned' } });
    expect(await works(ada)).toBe(1);
    expect((await admin('accounts', '--status', 'suspended')).json.accounts).toHaveLength(1);
    expect(await admin('resume', 'ada@example.org')).toMatchObject({ code: 0, json: { status: 'active' } });
    expect((await ada.login('ada@example.org')).code).toBe(0);
    expect(await works(ada)).toBe(0);
  });

  test('OP-15 AC-3 ten minutes after the password was given it is asked for again, and taken from standard input', async () => {
    await server.editDatabase(`update sessions set verified_at = verified_at - interval '11 minutes'`);
    const suspend = ['admin', 'suspend', 'ada@example.org'];
    const { code, stderr } = await operator.run(suspend);
    expect([code, stderr]).toEqual([1, expect.stringContaining('--password-stdin')]);
    expect((await admin('resume', 'ada@example.org')).code).toBe(0);
    const wrong = await operator.json([...suspend, '--password-stdin'], { input: 'not this one\n' });
    expect(wrong).toMatchObject({ code: 1, json: { error: { code: 'LOGIN_FAILED' } } });
    expect(await works(ada)).toBe(0);
    const links = ['admin', 'reset-link', 'ada@example.org', '--password-stdin'];
    expect((await operator.run(links, { input: `${PASSWORD}\n` })).stdout).toMatch(/^http:\/\/\S+\n$/);
  });

  test('OP-15 signed out everywhere', async () => {
    const { code, json } = await admin('sign-out', 'ada@example.org');
    expect(code).toBe(0);
    expect(json.sessions).toBeGreaterThan(0);
    expect(await works(ada)).toBe(1);
    expect((await operator.run(['admin', 'sign-out', 'ada@example.org'])).stdout).toContain('(0 sessions)');
    await ada.login('ada@example.org');
  });

  test('OP-15 OP-1 budgets are shown, set and set back, one at a time', async () => {
    const all = await admin('quota', 'ada@example.org');
    expect(all.code).toBe(0);
    expect(all.json.budgets.length).toBeGreaterThan(5);
    const set = await admin('quota', 'ada@example.org', 'bytes_stored', '10GiB', '--reason', 'archives');
    expect(set).toMatchObject({
      code: 0,
      json: { budgets: [{ name: 'bytes_stored', limit: 10 * 1024 ** 3, changed: true }] },
    });
    const { stdout } = await operator.run(['admin', 'quota', 'ada@example.org', 'bytes_stored', '--locale', 'zh-CN']);
    expect(stdout).toMatch(/上限 10 GiB[\s\S]*由运营者更改/);
    const cleared = await admin('quota', 'ada@example.org', 'bytes_stored', '--clear');
    expect(cleared.json.budgets).toMatchObject([{ changed: false }]);
    expect(cleared.json.budgets[0].limit).toBe(cleared.json.budgets[0].default);
    for (const args of [
      ['sheep', '3'],
      ['agents', 'many'],
      ['agents', '-1'],
      ['agents', '3', '--clear'],
    ]) {
      expect(await admin('quota', 'ada@example.org', ...args)).toMatchObject({ code: 2 });
    }
    expect(await admin('quota', 'ada@example.org', '--clear')).toMatchObject({ code: 2 });
    const { actions } = (await admin('audit', '--account', 'ada@example.org', '--limit', '2')).json;
    expect(actions).toMatchObject([
      { action: 'account.budget.bytes_stored.default' },
      { action: `account.budget.bytes_stored.${10 * 1024 ** 3}`, reason: 'archives' },
    ]);
  });

  test('OP-15 AC-9 a reset link is made for one account, and alone on standard output', async () => {
    const { code, stdout, stderr } = await operator.run(['admin', 'reset-link', 'ada@example.org']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http:\/\/\S+\n$/);
    expect(stderr).toContain('Give this link to ada@example.org and nobody else.');
    const { json } = await admin('reset-link', 'ada@example.org', '--reason', 'asked on the phone');
    expect(json).toMatchObject({ email: 'ada@example.org', link: expect.stringMatching(/^http/) });
  });

  test('OP-15 AC-8 invitations are made, listed and ended', async () => {
    const none = await operator.run(['admin', 'invitations', 'create', '--uses', '0']);
    expect(none.stderr).toContain('0 is not a value for --uses <count>. It must be a whole number from 1 to 1000.');
    const made = await admin('invitations', 'create', '--uses', '3', '--note', 'the team');
    expect(made).toMatchObject({ code: 0, json: { invitation: { uses: 3, note: 'the team' } } });
    const { invitation_id } = made.json.invitation;
    expect((await operator.run(['admin', 'invitations', 'list'])).stdout).toContain(`${invitation_id}  0 of 3 used`);
    expect((await admin('invitations', 'revoke', invitation_id)).json).toEqual({ invitation_id });
    expect(await admin('invitations', 'revoke', invitation_id)).toMatchObject({ code: 1 });
    const { json } = await admin('invitations', 'list');
    expect(json.invitations).toMatchObject([{ invitation_id, revoked_at: expect.any(String) }]);
    for (const uses of ['0', '1001', 'all']) {
      expect(await admin('invitations', 'create', '--uses', uses)).toMatchObject({ code: 2 });
    }
    const { stdout, stderr } = await operator.run(['admin', 'invitations', 'create', '--locale', 'zh-CN']);
    expect(stdout).toMatch(/^http:\/\/\S+\n$/);
    expect(stderr).toContain('可供 1 人 使用');
  });

  test('OP-15 operators are appointed and dismissed, but not by themselves', async () => {
    expect(await admin('grant', 'ada@example.org', '--url', server.url)).toMatchObject({
      code: 0,
      json: { role: 'admin' },
    });
    expect((await ada.json(['admin', 'accounts'])).code).toBe(0);
    expect(await admin('revoke', 'ada@example.org')).toMatchObject({ code: 0, json: { role: 'user' } });
    const own = await admin('revoke', 'root@example.org');
    expect(own).toMatchObject({ code: 1, json: { error: { code: 'OWN_ACCOUNT' } } });
    expect((await admin('suspend', 'root@example.org')).json.error.code).toBe('OWN_ACCOUNT');
  });

  test('OP-15 attack: whoever is no operator, or is not signed in, is refused everywhere', async () => {
    const stranger = new Machine(folder.path, 'stranger', server.url);
    for (const args of [['accounts'], ['show', 'root@example.org'], ['suspend', 'root@example.org'], ['audit']]) {
      expect((await ada.json(['admin', ...args])).json.error.code).toBe('FORBIDDEN');
      expect((await stranger.json(['admin', ...args])).json.error.code).toBe('NOT_SIGNED_IN');
    }
  });

  test('OP-15 the audit log has everything that was done, newest first, and can be narrowed', async () => {
    const { json } = await admin('audit', '--all');
    const about = json.actions.filter((action: { target_name: string | null }) => action.target_name !== null);
    expect(about.map(({ action }: { action: string }) => action)).toEqual([
      'account.role.user',
      'account.role.admin',
      'account.reset_link',
      'account.reset_link',
      'account.budget.bytes_stored.default',
      `account.budget.bytes_stored.${10 * 1024 ** 3}`,
      'account.sign_out',
      'account.sign_out',
      'account.reset_link',
      'account.unban',
      'account.ban',
      ...about.slice(11).map(() => 'account.role.admin'),
    ]);
    const ban = about[10];
    expect(ban).toMatchObject({
      admin_email: 'root@example.org',
      target_name: 'ada@example.org',
      reason: 'sends spam',
      address: '127.0.0.1',
    });
    expect((await admin('audit', '--account', 'ada@example.org', '--limit', '2')).json.actions).toHaveLength(2);
    expect((await admin('audit', '--operator', 'ada@example.org')).json.actions).toEqual([]);
    const { stdout } = await operator.run(['admin', 'audit', '--account', 'ada@example.org']);
    expect(stdout).toContain('account.ban  ada@example.org  by root@example.org from 127.0.0.1\n  sends spam\n');
    expect((await operator.run(['admin', 'audit', '--operator', 'ada@example.org'])).stdout).toBe(
      'Nothing has been done yet.\n',
    );
  });
});
