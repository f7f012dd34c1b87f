import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { BundleError } from '../failure.ts';
import { Directory } from './directory.ts';
import { codeOf, type FileSystem, unless } from './file-system.ts';
import { HOME, LOCKS } from './layout.ts';
import { findStart, HOST } from './process-identity.ts';

const NAME = /^([0-9a-f]{8})\.(\d{1,10})\.([0-9a-z]{1,16})\.[0-9a-f]{16}$/;
/** Together about three seconds, which is longer than most changes take. */
const ATTEMPTS = 25;
const MAX_WAIT_MS = 240;
/** No change takes this long; a lock of another machine cannot be asked about. */
const FOREIGN_LIMIT_MS = 60 * 60 * 1000;
const TO_CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Runs alone in a workspace. Everyone first puts up a file named after itself and then looks for others; whoever sees a
 * living one steps back. Of two at once at most one goes on, and removing what a dead process left is never a race,
 * because no two files ever have the same name.
 */
export async function withLock<Result>(files: FileSystem, root: string, run: () => Promise<Result>): Promise<Result> {
  const mine = `${HOST}.${process.pid}.${(await findStart(process.pid)) ?? 'unknown'}.${randomBytes(8).toString('hex')}`;
  await acquire(files, root, mine);
  try {
    return await run();
  } finally {
    await release(files, root, mine);
  }
}

async function acquire(files: FileSystem, root: string, mine: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (await tryAcquire(files, root, mine)) return;
    if (attempt === ATTEMPTS) {
      await release(files, root, mine);
      throw new BundleError('WORKSPACE_BUSY', { retry: true });
    }
    // By chance, so that two that met do not meet again.
    await wait(Math.min(20 * attempt, MAX_WAIT_MS) * Math.random());
  }
}

async function tryAcquire(files: FileSystem, root: string, mine: string): Promise<boolean> {
  const open: Directory[] = [];
  try {
    const locks = await openLocks(files, root, open);
    if (locks === undefined) return false;
    const place = await locks.at(mine);
    const handle = await unless(['ENOENT'], async () => await files.open(place, TO_CREATE, 0o644));
    // The one before us has just tidied up the directory.
    if (handle === undefined) return false;
    await handle.close();
    for (const name of await locks.list()) {
      if (name === mine || !NAME.test(name)) continue;
      if (await isHeld(files, locks, name)) {
        await files.unlink(place);
        return false;
      }
      await unless(['ENOENT'], async () => await files.unlink(await locks.at(name)));
    }
    return true;
  } finally {
    await Promise.all(open.map((directory) => directory.close()));
  }
}

async function openLocks(files: FileSystem, root: string, open: Directory[]): Promise<Directory | undefined> {
  let directory: Directory | undefined = await Directory.openRoot(files, root);
  open.push(directory);
  for (const name of [HOME, LOCKS.slice(HOME.length + 1)]) {
    const place = await directory.at(name);
    await unless(['EEXIST', 'ENOENT'], () => files.mkdir(place));
    directory = await directory.open(name);
    if (directory === undefined) return undefined;
    open.push(directory);
  }
  return directory;
}

async function isHeld(files: FileSystem, locks: Directory, name: string): Promise<boolean> {
  const [, host, pid, start] = NAME.exec(name)!;
  if (host !== HOST) {
    const stats = await unless(['ENOENT'], async () => await files.lstat(await locks.at(name)));
    // Nor may one that says it is of the future hold for ever.
    return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < FOREIGN_LIMIT_MS;
  }
  const now = await findStart(Number(pid));
  return now !== undefined && (now === start || now === 'unknown' || start === 'unknown');
}

async function release(files: FileSystem, root: string, mine: string): Promise<void> {
  const open: Directory[] = [];
  try {
    const top = await Directory.openRoot(files, root);
    open.push(top);
    const home = await top.open(HOME);
    if (home === undefined) return;
    open.push(home);
    const locks = await home.open(LOCKS.slice(HOME.length + 1));
    if (locks === undefined) return;
    open.push(locks);
    const [own, folder, last] = [await locks.at(mine), await home.at('locks'), await top.at(HOME)];
    await unless(['ENOENT'], () => files.unlink(own));
    await removeIfEmpty(files, folder);
    await removeIfEmpty(files, last);
  } finally {
    await Promise.all(open.map((directory) => directory.close()));
  }
}

async function removeIfEmpty(files: FileSystem, place: string): Promise<void> {
  try {
    await files.rmdir(place);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}
