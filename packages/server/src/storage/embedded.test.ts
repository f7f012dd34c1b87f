import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOST, isAlive } from '@parley/base/node';
import { until } from '@parley/testkit/until';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blamesLeftovers } from './embedded/cluster.ts';
import { canPass, chooseDataFolder } from './embedded/data-folder.ts';
import { removeAbandonedClusters } from './embedded/remove-leftovers.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

let folder: string;
/** A database that was made and stopped. */
let made: string;

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'parley-embedded-'));
  await (await startEmbeddedPostgres(made)).stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-embedded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As after an earlier start: making a database takes longer than all else here, and three tests do it. */
function takeMade(): void {
  for (const name of ['postgres', 'postgres-password']) execFileSync('cp', ['-a', join(made, name), folder]);
}

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows[0];
  } finally {
    await client.end();
  }
}

const pidFile = () => join(folder, 'postgres', 'postmaster.pid');
const postmaster = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

test('HS-8 the database is there again after a restart, at the same address, and nobody else can read it', async () => {
  const first = await startEmbeddedPostgres(folder);
  await ask(first.url, 'create table kept as select 42 as answer');
  expect(findEmbeddedPostgres(folder)).toBe(first.url);
  await first.stop();
  expect(findEmbeddedPostgres(folder)).toBeUndefined();
  const second = await startEmbeddedPostgres(folder);
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, 'select answer from kept')).toEqual({ answer: 42 });
  expect(await ask(second.url, 'show fsync')).toEqual({ fsync: 'on' });
  await second.stop();
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'postgres-password')).mode & 0o777).toBe(0o600);
});

test('HS-8 a second server on the same data is told who holds it, and the first goes on', async () => {
  takeMade();
  const first = await startEmbeddedPostgres(folder);
  await expect(startEmbeddedPostgres(folder)).rejects.toMatchObject({
    code: 'FOLDER_HELD',
    params: { folder, pid: process.pid },
  });
  expect(await ask(first.url, 'select 1 as one')).toEqual({ one: 1 });
  await first.stop();
});

test('HS-8 a Postgres that is killed comes back by itself with what was committed', async () => {
  takeMade();
  const server = await startEmbeddedPostgres(folder);
  await ask(server.url, 'create table kept as select 7 as answer');
  const killed = postmaster();
  process.kill(killed, 'SIGKILL');
  await until(() => {
    expect(postmaster()).not.toBe(killed);
    expect(readFileSync(pidFile(), 'utf8')).toMatch(/ready/);
  });
  expect(await ask(server.url, 'select answer from kept')).toEqual({ answer: 7 });
  await server.stop();
});

test('HS-8 a Postgres that dies while it is told to stop has stopped', async () => {
  takeMade();
  const server = await startEmbeddedPostgres(folder);
  await ask(server.url, 'create table kept as select 8 as answer');
  process.kill(postmaster(), 'SIGKILL');
  await server.stop();
  const again = await startEmbeddedPostgres(folder);
  expect(await ask(again.url, 'select answer from kept')).toEqual({ answer: 8 });
  await again.stop();
});

/** A process that owns an embedded Postgres in the folder, and is ready. */
function startOwner(): Promise<{ child: ChildProcess; url: string }> {
  takeMade();
  return spawnOwner();
}
async function spawnOwner(): Promise<{ child: ChildProcess; url: string }> {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(new URL('../../dist/storage/embedded.js', import.meta.url).href)});
    const server = await startEmbeddedPostgres(process.argv[1]);
    console.log(server.url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], { stdio: 'pipe' });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()));
    child.once('close', () => reject(new Error('it did not start')));
  });
  return { child, url };
}
const parentOf = (pid: number) => Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));

test('HS-14 kill -9 of the process ends its Postgres, and the next start has the data', async () => {
  const { child, url } = await startOwner();
  await ask(url, 'create table kept as select 9 as answer');
  const orphan = postmaster();
  const supervisor = parentOf(orphan);
  child.kill('SIGKILL');
  await until(() => !isAlive(orphan) && !isAlive(supervisor));
  expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).not.toMatch(/PANIC|immediate shutdown/);
  const server = await startEmbeddedPostgres(folder);
  expect(await ask(server.url, 'select answer from kept')).toEqual({ answer: 9 });
  await server.stop();
});

test('HS-14 a start right behind kill -9 gets along with a Postgres that is still being stopped', async () => {
  const { child, url } = await startOwner();
  await ask(url, 'create table kept as select 11 as answer');
  const orphan = postmaster();
  child.kill('SIGKILL');
  await until(() => child.signalCode !== null);
  const server = await startEmbeddedPostgres(folder);
  expect(isAlive(orphan)).toBe(false);
  expect(await ask(server.url, 'select answer from kept')).toEqual({ answer: 11 });
  await server.stop();
});

