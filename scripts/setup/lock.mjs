import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 2_000;
const STALE_MS = 30_000;
const POLL_MS = 100;

/**
 * Runs `work` while holding `file`; a second process waits. The holder touches the file while it works, so a lock
 * whose owner was killed is recognised even when its pid has been given to someone else since.
 */
export async function withLock(file, work, onWait = () => {}) {
  const token = `${process.pid} ${hostname()} ${randomUUID()}`;
  await acquire(file, token, onWait);
  const beat = setInterval(() => touch(file, token), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (read(file) === token) rmSync(file, { force: true });
  }
}

async function acquire(file, token, onWait) {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  while (!create(file, token)) {
    const holder = read(file);
    if (holder === undefined) continue;
    if (isStale(file, holder)) {
      takeOver(file, holder);
      continue;
    }
    if (!told) onWait(Number.parseInt(holder, 10));
    told = true;
    await sleep(POLL_MS);
  }
}

function create(file, token) {
  try {
    writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    // Windows says EPERM for a file that is being deleted at this moment.
    if (error.code === 'EEXIST' || error.code === 'EPERM') return false;
    throw error;
  }
}

function isStale(file, holder) {
  let age;
  try {
    age = Date.now() - statSync(file).mtimeMs;
  } catch {
    return false;
  }
  if (age > STALE_MS) return true;
  const [pid, host] = holder.split(' ');
  return host === hostname() && !isAlive(Number(pid));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two waiters may see the same stale lock: the slower one must not remove the lock the faster one has just made. */
function takeOver(file, seen) {
  const grave = `${file}.${randomUUID()}`;
  try {
    renameSync(file, grave);
  } catch {
    return;
  }
  try {
    if (readFileSync(grave, 'utf8') !== seen) linkSync(grave, file);
  } catch {
    // Someone else holds the lock by now; there is nothing to give back.
  } finally {
    unlinkSync(grave);
  }
}

function touch(file, token) {
  const now = new Date();
  try {
    if (readFileSync(file, 'utf8') === token) utimesSync(file, now, now);
  } catch {
    // Removed by hand: the work goes on, the next release finds nothing to remove.
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
