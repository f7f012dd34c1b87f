import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process that no other process is ever mistaken for, not even one that was given its number later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The machine and the set of processes that can see each other on it: two containers may share a host name. */
  readonly host: string;
  /** When the process began; empty where the system does not tell. */
  readonly start: string;
}

/** Processes of any other host cannot be seen from here, so their numbers say nothing. */
export const HOST = findHost();

export function identifyThisProcess(): ProcessIdentity {
  return { pid: process.pid, host: HOST, start: findStart(process.pid) ?? '' };
}

/** Does this process of our own host still run? */
export function isSameProcessAlive({ pid, start }: ProcessIdentity): boolean {
  const now = findStart(pid);
  return now !== undefined && (now === start || now === '' || start === '');
}

/** Does any process with this number run? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs and belongs to someone else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // A process that has ended stays a zombie until its parent asks for its exit code, which some parents never do.
  return !['Z', 'X'].includes(readStat(pid)[0] ?? '');
}

/** Undefined if there is no such process. */
function findStart(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') {
    const ticks = readStat(pid)[19];
    // The ticks count from the boot, so they mean something only together with it.
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

function findHost(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has them.
  }
  return digest(`${hostname()} ${namespace} ${read('/etc/machine-id')}`);
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
