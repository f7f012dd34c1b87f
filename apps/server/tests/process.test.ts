import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLockHolder } from '@parley/base/node';
import { until } from '@parley/testkit/until';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepare } from '../../../scripts/setup.mjs';
import { failProcess, ROOT, type Started, startProcess } from './process.ts';

const PASSWORD = 'correct horse battery';
let folder: string;
let running: Started[] = [];

beforeAll(() => prepare(ROOT, { install: false, quiet: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
  // Run as root, Postgres is another user, who has to get through.
  chmodSync(folder, 0o711);
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGTERM');
    await ended;
  }
  running = [];
  // What a killed server had started ends a moment after it, and may write until then.
  await until(() => rmSync(folder, { recursive: true, force: true }));
});

/** With the agents that run beside it only where it starts as people start it: they cost more than the server itself. */
const ALONE = { PARLEY_DEMO_BOT: 'false', PARLEY_SYSTEM_AGENT: 'false' };
const AS_PEOPLE_DO = { PARLEY_DEMO_BOT: 'true', PARLEY_SYSTEM_AGENT: 'true' };
const environment = (more: Record<string, string> = {}) => ({
  PARLEY_DATA_DIR: folder,
  PARLEY_PORT: '0',
  ...ALONE,
  ...more,
});

async function start(more?: Record<string, string>, program?: string): Promise<Started> {
  const started = await startProcess(environment(more), program);
  running.push(started);
  return started;
}

async function post(url: string, path: string, body: object): Promise<{ status: number }> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  return { status: response.status };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const registration = (email: string) => ({ email, account_password: PASSWORD, display_name: 'Ada' });
const register = (url: string, email: string) => post(url, '/auth/register', registration(email));

/** Resolves when the server has the head of the request and asks for the rest, which is then sent. */
async function beginToRegister(url: string, email: string): Promise<() => Promise<number | undefined>> {
  const headers = { 'content-type': 'application/json', expect: '100-continue' };
  const outgoing = request(`${url}/auth/register`, { method: 'POST', headers, agent: false });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
  });
  await new Promise((resolve, reject) => outgoing.on('continue', resolve).on('error', reject));
  return () => {
    outgoing.end(JSON.stringify(registration(email)));
    return answered;
  };
}

const login = (url: string, email: string) => post(url, '/auth/login', { email, account_password: PASSWORD });

