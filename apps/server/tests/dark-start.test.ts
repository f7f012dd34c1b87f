import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLockHolder } from '@parley/base/node';
import { until } from '@parley/testkit/until';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepare } from '../../../scripts/setup.mjs';
import { startInBackground } from '../src/background.ts';
import { readEnvironment } from '../src/environment.ts';
import { failProcess, launch, ROOT } from './process.ts';

/** A database that takes connections and says nothing, as after a failover. */
let silent: Server;
let met: number;
let folder: string;
let environment: Record<string, string>;

beforeAll(() => prepare(ROOT, { install: false, quiet: true }));
beforeEach(async () => {
  met = 0;
  silent = createServer((socket) => {
    met++;
    // Read, so that its end is noticed.
    socket.on('error', () => {}).resume();
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
  chmodSync(folder, 0o711);
  environment = {
    PARLEY_DATA_DIR: folder,
    PARLEY_PORT: '0',
    PARLEY_DEMO_BOT: 'false',
    PARLEY_SYSTEM_AGENT: 'false',
    DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${port}/d`,
  };
});
afterEach(async () => {
  await new Promise((resolve) => silent.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

describe('OP-9 a start beside a database that is dark', () => {
  test('OP-9 says what it waits for, gives up, and leaves nothing behind', async () => {
    const { code, stderr } = await failProcess(environment);
    expect(code).toBe(3);
    expect(stderr).toContain('Waiting for the database to answer (5 s).');
    expect(stderr).toContain('The database cannot be used (timeout). Check DATABASE_URL.');
    expect(stderr).not.toMatch(/hunter2|^\s+at /m);
    expect(findLockHolder(folder, 'server.lock')).toBeUndefined();
  });

  test('OP-9 attack: it does not hold up a signal', async () => {
    const { child, ended, output, complaints } = launch(environment);
    await until(() => expect(met).toBe(1));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output().stdout).toBe('Parley was told to stop before it had started.\n');
    expect(complaints()).toBe('');
    expect(findLockHolder(folder, 'server.lock')).toBeUndefined();
  });

  test('OP-9 what is started in the background and not in time is ended, and holds the folder no more', async () => {
    const settings = readEnvironment(environment);
    const failure = await startInBackground(
      settings,
      { PATH: process.env.PATH, ...environment },
      { startMs: 1_000 },
    ).catch((error: unknown) => error);
    expect(failure).toMatchObject({ errors: [{ code: 'NOT_IN_TIME' }] });
    expect(findLockHolder(folder, 'server.lock')).toBeUndefined();
  });

  test('OP-9 a database that hangs up ends a command with a sentence, not with a stack', async () => {
    silent.removeAllListeners('connection');
    silent.on('connection', (socket) => socket.destroy());
    const child = spawn(process.execPath, [join(ROOT, 'apps/cli/bin/parley.js'), 'admin', 'grant', 'ada@example.org'], {
      env: { PATH: process.env.PATH, ...environment },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(3);
    expect(said).toContain('The database cannot be used');
    expect(said).not.toMatch(/hunter2|^\s+at /m);
  });
});
