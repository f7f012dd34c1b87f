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
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@parley/base/node';
import { serverError } from '../../errors.ts';
import type { Binaries } from './binaries.ts';
import type { RunAs } from './data-folder.ts';
import type { Supervised, SupervisorReport } from './supervisor.ts';

export interface Cluster {
  /** The folder that the user named; its data may be elsewhere. */
  readonly folder: string;
  /** It contains `postgres` and `postgres.log`. */
  readonly dataFolder: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
}

export interface Running {
  /** Resolves when its process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Stops it fast, then immediately. */
  stop(): Promise<void>;
}

/** The built program, even when tests run the source. Each package that this module can lie in says where it is. */
const findSupervisor = () => createRequire(import.meta.url).resolve('#supervisor');
const POLL_MS = 20;
/** How long the processes of a postmaster that was killed may take to notice. */
const LEFTOVER_MS = 10_000;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // An acknowledged write is on disk; `fsync` is on by default.
  synchronous_commit: 'on',
  // Nobody reads while it recovers: it would say that it is ready before anything can be written.
  hot_standby: 'off',
  log_min_messages: 'warning',
};

const dataOf = ({ dataFolder }: Cluster) => join(dataFolder, 'postgres');
const logOf = ({ dataFolder }: Cluster) => join(dataFolder, 'postgres.log');
const versionOf = (cluster: Cluster) => join(dataOf(cluster), 'PG_VERSION');

/** Is there still data to restart with? */
export function hasData(cluster: Cluster): boolean {
  return existsSync(cluster.folder) && existsSync(versionOf(cluster));
}

/**
 * Creates the cluster if there is none. It is created in a draft folder and moved, so that an incomplete one is never
 * started.
 */