test('HS-14 what is left running when its supervisor is killed as well is stopped by the next start', async () => {
  const { child, url } = await startOwner();
  await ask(url, 'create table kept as select 10 as answer');
  const orphan = postmaster();
  const supervisor = parentOf(orphan);
  process.kill(supervisor, 'SIGSTOP');
  child.kill('SIGKILL');
  process.kill(supervisor, 'SIGKILL');
  await until(() => child.signalCode !== null && !isAlive(supervisor));
  expect(isAlive(orphan)).toBe(true);
  const server = await startEmbeddedPostgres(folder);
  expect(isAlive(orphan)).toBe(false);
  expect(await ask(server.url, 'select answer from kept')).toEqual({ answer: 10 });
  await server.stop();
});

test('HS-14 a supervisor that is killed alone is replaced, and the database is there again', async () => {
  takeMade();
  const server = await startEmbeddedPostgres(folder);
  await ask(server.url, 'create table kept as select 12 as answer');
  const first = postmaster();
  process.kill(parentOf(first), 'SIGKILL');
  await until(() => existsSync(pidFile()) && postmaster() !== first && /ready/.test(readFileSync(pidFile(), 'utf8')));
  expect(await ask(server.url, 'select answer from kept')).toEqual({ answer: 12 });
  await server.stop();
});

test('HS-14 a folder that is removed while it runs ends its Postgres, which is not started again', async () => {
  takeMade();
  const server = await startEmbeddedPostgres(folder);
  const pid = postmaster();
  const supervisor = parentOf(pid);
  // As with rm -rf: Postgres may write while it is removed.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  await server.lost;
  expect([isAlive(pid), isAlive(supervisor)]).toEqual([false, false]);
  await server.stop();
  expect(existsSync(folder)).toBe(false);
});

test('HS-14 a folder that was replaced by another does not keep the old Postgres alive', async () => {
  takeMade();
  const server = await startEmbeddedPostgres(folder);
  const pid = postmaster();
  const moved = `${folder}-moved`;
  renameSync(folder, moved);
  mkdirSync(folder);
  await server.lost;
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(join(moved, 'postgres', 'PG_VERSION'))).toBe(true);
  rmSync(moved, { recursive: true });
  await server.stop();
});

describe('HS-14 temporary clusters', () => {
  let parent: string;
  beforeEach(() => {
    parent = folder;
    folder = mkdtempSync(join(parent, 'parley-one-'));
    chmodSync(parent, 0o711);
    return () => rmSync(parent, { recursive: true, force: true });
  });
  const sweep = (prefix = 'parley-one-', idleMs = 0) => removeAbandonedClusters(parent, { prefixes: [prefix], idleMs });

  test('HS-14 one whose owner was killed is ended and removed, one whose owner lives stays', async () => {
    const { child } = await startOwner();
    const orphan = postmaster();
    const supervisor = parentOf(orphan);
    expect(await sweep()).toEqual([]);
    expect(isAlive(orphan)).toBe(true);
    process.kill(supervisor, 'SIGSTOP');
    child.kill('SIGKILL');
    process.kill(supervisor, 'SIGKILL');
    await until(() => child.signalCode !== null && !isAlive(supervisor));
    expect(await sweep('parley-one-', 60_000)).toEqual([]);
    expect(await sweep()).toEqual([folder]);
    expect(isAlive(orphan)).toBe(false);
    expect(readdirSync(parent)).toEqual([]);
  });

  test('HS-14 what is not provably left behind is not touched', async () => {
    expect(await sweep()).toEqual([]);
    const claim = (host: string) =>
      join(folder, `postgres.lock.${host}.${2 ** 22 + 1}.${'0'.repeat(16)}.${'1'.repeat(16)}`);
    const [lock, foreign] = [claim(HOST), claim('f'.repeat(16))];
    for (const file of [foreign, join(folder, 'postgres.lock.txt')]) {
      writeFileSync(file, '');
      expect(await sweep()).toEqual([]);
    }
    rmSync(foreign);
    writeFileSync(lock, '');
    expect(await sweep('parley-')).toEqual([]);
    expect(existsSync(lock)).toBe(true);
    // A number that is someone else's by now: the folder goes, that process stays.
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(pidFile(), `${process.pid}\n${join(folder, 'postgres')}\n`);
    expect(await sweep()).toEqual([folder]);
  });
});

test('HS-8 a stale pid file whose number belongs to another process is no obstacle', async () => {
  takeMade();
  writeFileSync(pidFile(), `${process.pid}\n${join(folder, 'postgres')}\n0\n1\n\n\n0 0\nready\n`);
  const server = await startEmbeddedPostgres(folder);
  expect(await ask(server.url, 'select 1 as one')).toEqual({ one: 1 });
  await server.stop();
});

