import { constants } from 'node:fs';
import { acquireLock, createLockFile, type LockFolder } from '@parley/base/node';
import { bundleError } from '../bundle-error.ts';
import { Directory } from './directory.ts';
import { codeOf, type FileSystem, unless } from './file-system.ts';
import { LOCKS } from './layout.ts';

/** Most changes take less time. */
const WAIT_MS = 3_000;
/** A process on another machine counts as dead after this time. */
const SILENCE_MS = 10_000;
const TO_CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** Without these flags, opening a pipe in the place of a claim would block. */
const TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** The folders from the workspace down to the locks. */
const WAY = LOCKS.split('/');

/** Runs alone in a workspace, and leaves nothing of the lock behind. */
export async function withLock<Result>(
  files: FileSystem,
  root: string,
  run: () => Promise<Result>,
  silenceMs = SILENCE_MS,
): Promise<Result> {
  const outcome = await acquireLock(openLocks(files, root), { name: 'workspace', waitMs: WAIT_MS, silenceMs });
  try {
    if (!('lock' in outcome)) throw bundleError('WORKSPACE_BUSY');
    return await run();
  } finally {
    if ('lock' in outcome) await outcome.lock.release();
    await removeIfEmpty(files, root);
  }
}

/** Each step opens the folder again: the process that releases the lock removes the folder with its last file. */
function openLocks(files: FileSystem, root: string): LockFolder {
  const remove = async (name: string) => {
    await walkToLocks({ files, root }, async ([locks]) => {
      await unless(['ENOENT'], async () => await files.unlink(await locks!.at(name)));
    });
  };
  return {
    list: async () => (await walkToLocks({ files, root }, ([locks]) => listFiles(files, locks!))) ?? [],
    create: (name, text) =>
      walkToLocks({ files, root, make: true }, async ([locks]) => {
        const handle = await unless(['ENOENT'], async () => await files.open(await locks!.at(name), TO_CREATE, 0o644));
        return handle && (await createLockFile(handle, text, () => remove(name)));
      }),
    read: (name) =>
      walkToLocks({ files, root }, async ([locks]) => {
        const handle = await unless(['ENOENT'], async () => await files.open(await locks!.at(name), TO_READ));
        if (handle === undefined) return undefined;
        try {
          // The holder's name is not shown: a stranger may have written it, at any length.
          return { text: '', heartbeat: (await handle.stat()).mtimeMs };
        } finally {
          await handle.close();
        }
      }),
    remove,
  };
}

/** Links, pipes and folders are not claims, whatever their names: a workspace may come from a stranger. */
async function listFiles(files: FileSystem, locks: Directory): Promise<string[]> {
  const names: string[] = [];
  for (const name of await locks.list()) {
    const stats = await unless(['ENOENT'], async () => await files.lstat(await locks.at(name)));
    if (stats?.isFile()) names.push(name);
  }
  return names;
}

interface Walk {
  readonly files: FileSystem;
  readonly root: string;
  /** Creates the folders that are missing. */
  readonly make?: boolean;
}

/**
 * Runs with the folder of the locks and those above it, innermost first. Returns undefined if one of them is missing.
 */
async function walkToLocks<Result>(
  { files, root, make = false }: Walk,
  run: (folders: readonly Directory[]) => Promise<Result>,
): Promise<Result | undefined> {
  const folders = [await Directory.openRoot(files, root)];
  try {
    for (const name of WAY) {
      if (make) await unless(['EEXIST', 'ENOENT'], async () => await files.mkdir(await folders[0]!.at(name)));
      const next = await folders[0]!.open(name);
      if (next === undefined) return undefined;
      folders.unshift(next);
    }
    return await run(folders);
  } finally {
    await Promise.all(folders.map((folder) => folder.close()));
  }
}

async function removeIfEmpty(files: FileSystem, root: string): Promise<void> {
  await walkToLocks({ files, root }, async ([, ...above]) => {
    for (const [index, name] of WAY.toReversed().entries()) await removeFolder(files, await above[index]!.at(name));
  });
}

async function removeFolder(files: FileSystem, place: string): Promise<void> {
  try {
    await files.rmdir(place);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}