describe('HS-8 the server as a process', () => {
  test('HS-8 AC-8 says where it runs in one line, and neither there nor in the log anything secret', async () => {
    const { url, output, complaints } = await start(AS_PEOPLE_DO);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    await until(() => expect(output().stdout).toContain('operator-link\n'));
    expect(output().stdout).toMatch(
      /^Parley is running at http:\/\/localhost:\d+ \(log: .*\)\nNew here\?.*@parley\/cli tour\nThis server has no operator.*\/operator-link\n$/,
    );
    expect(complaints()).toBe('');
    expect((await register(url, 'ada@example.org')).status).toBe(201);
    const written = output().stdout + readFileSync(join(folder, 'server.log'), 'utf8');
    const secrets = Object.values(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))) as string[];
    const password = readFileSync(join(folder, 'postgres-password'), 'utf8');
    const link = readFileSync(join(folder, 'operator-link'), 'utf8').trim();
    const code = new URL(link).hash.slice(1);
    for (const secret of [...secrets, password, PASSWORD, 'ada@example.org', code])
      expect(written).not.toContain(secret);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'operator-link')).mode & 0o777).toBe(0o600);
  });

  test('HS-8 after kill -9 the next start has everything that was answered', async () => {
    const first = await start();
    expect((await register(first.url, 'ada@example.org')).status).toBe(201);
    first.child.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    const second = await start();
    expect((await login(second.url, 'ada@example.org')).status).toBe(200);
    expect(second.output().stdout).not.toContain('New here?');
  });

  test('HS-14 kill -9 of the server ends its database', async () => {
    const { child } = await start(AS_PEOPLE_DO);
    const pid = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    await until(() => !isAlive(pid));
    running = [];
  });

  test('HS-14 a server whose data folder is removed says so and ends with 3, and its database with it', async () => {
    const { ended, output } = await start();
    const pid = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    expect(await ended).toBe(3);
    expect(output().stderr).toContain(`The folder ${folder} was removed`);
    expect(isAlive(pid)).toBe(false);
  });

  test('HS-8 SIGTERM under load: what was begun is finished, nothing answered is lost, and it ends with 0', async () => {
    const first = await start();
    const emails = Array.from({ length: 12 }, (_, index) => `person${index}@example.org`);
    const begun = await Promise.all(emails.map((email) => beginToRegister(first.url, email)));
    const answered: string[] = [];
    const ending = begun.map(async (finish, index) => {
      const status = await finish();
      if (status === 201) answered.push(emails[index]!);
      return status;
    });
    await Promise.race(ending);
    first.child.kill('SIGTERM');
    const statuses = await Promise.all(ending);
    expect([await first.ended, first.complaints()]).toEqual([0, '']);
    // None is cut off.
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    expect(answered.length).toBeGreaterThan(0);
    const second = await start();
    for (const email of answered) expect((await login(second.url, email)).status).toBe(200);
  });

  test('HS-8 a signal while it starts leaves nothing behind', async () => {
    await startProcess(environment()).then(({ child, ended }) => {
      child.kill('SIGTERM');
      return ended;
    });
    const second = startProcess(environment()).catch((error: Error) => error);
    // Its Postgres is starting as soon as the lock is there.
    const pid = await until(() => findLockHolder(folder, 'postgres.lock')!.pid);
    process.kill(pid, 'SIGTERM');
    await second.then((result) => ('ended' in result ? result.ended : undefined));
    await until(() => expect(findLockHolder(folder, 'postgres.lock')).toBeUndefined());
    expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('HS-8 a second server on the same folder is told who has it, with exit code 3', async () => {
    const first = await start();
    const { code, stderr, stdout } = await failProcess(environment());
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(String(first.child.pid));
    expect(stderr).toContain('PARLEY_DATA_DIR');
    expect((await fetch(`${first.url}/ready`)).status).toBe(200);
  });

  test('HS-8 a port in use is named with its variable, in both languages, and no database is started for it', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const english = await failProcess(environment({ PARLEY_PORT: String(port) }));
    expect(english.code).toBe(3);
    expect(english.stderr).toMatch(new RegExp(`Port ${port}.*PARLEY_PORT`));
    const chinese = await failProcess(environment({ PARLEY_PORT: String(port), LC_ALL: 'zh_CN.UTF-8' }));
    expect(chinese.stderr).toMatch(new RegExp(`端口 ${port}.*PARLEY_PORT`));
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
    await new Promise((resolve) => taken.close(resolve));
  });

  test('HS-8 what is wrong in the environment stops it with exit code 3, each variable by name', async () => {
    const { code, stderr } = await failProcess(environment({ PARLEY_PORT: 'x', PARLEY_LOG_LEVL: 'info' }));
    expect(code).toBe(3);
    expect(stderr).toContain('PARLEY_PORT');
    expect(stderr).toContain('Did you mean PARLEY_LOG_LEVEL?');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('HS-8 a database that cannot be reached is named without its password', async () => {
    const url = 'postgres://parley:hunter2@127.0.0.1:1/parley';
    const { code, stderr } = await failProcess(environment({ DATABASE_URL: url }));
    expect(code).toBe(3);
    expect(stderr).toMatch(/DATABASE_URL/);
    expect(stderr).not.toMatch(/hunter2|^\s+at /m);
  });

  test('HS-8 a secrets file that others can read stops it', async () => {
    writeFileSync(join(folder, 'secrets.json'), '{}', { mode: 0o644 });
    const { code, stderr } = await failProcess(environment());
    expect(code).toBe(3);
    expect(stderr).toContain('chmod 600');
  });

  test('HS-8 npm start runs it, set up first, and nothing but the URL is printed', async () => {
    const { url, output, child, ended } = await start(AS_PEOPLE_DO, join(ROOT, 'scripts/start.mjs'));
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(output().stdout.split('\n')[0]).toMatch(/^Parley is running at /);
    // At a terminal, npm passes on the Ctrl-C that its child has had already.
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});