export async function initialise(cluster: Cluster, password: string, signal?: AbortSignal): Promise<void> {
  const { dataFolder, binaries, runAs } = cluster;
  const data = dataOf(cluster);
  if (existsSync(versionOf(cluster))) return checkVersion(cluster);
  for (const name of readdirSync(dataFolder).filter((name) => /^postgres\.\d+\.new$/.test(name))) {
    rmSync(join(dataFolder, name), { recursive: true, force: true });
  }
  const draft = join(dataFolder, `postgres.${process.pid}.new`);
  const passwordFile = join(draft, 'password');
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runAs !== undefined) for (const path of [draft, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const options = ['--username=parley', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...locale];
  await run(cluster, binaries.initdb, [`--pgdata=${join(draft, 'data')}`, ...options], signal);
  rmSync(passwordFile);
  renameSync(join(draft, 'data'), data);
  rmSync(draft, { recursive: true });
}

function checkVersion(cluster: Cluster): void {
  const found = readFileSync(versionOf(cluster), 'utf8').trim();
  const needed = cluster.binaries.major;
  if (found !== needed) throw serverError('POSTGRES_VERSION', { params: { folder: dataOf(cluster), found, needed } });
}

/**
 * Call `clearLeftovers` first. Tries again as long as something of a Postgres that was killed is in the way (OP-11), and
 * waits for one that recovers for as long as it takes. The signal stops it, and rejects with its reason.
 */
export async function start(cluster: Cluster, port: number, signal?: AbortSignal): Promise<Running> {
  const deadline = performance.now() + LEFTOVER_MS;
  for (;;) {
    const child = launch(cluster, port);
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    const stop = () => {
      // Without this, a command with nothing else to do would end while it waits.
      child.ref();
      if (child.connected) child.disconnect();
      return ended;
    };
    if (await becomesReady(cluster, child, signal)) return { ended, stop };
    if (signal?.aborted) {
      if (child.pid !== undefined) await stop();
      throw signal.reason;
    }
    // The whole log is searched: processes that are left over may write later.
    const words = readFileOrEmpty(logOf(cluster));
    if (!(hasLeftovers(dataOf(cluster)) || blamesLeftovers(words)) || performance.now() > deadline) {
      throw serverError('POSTGRES_FAILED', { params: { reason: words.slice(-1_000), log: logOf(cluster) } });
    }
    await sleep(10 * POLL_MS);
    await clearLeftovers(cluster);
  }
}

/**
 * Does Postgres say that another one, which was killed, is in its way? Where the system shows its processes this need not
 * be asked.
 */
export function blamesLeftovers(words: string): boolean {
  return /pre-existing shared memory|another (?:postmaster|postgres|server)|lock file .*(?:already exists|is empty)/i.test(
    words,
  );
}

/**
 * Starts Postgres under a supervisor, which stops it when we are gone. It has a session of its own, because a Ctrl-C at
 * the terminal would stop it while requests are being finished, and its log is a file, because it could not log after
 * we are killed.
 */
function launch(cluster: Cluster, port: number): ChildProcess {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  writeFileSync(logOf(cluster), '', { mode: 0o600 });
  // The log is opened for appending: the rest of a killed Postgres still writes to it, and would leave a hole of zeros.
  const log = openSync(logOf(cluster), 'a', 0o600);
  const { uid, gid, cwd, env, windowsHide } = identity(cluster);
  const supervised: Supervised = {
    program: cluster.binaries.postgres,
    args: ['-D', dataOf(cluster), '-p', String(port), ...settings],
    cwd,
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
    paths: [cluster.folder, versionOf(cluster)],
    log: logOf(cluster),
  };
  const child = spawn(process.execPath, [findSupervisor(), JSON.stringify(supervised)], {
    cwd,
    env,
    windowsHide,
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  // The child neither keeps this process alive nor throws: readiness is read from Postgres's own file.
  child.on('error', () => {});
  child.unref();
  child.channel?.unref();
  return child;
}

async function becomesReady(cluster: Cluster, child: ChildProcess, signal: AbortSignal | undefined): Promise<boolean> {
  let postmaster: number | undefined;
  child.once('message', ({ pid }: SupervisorReport) => {
    postmaster = pid;
  });
  while (!signal?.aborted && child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const lines = readPidFile(dataOf(cluster));
    if (lines[0] === String(postmaster) && lines[7]?.trim() === 'ready') return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** Stops a postmaster that outlived its server; its pid file is trusted only if that process is a Postgres of ours. */
export async function clearLeftovers(cluster: Cluster): Promise<void> {
  const data = dataOf(cluster);
  if (findPostmaster(data)) return stop(cluster);
  // Processes whose postmaster was killed notice it soon.
  for (const deadline = performance.now() + LEFTOVER_MS; hasWorkers(data); await sleep(POLL_MS)) {
    if (performance.now() > deadline) return;
  }
  const pid = readPid(data);
  // Postgres itself removes the file of a process that is gone, after it has looked for shared memory in use.
  if (pid === undefined || isNumberTaken(pid)) rmSync(pidFileOf(data), { force: true });
}

/**
 * To Postgres a number that is in use is a living postmaster: one that another process has by now, or a zombie that
 * nobody waits for.
 */
function isNumberTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Is a process left of a Postgres that worked on this data? */
function hasLeftovers(data: string): boolean {
  return findPostmaster(data) !== undefined || hasWorkers(data);
}

/** After an `immediate` stop, Postgres recovers at the next start. */
async function stop(cluster: Cluster): Promise<void> {
  const data = dataOf(cluster);
  let failure: unknown;
  for (const mode of ['fast', 'immediate']) {
    if (!findPostmaster(data)) return;
    try {
      return await run(cluster, cluster.binaries.pgCtl, ['stop', '-D', data, '-m', mode, '-t', '10', '-s']);
    } catch (error) {
      failure = error;
    }
  }
  // The stop also fails if there is nothing left to stop: the supervisor may have been faster.
  for (const deadline = performance.now() + LEFTOVER_MS; findPostmaster(data); await sleep(POLL_MS)) {
    if (performance.now() > deadline) throw failure;
  }
}

/**
 * Finds the living postmaster that the pid file of this data names. It is proven if its command line names this data;
 * where the system does not show command lines, there is only the pid file.
 */
export function findPostmaster(data: string): { readonly pid: number; readonly isProven: boolean } | undefined {
  const pid = readPid(data);
  if (pid === undefined || !isAlive(pid)) return undefined;
  if (!existsSync('/proc/self')) return { pid, isProven: false };
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.includes(data) ? { pid, isProven: true } : undefined;
  } catch {
    return undefined;
  }
}

function readPid(data: string): number | undefined {
  const pid = Number(readPidFile(data)[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** Every process of a Postgres has its data as working folder. */
function hasWorkers(data: string): boolean {
  if (!existsSync('/proc/self') || !existsSync(data)) return false;
  const folder = realpathSync(data);
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

const pidFileOf = (data: string) => join(data, 'postmaster.pid');

function readPidFile(data: string): string[] {
  try {
    return readFileSync(pidFileOf(data), 'utf8').split('\n');
  } catch {
    return [];
  }
}

async function run(cluster: Cluster, program: string, args: readonly string[], signal?: AbortSignal): Promise<void> {
  const child = spawn(program, args, {
    ...identity(cluster),
    ...(signal && { signal }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      // One that was told to stop is waited for.
      if (child.pid === undefined) resolve(null);
    });
    child.on('close', resolve);
  });
  signal?.throwIfAborted();
  if (code !== 0)
    throw serverError('POSTGRES_FAILED', { params: { reason: output.trim().slice(-1_000), log: program } });
}

/** Returns the user and environment of its processes: only what they need to log in English and to find their files. */
function identity({ runAs, dataFolder }: Cluster) {
  const { PATH = '', SystemRoot } = process.env;
  return {
    ...(runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
    cwd: dataFolder,
    env: { PATH, LC_ALL: 'C', TZ: 'UTC', ...(SystemRoot ? { SystemRoot } : {}) },
    windowsHide: true,
  };
}

function readFileOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
