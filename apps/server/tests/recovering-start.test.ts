import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLockHolder, isAlive } from '@parley/base/node';
import { startEmbeddedPostgres } from '@parley/server/storage';
import { until } from '@parley/testkit/until';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepare } from '../../../scripts/setup.mjs';
import { startInBackground, stopRunning } from '../src/background.ts';
import { readEnvironment } from '../src/environment.ts';
import { launch, ROOT } from './process.ts';

const TEXT = /^Waiting for the embedded database to start; after a crash it recovers first \(\d+ s\)\.$/m;
let folder: string;
let environment: Record<string, string>;
let running: ReturnType<typeof launch>[] = [];

beforeAll(() => prepare(ROOT, { install: false, quiet: true }));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
  chmodSync(folder, 0o711);
  environment = {
    PARLEY_DATA_DIR: folder,
    PARLEY_PORT: '0',
    PARLEY_DEMO_BOT: 'false',
    PARLEY_SYSTEM_AGENT: 'false',
  };
  await (await startEmbeddedPostgres(folder)).stop();
  // It recovers until the file is there, as it would from a long log.
  const data = join(folder, 'postgres');
  const signal = join(data, 'recovery.signal');
  const command = `until test -e ${join(folder, 'recovered')}; do sleep 0.05; done; false`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `restore_command = '${command}'\n`);
  writeFileSync(signal, '');
  const { uid, gid } = statSync(data);
  chownSync(signal, uid, gid);
});
afterEach(async () => {
  recover();
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  running = [];
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

const run = () => {
  const started = launch(environment);
  running.push(started);
  return started;
};
const recover = () => writeFileSync(join(folder, 'recovered'), '');
const pidFile = () => join(folder, 'postgres', 'postmaster.pid');
const postmaster = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);
/** Nothing holds the folder, and no Postgres runs in it. */
const expectNothingLeft = (pid: number) => {
  expect(isAlive(pid)).toBe(false);
  for (const name of ['server.lock', 'postgres.lock']) expect(findLockHolder(folder, name)).toBeUndefined();
};

describe('OP-9 a start beside its own database that recovers', () => {
  test('OP-9 attack: it says what it waits for, and a signal ends it and its database', async () => {
    const { child, ended, output } = run();
    await until(() => expect(output().stderr).toMatch(TEXT));
    const pid = postmaster();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output().stdout).toBe('Parley was told to stop before it had started.\n');
    expectNothingLeft(pid);
    expect(existsSync(pidFile())).toBe(false);
  });

  test('OP-9 attack: a second signal waits for nothing, not even for a database that does not stop', async () => {
    const { child, ended } = run();
    const pid = await until(() => {
      expect(isAlive(postmaster())).toBe(true);
      return postmaster();
    });
    process.kill(pid, 'SIGSTOP');
    let code: number | string | undefined;
    void ended.then((it) => {
      code = it;
    });
    try {
      // One that comes right behind the first is taken for the same.
      await until(() => {
        child.kill('SIGTERM');
        expect(code).toBe(1);
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until(() => expectNothingLeft(pid));
  });

  test('OP-11 attack: a start in the background waits for it, and serves once it has recovered', async () => {
    const settings = readEnvironment(environment);
    const told: string[] = [];
    const starting = startInBackground(
      settings,
      { PATH: process.env.PATH, ...environment },
      { tell: (line) => told.push(line) },
    );
    await until(() => expect(told[0]).toMatch(TEXT));
    recover();
    expect((await fetch(`${await starting}/ready`)).status).toBe(200);
    expect(await stopRunning(folder)).toBe(true);
  });
});
