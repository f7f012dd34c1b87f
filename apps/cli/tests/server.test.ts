import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parley, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();
// Run by root, Postgres is another user, who has to get through.
chmodSync(folder.path, 0o711);
const first = join(folder.path, 'first');
const second = join(folder.path, 'second');
const backup = join(folder.path, 'parley.backup');

// The agents beside it cost more than the server itself, and are others’ tests.
const ALONE = { PARLEY_DEMO_BOT: 'false', PARLEY_SYSTEM_AGENT: 'false' };
const run = (args: readonly string[], dataDir = first, env: Record<string, string> = {}) =>
  parley(args, { env: { PARLEY_DATA_DIR: dataDir, PARLEY_PORT: '0', ...ALONE, ...env } });
const runJson = async (args: readonly string[], dataDir = first) => {
  const { code, stdout, stderr } = await run([...args, '--json'], dataDir);
  expect(stdout, stderr).toMatch(/^\{/);
  return { code, stderr, json: JSON.parse(stdout) };
};

afterAll(async () => {
  for (const dataDir of [first, second]) await run(['stop'], dataDir);
});

async function sign(url: string, how: 'register' | 'login'): Promise<{ status: number; token: string }> {
  const account = { email: 'ada@example.org', account_password: 'correct horse battery' };
  const response = await fetch(`${url}/auth/${how}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(how === 'register' ? { ...account, display_name: 'Ada' } : account),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { status: response.status, token };
}

describe('HS-7 running a server', () => {
  let url = '';

  test('HS-7 status is 1 and stop is 0 where none runs, and neither makes a folder', async () => {
    expect(await runJson(['status'])).toEqual({ code: 1, stderr: '', json: { running: false } });
    expect(await runJson(['stop'])).toEqual({ code: 0, stderr: '', json: { stopped: false } });
    expect(existsSync(first)).toBe(false);
  });

  test('HS-7 backup, and admin grant, of nothing are 1', async () => {
    expect(await runJson(['backup', backup])).toMatchObject({ code: 1, json: { error: { code: 'DATABASE_EMPTY' } } });
    expect((await run(['admin', 'grant', 'ada@example.org'])).code).toBe(1);
    expect(existsSync(first)).toBe(false);
  });

  test('HS-7 start waits until it answers; a second start finds it', async () => {
    const started = await runJson(['start']);
    expect(started).toMatchObject({ code: 0, json: { already_running: false, pid: expect.any(Number) } });
    url = started.json.url;
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    expect((await runJson(['start'])).json).toEqual({ ...started.json, already_running: true });
    const moved = await run(['start'], first, { PARLEY_PORT: '65000' });
    expect(moved).toMatchObject({ code: 0, stderr: expect.stringContaining('It does not use port 65000') });
    expect(moved.stdout).toContain(url);
    const status = await runJson(['status']);
    expect(status).toMatchObject({ code: 0, json: { running: true, responding: true, url, database: 'embedded' } });
    expect(status.json.pid).toBe(started.json.pid);
    expect((await run(['status', '--locale', 'zh-CN'])).stdout).toContain('正在');
  });

  test('HS-7 AC-8 admin grant makes an account an operator, and the link for one is gone; an address nobody has is 1', async () => {
    expect((await sign(url, 'register')).status).toBe(201);
    expect((await runJson(['status'])).json).toHaveProperty('operator_link_file');
    const granted = await runJson(['admin', 'grant', 'ADA@example.org', '--reason', 'the first one']);
    expect(granted).toMatchObject({ code: 0, json: { role: 'admin' } });
    expect((await runJson(['status'])).json).not.toHaveProperty('operator_link_file');
    const { token } = await sign(url, 'login');
    const me = await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ role: 'admin' });
    const log = await fetch(`${url}/admin/actions`, { headers: { authorization: `Bearer ${token}` } });
    expect(await log.json()).toMatchObject({ actions: [{ action: 'account.role.admin', reason: 'the first one' }] });
    const nobody = await runJson(['admin', 'grant', 'nobody@example.org']);
    expect(nobody).toMatchObject({ code: 1, json: { error: { code: 'ACCOUNT_UNKNOWN' } } });
  });

  test('HS-7 backup while it runs, for nobody else to read; an existing file stays', async () => {
    const written = await runJson(['backup', backup, '--with-secrets']);
    expect(written).toMatchObject({ code: 0, json: { file: backup, with_secrets: true, keystores: 0 } });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const before = readFileSync(backup);
    expect(await runJson(['backup', backup])).toMatchObject({ code: 1, json: { error: { code: 'FILE_EXISTS' } } });
    expect(readFileSync(backup)).toEqual(before);
    expect((await runJson(['restore', backup])).json.error.code).toBe('SERVER_RUNNING');
  });

  test('HS-7 stop ends it, and only then returns', async () => {
    expect(await runJson(['stop'])).toEqual({ code: 0, stderr: '', json: { stopped: true } });
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    expect(existsSync(join(first, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(first, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('HS-7 a backup restored elsewhere is the same server: account, password and secrets', async () => {
    const restored = await runJson(['restore', backup], second);
    expect(restored).toMatchObject({ code: 0, json: { secrets_restored: true } });
    expect(readFileSync(join(second, 'secrets.json'))).toEqual(readFileSync(join(first, 'secrets.json')));
    const { json } = await runJson(['start'], second);
    expect((await sign(json.url, 'login')).status).toBe(200);
    await run(['stop'], second);
    const again = await runJson(['restore', backup], second);
    expect(again).toMatchObject({ code: 1, json: { error: { code: 'DATABASE_NOT_EMPTY' } } });
  });

  test('HS-7 what is no backup is 1, what is no file is 3', async () => {
    const third = join(folder.path, 'third');
    const damaged = join(folder.path, 'damaged.backup');
    writeFileSync(damaged, 'not a backup');
    expect((await runJson(['restore', damaged], third)).json.error.code).toBe('BACKUP_UNREADABLE');
    const missing = await runJson(['restore', join(folder.path, 'nowhere')], third);
    expect(missing).toMatchObject({ code: 3, json: { error: { code: 'FILE_NOT_FOUND' } } });
  });

  test('HS-7 what stops the server is told by start, with exit code 3, in both languages', async () => {
    mkdirSync(first, { recursive: true });
    const wrong = await run(['start'], first, { PARLEY_PORT: 'x' });
    expect(wrong).toMatchObject({ code: 3, stdout: '' });
    expect(wrong.stderr).toContain('PARLEY_PORT');
    const readable = join(folder.path, 'readable');
    mkdirSync(readable);
    writeFileSync(join(readable, 'secrets.json'), '{}', { mode: 0o644 });
    const refused = await run(['start', '--locale', 'zh-CN'], readable);
    expect(refused.code).toBe(3);
    // HS-15: what it is about to do comes first.
    expect(refused.stderr).toMatch(/^正在启动 Parley/);
    expect(refused.stderr).toMatch(/chmod 600/);
    expect(refused.stderr).toMatch(/\p{Script=Han}/u);
  });
});