test('HS-8 data of another Postgres version is refused by name and left alone', async () => {
  takeMade();
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '12\n');
  await expect(startEmbeddedPostgres(folder)).rejects.toMatchObject({
    code: 'POSTGRES_VERSION',
    params: { found: '12', needed: '18' },
  });
  expect(existsSync(join(folder, 'postgres', 'base'))).toBe(true);
});

test('HS-8 a cluster that was only half made is made again', async () => {
  mkdirSync(join(folder, 'postgres.1.new', 'data'), { recursive: true });
  writeFileSync(join(folder, 'postgres.1.new', 'data', 'PG_VERSION'), '18\n');
  const server = await startEmbeddedPostgres(folder);
  expect(existsSync(join(folder, 'postgres.1.new'))).toBe(false);
  await server.stop();
});

test('OP-11 attack: a first start that died while it made its password is no obstacle to the next', async () => {
  writeFileSync(join(folder, 'postgres-password'), '');
  const server = await startEmbeddedPostgres(folder);
  expect(await ask(server.url, 'select 1 as one')).toEqual({ one: 1 });
  await server.stop();
});

test('OP-11 attack: an empty note of where the data is, as a crash leaves it, is no place', () => {
  chmodSync(folder, 0o711);
  writeFileSync(join(folder, 'postgres-place'), '');
  expect(chooseDataFolder(folder, { name: 'stranger', uid: 54_321, gid: 54_321 })).toBe(folder);
});

test('HS-8 a folder behind one that its user cannot pass is noticed', () => {
  const inner = join(folder, 'closed', 'inner');
  mkdirSync(inner, { recursive: true });
  const stranger = { name: 'stranger', uid: 54_321, gid: 54_321 };
  chmodSync(folder, 0o711);
  chmodSync(join(folder, 'closed'), 0o700);
  expect(canPass(inner, stranger)).toBe(false);
  chmodSync(join(folder, 'closed'), 0o711);
  expect(canPass(inner, stranger)).toBe(true);
});

describe('OP-11 a start after a crash', () => {
  test.each([
    'FATAL:  lock file "postmaster.pid" already exists\nHINT:  Is another postmaster (PID 42) running in data directory "x"?',
    'FATAL:  lock file "postmaster.pid" already exists\nHINT:  Is another postgres (PID 42) running in data directory "x"?',
    'FATAL:  lock file "postmaster.pid" is empty\nHINT:  Either another server is starting, or the lock file is the remnant of a previous server startup crash.',
    'FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use\nHINT:  Terminate any old server processes associated with data directory "x".',
  ])('OP-11 %j is tried again', (words) => {
    expect(blamesLeftovers(words)).toBe(true);
  });

  test.each([
    'FATAL:  could not bind IPv4 address "127.0.0.1": Address already in use',
    'PANIC:  could not locate a valid checkpoint record',
    '',
  ])('OP-11 %j is not', (words) => {
    expect(blamesLeftovers(words)).toBe(false);
  });

  test('OP-11 kill -9 of server, supervisor and Postgres at once: the next start has the data, each of four times', async () => {
    takeMade();
    let answer = 0;
    for (let round = 0; round < 4; round++) {
      const { child, url } = await spawnOwner();
      await ask(url, `create table if not exists kept (answer int)`);
      await ask(url, `insert into kept values (1)`);
      answer++;
      const main = postmaster();
      const supervisor = parentOf(main);
      // The postmaster last or first: its processes notice at different times. Stopped beforehand, none of the three
      // can end by itself because it saw another one die.
      const order = round % 2 === 0 ? [child.pid!, supervisor, main] : [main, supervisor, child.pid!];
      for (const pid of order) process.kill(pid, 'SIGSTOP');
      for (const pid of order) process.kill(pid, 'SIGKILL');
      await until(() => child.signalCode !== null);
    }
    const server = await startEmbeddedPostgres(folder);
    expect(await ask(server.url, 'select count(*)::int as count from kept')).toEqual({ count: answer });
    await server.stop();
  });

  test('OP-11 a postmaster that nobody waits for, and a pid file that is empty, are no obstacle', async () => {
    takeMade();
    // The shell that started it never reads its exit code: it stays a zombie, which Postgres takes for a living one.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const zombie = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))));
    await until(() => !isAlive(zombie));
    for (const text of [`${zombie}\n${join(folder, 'postgres')}\n0\n1\n\n\n0 0\nready\n`, '']) {
      writeFileSync(pidFile(), text);
      const server = await startEmbeddedPostgres(folder);
      expect(await ask(server.url, 'select 1 as one')).toEqual({ one: 1 });
      await server.stop();
    }
    parent.kill('SIGKILL');
  });
});
