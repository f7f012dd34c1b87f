import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFailure } from './failure.ts';

/** That a folder is ours, until we let go of it or the process ends. */
export interface Hold {
  /** False once another process has taken the folder over, which it does if this one looked dead. */
  isOurs(): boolean;
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** The machine and the processes that can see each other on it: two containers may share a name. */
  readonly host: string;
  /** When the process began, as the kernel counts: a pid alone may have been given to someone else since. */
  readonly began: string;
  readonly free?: true;
}

const BEAT_MS = 2_000;
const LOOK_MS = 100;
const NAME = /^lock\.(\d{1,15})$/;

/**
 * The holder is whoever made the `lock.<n>` with the highest n. A dead or free one is succeeded by making n + 1, which
 * only one can, and is never removed before that: so nobody ever removes the file of someone alive, and numbers do not
 * come again.
 *
 * On another host (a container before this one) only its heartbeat tells whether the holder lives. It is watched for
 * `silenceMs`, by our own clock: two hosts need not agree on the time.
 */
export async function holdFolder(folder: string, silenceMs: number): Promise<Hold> {
  const own: Holder = { pid: process.pid, host: hostOf(), began: beganAt(process.pid) };
  for (;;) {
    const last = findLast(folder);
    const holder = last === 0 ? undefined : readHolder(lockOf(folder, last));
    if (holder !== undefined && (await isHolding(holder, lockOf(folder, last), silenceMs))) {
      throw new StoreFailure('STORE_HELD', { place: folder, pid: holder.pid, host: holder.host.split('/')[0]! });
    }
    const file = lockOf(folder, last + 1);
    if (!create(file, own)) continue;
    if (findLast(folder) === last + 1) return keep(folder, last + 1);
    rmSync(file, { force: true });
  }
}

function keep(folder: string, number: number): Hold {
  for (const older of listNumbers(folder)) {
    if (older < number) rmSync(lockOf(folder, older), { force: true });
  }
  const file = lockOf(folder, number);
  const descriptor = openSync(file, 'r');
  const isOurs = () => fstatSync(descriptor).nlink > 0;
  const beat = setInterval(() => {
    const now = new Date();
    if (isOurs()) utimesSync(file, now, now);
  }, BEAT_MS).unref();
  return {
    isOurs,
    release() {
      clearInterval(beat);
      const ours = isOurs();
      closeSync(descriptor);
      if (ours) renameSync(writeDraft(file, { pid: process.pid, host: '', began: '', free: true }), file);
    },
  };
}

const lockOf = (folder: string, number: number) => join(folder, `lock.${number}`);

function listNumbers(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const digits = NAME.exec(name)?.[1];
    return digits === undefined ? [] : Number(digits);
  });
}

function findLast(folder: string): number {
  return Math.max(0, ...listNumbers(folder));
}

/** Undefined if nobody holds it, or nothing can be read. */
function readHolder(file: string): Holder | undefined {
  try {
    const holder: Holder = JSON.parse(readFileSync(file, 'utf8'));
    return holder.free ? undefined : holder;
  } catch {
    return undefined;
  }
}

async function isHolding({ pid, host, began }: Holder, file: string, silenceMs: number): Promise<boolean> {
  if (host === hostOf()) return isAlive(pid) && beganAt(pid) === began;
  const first = beatOf(file);
  for (const end = Date.now() + silenceMs; Date.now() < end; ) {
    await sleep(LOOK_MS);
    if (beatOf(file) !== first) return readHolder(file) !== undefined;
  }
  return false;
}

/** By opening it: a network file system answers `stat` from memory. */
function beatOf(file: string): number | undefined {
  try {
    const descriptor = openSync(file, 'r');
    const { mtimeMs } = fstatSync(descriptor);
    closeSync(descriptor);
    return mtimeMs;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // One that has ended may wait for ever to be asked how, in a container whose first process asks nobody.
  return statOf(pid)[0] !== 'Z';
}

function hostOf(): string {
  try {
    return `${hostname()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Empty where the system does not tell. */
function beganAt(pid: number): string {
  return statOf(pid)[19] ?? '';
}

/** The fields of /proc/<pid>/stat from the third on; the second, in brackets, may hold spaces and brackets. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Whole or not at all: a half-written file would look like nobody's. False if the file exists. */
function create(file: string, holder: Holder): boolean {
  const draft = writeDraft(file, holder);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(file: string, holder: Holder): string {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  return draft;
}
