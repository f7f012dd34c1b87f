import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

let folder;
let file;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
  file = join(folder, 'deep', 'setup.lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function leaveLock(text, age = 0) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const then = new Date(Date.now() - age);
  utimesSync(file, then, then);
}

/** The pid of a process that has just ended. */
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

test('HS-8 one holder at a time, in any order of arrival, and the lock is gone afterwards', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([1, 2, 3, 4].map(() => withLock(file, work)));
  expect(most).toBe(1);
  expect(existsSync(file)).toBe(false);
});

test('HS-8 the lock is released when the work fails', async () => {
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(file)).toBe(false);
});

test('HS-8 whoever waits is told for whom', async () => {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const first = withLock(file, () => held);
  let told;
  const second = withLock(
    file,
    async () => {},
    (pid) => {
      told = pid;
      release();
    },
  );
  await Promise.all([first, second]);
  expect(told).toBe(process.pid);
});

test('HS-8 a lock whose process is dead is taken over', async () => {
  leaveLock(`${deadPid()} ${hostname()} x`);
  expect(await withLock(file, async () => 'done')).toBe('done');
  expect(readdirSync(join(folder, 'deep'))).toEqual([]);
});

test('HS-8 a lock that nobody has touched for a minute is taken over even if its pid lives on as something else', async () => {
  leaveLock(`${process.pid} ${hostname()} x`, 60_000);
  expect(await withLock(file, async () => 'done')).toBe('done');
});

test('HS-8 many waiters on one stale lock still work one at a time', async () => {
  leaveLock(`${deadPid()} ${hostname()} x`);
  let inside = 0;
  const work = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([1, 2, 3, 4, 5].map(() => withLock(file, work)));
  expect(inside).toBe(0);
});
