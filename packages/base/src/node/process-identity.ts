import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process even after another one was given its number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The machine and its PID namespace: two containers may share a host name. */
  readonly host: string;
  /** When the process began; empty if the system does not say. */
  readonly start: string;
}

/** The processes of other hosts cannot be seen from here, so their numbers mean nothing. */
export const HOST = findHost();

export function identifyThisProcess(): ProcessIdentity {
  return { pid: process.pid, host: HOST, start: findStart(process.pid) ?? '' };
}

/** Is this process of our own host still running? */
export function isSameProcessAlive({ pid, start }: ProcessIdentity): boolean {
  const now = findStart(pid);
  return now !== undefined && (now === start || now === '' || start === '');
}

/** Is any process with this number running? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs and belongs to another user. No code: we may not look, so it has to count as running.
    if (!['EPERM', undefined].includes((error as NodeJS.ErrnoException).code)) return false;
  }
  // A process that has ended stays a zombie until its parent reads its exit code, which some parents never do.
  return !['Z', 'X'].includes(readStat(pid)[0] ?? '');
}

/** Returns undefined if there is no such process. */
function findStart(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') {
    const ticks = readStat(pid)[19];
    // The ticks count from the boot, so they are only unique together with the boot id.
    return ticks === undefined ? '' : digest(`${read('/proc/sys/kernel/random/boot_id')} ${ticks}`);
  }
  try {
    const words = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 });
    return digest(words.trim());
  } catch {
    return '';
  }
}

/** The fields of /proc/<pid>/stat from the third on; the second, in brackets, may hold spaces and brackets. */
function readStat(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * A process that may not look at others, such as one of Deno without the permission, is like a host of its own: it knows
 * them, and they know it, by their heartbeats.
 */
export function findHost(): string {
  const namespace = findNamespace();
  const isAlone = namespace === undefined || !maySeeProcesses();
  return digest(isAlone ? randomUUID() : `${hostname()} ${namespace} ${read('/etc/machine-id')}`);
}

/** Only Linux has namespaces; without its name, the number of a process could mean one in another container. */
function findNamespace(): string | undefined {
  if (process.platform !== 'linux') return '';
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

function maySeeProcesses(): boolean {
  try {
    return process.kill(process.ppid, 0);
  } catch (error) {
    // The system's own answers have a code.
    return typeof (error as NodeJS.ErrnoException).code === 'string';
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
