import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { sha256 } from '../sha256.ts';

const run = promisify(execFile);

/** Of which machine a process is: another one's process ids say nothing here. */
export const HOST = sha256(hostname()).slice(0, 8);

/**
 * When a process began, in a form that two processes with one id never share; undefined if it is gone. Without it a
 * lock would be held for ever by whoever inherits the id.
 */
export async function findStart(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined;
  try {
    return process.platform === 'linux' ? await readLinuxStart(pid) : await askStart(pid);
  } catch {
    return isRunning(pid) ? 'unknown' : undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and someone else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Ticks since the boot, and which boot: after the next one the same ticks come again. */
async function readLinuxStart(pid: number): Promise<string | undefined> {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
  ]);
  // The name of the program may contain spaces and brackets; the fields after it do not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie does nothing any more; its parent has not asked yet.
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return sha256(`${boot.trim()} ${fields[19]}`).slice(0, 16);
}

async function askStart(pid: number): Promise<string> {
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: 5_000 });
  return sha256(stdout.trim()).slice(0, 16);
}
