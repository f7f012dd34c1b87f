import { type ChildProcess, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailure } from '../../start-failure.ts';
import type { Binaries } from './binaries.ts';
import { isAlive } from './hold.ts';
import type { RunAs } from './place.ts';

export interface Cluster {
  /** Below it are `postgres` and `postgres.log`. */
  readonly place: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
}

export interface Running {
  readonly pid: number;
  /** Resolves when its process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 20;
/** How long the processes of a postmaster that was killed may take to notice. */
const LEFTOVER_MS = 10_000;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // What is acknowledged is on disk.
  fsync: 'on',
  synchronous_commit: 'on',
  log_min_messages: 'warning',
};

const dataOf = ({ place }: Cluster) => join(place, 'postgres');
const logOf = ({ place }: Cluster) => join(place, 'postgres.log');

/** Makes the cluster where there is none. Made beside its place and moved there, so that half of one is never started. */
export async function initialise(cluster: Cluster, password: string): Promise<void> {
  const { place, binaries, runAs } = cluster;
  const data = dataOf(cluster);
  if (existsSync(join(data, 'PG_VERSION'))) return checkVersion(cluster);
  for (const name of readdirSync(place).filter((name) => /^postgres\.\d+\.new$/.test(name))) {
    rmSync(join(place, name), { recursive: true, force: true });
  }
  const draft = join(place, `postgres.${process.pid}.new`);
  const passwordFile = join(draft, 'password');
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runAs !== undefined) for (const path of [draft, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const options = ['--username=parley', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...locale];
  await run(cluster, binaries.initdb, [`--pgdata=${join(draft, 'data')}`, ...options]);
  rmSync(passwordFile);
  renameSync(join(draft, 'data'), data);
  rmSync(draft, { recursive: true });
}

function checkVersion(cluster: Cluster): void {
  const found = readFileSync(join(dataOf(cluster), 'PG_VERSION'), 'utf8').trim();
  const needed = cluster.binaries.major;
  if (found !== needed) throw new StartFailure('POSTGRES_VERSION', { folder: dataOf(cluster), found, needed });
}

/** After `clearLeftovers`. */
export async function start(cluster: Cluster, port: number): Promise<Running> {
  const deadline = Date.now() + LEFTOVER_MS;
  for (;;) {
    const child = launch(cluster, port);
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    if (await becomesReady(cluster, child)) {
      const pid = child.pid!;
      return { pid, ended, stop: () => stop(cluster, pid) };
    }
    const words = readWords(logOf(cluster));
    // All of them: those of the leftovers may come after.
    const isLeftover = /pre-existing shared memory|is another postmaster/.test(words);
    if (!isLeftover || Date.now() > deadline) {
      throw new StartFailure('POSTGRES_FAILED', { reason: words.slice(-1_000), log: logOf(cluster) });
    }
    await sleep(10 * POLL_MS);
  }
}

/**
 * In a session of its own, or a Ctrl-C at the terminal would stop it while requests are still being finished; with its
 * log in a file, or it would lose its voice when we are killed.
 */
function launch(cluster: Cluster, port: number): ChildProcess {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  writeFileSync(logOf(cluster), '', { mode: 0o600 });
  // Appending: what is left of a killed one writes on, and would leave a hole of zeros before its words.
  const log = openSync(logOf(cluster), 'a', 0o600);
  const child = spawn(cluster.binaries.postgres, ['-D', dataOf(cluster), '-p', String(port), ...settings], {
    ...identity(cluster),
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  // Never lets the process wait for it, nor throw: readiness is read from its own file.
  child.on('error', () => {});
  child.unref();
  return child;
}

async function becomesReady(cluster: Cluster, child: ChildProcess): Promise<boolean> {
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const lines = readPidFile(cluster);
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** A postmaster that outlived its server is stopped; its pid file is believed only if that process is a Postgres of ours. */
export async function clearLeftovers(cluster: Cluster): Promise<void> {
  const pid = Number(readPidFile(cluster)[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return;
  if (isPostmaster(pid, dataOf(cluster))) return stop(cluster, pid);
  // The number belongs to someone else by now. Removing the file is safe only if no Postgres works on this data.
  const deadline = Date.now() + LEFTOVER_MS;
  while (hasWorkers(dataOf(cluster)) && Date.now() < deadline) await sleep(POLL_MS);
  if (!hasWorkers(dataOf(cluster))) rmSync(join(dataOf(cluster), 'postmaster.pid'), { force: true });
}

async function stop(cluster: Cluster, pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  const how = (mode: string) => ['stop', '-D', dataOf(cluster), '-m', mode, '-t', '10', '-s'];
  try {
    await run(cluster, cluster.binaries.pgCtl, how('fast'));
  } catch {
    // It recovers at the next start.
    await run(cluster, cluster.binaries.pgCtl, how('immediate'));
  }
}

function isPostmaster(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
  } catch {
    // No /proc on this system: the pid file is all there is.
    return !existsSync('/proc/self');
  }
}

/** Every process of a Postgres has its data as working folder. */
function hasWorkers(data: string): boolean {
  if (!existsSync('/proc/self')) return false;
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === data;
    } catch {
      return false;
    }
  });
}

function readPidFile(cluster: Cluster): string[] {
  try {
    return readFileSync(join(dataOf(cluster), 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

async function run(cluster: Cluster, program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { ...identity(cluster), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  if (code !== 0) throw new StartFailure('POSTGRES_FAILED', { reason: output.trim().slice(-1_000), log: program });
}

/** Whose process it is. Nothing of our environment reaches it but what it needs to speak English and find itself. */
function identity({ runAs, place }: Cluster) {
  const { PATH = '', SystemRoot } = process.env;
  return {
    ...(runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
    cwd: place,
    env: { PATH, LC_ALL: 'C', TZ: 'UTC', ...(SystemRoot ? { SystemRoot } : {}) },
    windowsHide: true,
  };
}

function readWords(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
