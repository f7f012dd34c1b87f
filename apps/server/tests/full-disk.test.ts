import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmbeddedPostgres } from '@parley/server/storage';
import { runStatement } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepare } from '../../../scripts/setup.mjs';
import { failProcess, ROOT, type Started, startProcess } from './process.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const PASSWORD = 'correct horse battery';
const MEGABYTES = 400;
let folder: string;
let disk: SmallDisk;
let running: Started[] = [];

beforeAll(() => prepare(ROOT, { install: false, quiet: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
  disk = mountSmallDisk(folder, MEGABYTES);
});
afterEach(async () => {
  disk.free();
  for (const { child, ended } of running) {
    child.kill('SIGTERM');
    await ended;
  }
  running = [];
  disk.remove();
  await until(() => rmSync(folder, { recursive: true, force: true }));
});

async function start(more: Record<string, string> = {}): Promise<Started> {
  const started = await startProcess(environment(more));
  running.push(started);
  return started;
}

const environment = (more: Record<string, string> = {}) => ({
  PARLEY_DATA_DIR: folder,
  PARLEY_PORT: '0',
  PARLEY_DEMO_BOT: 'false',
  PARLEY_SYSTEM_AGENT: 'false',
  ...more,
});

async function post(url: string, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function ready(url: string) {
  const response = await fetch(`${url}/ready`);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const register = (url: string, email: string) =>
  post(url, '/auth/register', { email, account_password: PASSWORD, display_name: 'Ada' });
const login = (url: string, email: string) => post(url, '/auth/login', { email, account_password: PASSWORD });
const becomesReady = (url: string) => until(async () => expect((await ready(url)).status).toBe(200));

describe('OP-8 a full disk', () => {
  test('OP-8 a log that cannot be written ends nothing: the server serves, says so in /ready, and ends with 0', async () => {
    const { url, child, ended, complaints } = await start({ PARLEY_LOG_FILE: '/dev/full' });
    expect((await register(url, 'ada@example.org')).status).toBe(201);
    expect(await ready(url)).toMatchObject({
      status: 503,
      body: { checks: { log: 'ENOSPC', database: 'ok', disk: 'ok' } },
    });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(Number(/^parley_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    child.kill('SIGTERM');
    expect([await ended, complaints()]).toEqual([0, '']);
  });

  test('OP-8 it serves what needs no disk, refuses what does, loses nothing, and goes on by itself', async () => {
    const { url } = await start();
    const registered: string[] = [];
    const tryToRegister = async (email: string) => {
      const { status, body } = await register(url, email);
      if (status === 201) registered.push(email);
      return { status, code: body.error?.code };
    };
    expect(await tryToRegister('before@example.org')).toMatchObject({ status: 201 });
    await becomesReady(url);

    disk.fill();
    await until(async () => {
      const { status, body } = await ready(url);
      expect(status).toBe(503);
      expect(body).toMatchObject({
        error: { code: 'UNAVAILABLE' },
        checks: { disk: disk.isReal ? 'ENOSPC' : 'EACCES' },
      });
    });
    expect((await fetch(`${url}/health`)).status).toBe(200);
    if (disk.isReal) {
      // Pages that are there take a few rows more.
      let index = 0;
      await until(async () => {
        expect(await tryToRegister(`full${index++}@example.org`)).toEqual({ status: 503, code: 'UNAVAILABLE' });
      });
    }

    disk.free();
    await becomesReady(url);
    await until(async () => expect((await tryToRegister(`after@example.org`)).status).not.toBe(503));
    for (const email of registered) expect((await login(url, email)).status).toBe(200);
    await until(() =>
      expect(readFileSync(join(folder, 'server.log'), 'utf8')).toMatch(/"msg":"not ready"|lines are missing/),
    );
  });

  test('OP-8 Postgres that gave up for lack of room is started again when there is some, and nothing is lost', async () => {
    const { url, child } = await start();
    expect((await register(url, 'ada@example.org')).status).toBe(201);
    disk.fill();
    // Its write-ahead log finds no room, which it does not survive.
    const write = `select pg_logical_emit_message(true, 'test', repeat('x', 60000000))`;
    const written = runStatement(findEmbeddedPostgres(folder)!, write).then(() => 'written');
    if (disk.isReal) await expect(written).rejects.toThrow(/terminat|No space left/i);
    else expect(await written).toBe('written');
    await until(async () => expect((await ready(url)).status).toBe(503));
    expect((await fetch(`${url}/health`)).status).toBe(200);

    disk.free();
    await becomesReady(url);
    expect((await login(url, 'ada@example.org')).status).toBe(200);
    expect(child.exitCode).toBeNull();
  });

  test('OP-8 SIGTERM on a full disk ends it, and the next start has everything; a start on one is told why not', async () => {
    const first = await start();
    expect((await register(first.url, 'ada@example.org')).status).toBe(201);
    disk.fill();
    await until(async () => expect((await ready(first.url)).status).toBe(503));
    first.child.kill('SIGTERM');
    expect([0, 1]).toContain(await first.ended);
    if (disk.isReal) {
      const { code, stderr } = await failProcess(environment());
      expect(code).toBe(3);
      expect(stderr).toMatch(/ENOSPC|No space left/);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    disk.free();
    const second = await start();
    expect((await login(second.url, 'ada@example.org')).status).toBe(200);
  });
});
