import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { acquireLock, openLockFolder, type ProcessLock } from '@parley/base/node';
import { messengerError } from '../errors.ts';
import { createBatchedStore } from './batched-store.ts';
import { checkMode, isOutOfSpace, syncFolder } from './disk.ts';
import { openFileStorage } from './file-storage.ts';
import type { Store } from './store.ts';
import type { WriteBytes } from './write-bytes.ts';

/** A replaced value may be a ratchet whose keys were wiped (EE-4): it must not stay on disk for long. */
const MAX_AGE_MS = 15 * 60_000;
const SILENCE_MS = 10_000;

export interface FileStoreOptions {
  /** How long a holder on another host, or in another container, may be silent before it counts as dead. */
  readonly silenceMs?: number | undefined;
  /** How long replaced or deleted values may stay on disk while others are written; closing removes them, too. */
  readonly maxAgeMs?: number | undefined;
}

/**
 * Opens a folder (0700) whose files (0600) hold everything; in memory is only what was written last. One process at a
 * time holds it (EE-7); the lock of a dead process is taken over. Throws `STORE_…` errors.
 */
export function openFileStore(path: string, options: FileStoreOptions = {}): Promise<Store> {
  return openStoreFolder(path, options);
}

/** Does the same; tests replace `writeBytes`, to fill the disk. */
export async function openStoreFolder(
  path: string,
  options: FileStoreOptions & { readonly writeBytes?: WriteBytes },
): Promise<Store> {
  const { silenceMs = SILENCE_MS, maxAgeMs = MAX_AGE_MS, writeBytes } = options;
  const location = resolve(path);
  openFolder(location);
  const lock = await takeFolder(location, silenceMs);
  try {
    const storage = await openFileStorage(location, { lock, maxAgeMs, writeBytes });
    return createBatchedStore({
      ...storage,
      release: async () => {
        try {
          await storage.release();
        } finally {
          await lock.release();
        }
      },
    });
  } catch (error) {
    await lock.release();
    throw isOutOfSpace(error) ? messengerError('STORE_FULL', { params: { location }, cause: error }) : error;
  }
}

async function takeFolder(location: string, silenceMs: number): Promise<ProcessLock> {
  const taken = await acquireLock(await openLockFolder(location), { name: 'lock', silenceMs });
  if ('lock' in taken) return taken.lock;
  const { pid, host } = taken.holder;
  throw messengerError('STORE_HELD', { params: { location, pid, host } });
}

function openFolder(location: string): void {
  mkdirSync(dirname(location), { recursive: true });
  try {
    mkdirSync(location, { mode: 0o700 });
    syncFolder(dirname(location));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stats = statSync(location);
  if (!stats.isDirectory()) throw messengerError('STORE_NOT_OURS', { params: { location } });
  checkMode(stats, location, '700');
}
