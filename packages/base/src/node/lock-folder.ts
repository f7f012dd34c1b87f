import { fstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  type Claim,
  isDead,
  isForeign,
  type LockFile,
  type LockFolder,
  type LockHolder,
  readClaims,
} from './process-lock.ts';

/** Opens an ordinary folder as a lock folder, and creates it if it is missing. */
export async function openLockFolder(path: string): Promise<LockFolder> {
  await mkdir(path, { recursive: true });
  return {
    list: () => readdir(path),
    create: async (name, text) => {
      const file = join(path, name);
      return createLockFile(await open(file, 'wx', 0o600), text, () => rm(file, { force: true }));
    },
    read: async (name) => {
      // The file is opened because a network file system may answer `stat` from its cache.
      const handle = await open(join(path, name), 'r').catch(undefinedIfMissing);
      if (handle === undefined) return undefined;
      try {
        return { text: await handle.readFile('utf8'), heartbeat: (await handle.stat()).mtimeMs };
      } finally {
        await handle.close();
      }
    },
    remove: (name) => rm(join(path, name), { force: true }),
  };
}

/** A file that cannot be read for another reason still exists. */
function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** The part of Node's `FileHandle` that is used here: public types name nothing of Node (PK-2). */
interface OpenFile {
  readonly fd: number;
  writeFile(bytes: Uint8Array): Promise<void>;
  utimes(accessed: Date, modified: Date): Promise<void>;
  close(): Promise<void>;
}

/** A claim in a file that was just created. All calls use the open file, which works even if its folder is moved. */
export async function createLockFile(handle: OpenFile, text: string, unlink: () => Promise<void>): Promise<LockFile> {
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
    heartbeat: async () => {
      const now = new Date();
      await handle.utimes(now, now);
    },
    exists: () => fstatSync(handle.fd).nlink > 0,
    remove,
  };
}

/** A process of another host counts as alive if its last heartbeat is younger than this. */
const YOUNG_MS = 30_000;

/** Finds the living process that holds a lock, without taking the lock. */
export function findLockHolder(path: string, lock: string): LockHolder | undefined {
  const isGone = (claim: Claim) => (isForeign(claim) ? !wasSeen(path, claim, YOUNG_MS) : isDead(claim));
  const claim = listClaims(path, lock).find((one) => one.isHeld && !isGone(one));
  if (claim === undefined) return undefined;
  const host = isForeign(claim) ? readFileSync(join(path, claim.name), 'utf8') : hostname();
  return { pid: claim.identity.pid, isHere: !isForeign(claim), host };
}

/** Did a process of this machine end without releasing the lock, and is its last heartbeat at least `idleMs` old? */
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
  // Our clock has whole milliseconds, so the fraction of the file's time is dropped.
  return stats !== undefined && Date.now() - Math.floor(stats.mtimeMs) < ms;
}
