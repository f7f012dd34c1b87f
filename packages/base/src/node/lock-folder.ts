import { fstatSync, readdirSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { HOST } from './process-identity.ts';
import { type Claim, isDead, type LockFile, type LockFolder, type LockHolder, readClaims } from './process-lock.ts';

/** An ordinary folder, which is made if it is missing. */
export async function openLockFolder(path: string): Promise<LockFolder> {
  await mkdir(path, { recursive: true });
  return {
    list: () => readdir(path),
    create: async (name, text) => {
      const file = join(path, name);
      return createLockFile(await open(file, 'wx', 0o600), text, () => rm(file, { force: true }));
    },
    look: async (name) => {
      // By opening it: a network file system answers `stat` from memory.
      const handle = await open(join(path, name), 'r').catch(undefinedIfMissing);
      if (handle === undefined) return undefined;
      try {
        return { text: await handle.readFile('utf8'), beat: (await handle.stat()).mtimeMs };
      } finally {
        await handle.close();
      }
    },
    remove: (name) => rm(join(path, name), { force: true }),
  };
}

/** What cannot be read for another reason is not gone. */
function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** A claim in a file that was just made. It is asked through the open file, which works even if its folder is moved. */
export async function createLockFile(handle: FileHandle, text: string, unlink: () => Promise<void>): Promise<LockFile> {
  const remove = async () => {
    await handle.close().catch(() => {});
    await unlink();
  };
  try {
    await handle.writeFile(Buffer.from(text));
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    beat: async () => {
      const now = new Date();
      await handle.utimes(now, now);
    },
    isThere: () => fstatSync(handle.fd).nlink > 0,
    remove,
  };
}

/** A process of another host counts as alive if it gave a sign of life within this time. */
const YOUNG_MS = 30_000;

/** The living process that holds a lock, for whoever only wants to know. */
export function findLockHolder(path: string, lock: string): LockHolder | undefined {
  const holder = listClaims(path, lock).find(({ isHeld, ...claim }) => isHeld && !isGone(path, { isHeld, ...claim }));
  return (
    holder && { pid: holder.identity.pid, host: holder.identity.host === HOST ? hostname() : holder.identity.host }
  );
}

function isGone(path: string, claim: Claim): boolean {
  return isDead(claim) || (claim.identity.host !== HOST && !wasSeen(path, claim, YOUNG_MS));
}

/** Did a process of this machine hold the lock, which ended without releasing it and was last seen `idleMs` ago? */
export function isLockAbandoned(path: string, lock: string, idleMs: number): boolean {
  const claims = listClaims(path, lock);
  return claims.length > 0 && claims.every((claim) => isDead(claim) && !wasSeen(path, claim, idleMs));
}

const listClaims = (path: string, lock: string): Claim[] => readClaims(lock, listNames(path));

function listNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function wasSeen(path: string, { name }: Claim, ms: number): boolean {
  const stats = statSync(join(path, name), { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < ms;
}
