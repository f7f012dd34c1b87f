import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { acquireLock, openLockFolder, type ProcessLock } from '@parley/base/node';
import { messengerError } from '../errors.ts';
import { apply, createBatchedStore } from './batched-store.ts';
import { encodeFrame, MAGIC, readLog } from './log-frames.ts';
import type { Store, StoreChanges } from './store.ts';

const syncData = promisify(fdatasync);
/** A log smaller than this is not worth rewriting. */
const SMALL_LOG = 1 << 20;
const MAX_GARBAGE = 4;
/** A replaced value may be a ratchet whose keys were wiped (EE-4): it must not stay on disk for long. */
const MAX_AGE_MS = 15 * 60_000;
const SNAPSHOT_FRAME = 1_000;
const SILENCE_MS = 10_000;

export interface FileStoreOptions {
  /** How long a holder on another host, or in another container, may be silent before it counts as dead. */
  readonly silenceMs?: number | undefined;
  /** How long replaced or deleted values may stay on disk while others are written; closing removes them, too. */
  readonly maxAgeMs?: number | undefined;
}

/**
 * Opens a folder (0700) with a log (0600) that is only appended to, or replaced as a whole. One process at a time holds
 * it (EE-7); the lock of a dead process is taken over. Throws `STORE_…` errors.
 */
export async function openFileStore(path: string, options: FileStoreOptions = {}): Promise<Store> {
  const { silenceMs = SILENCE_MS, maxAgeMs = MAX_AGE_MS } = options;
  const location = resolve(path);
  openFolder(location);
  const lock = await takeFolder(location, silenceMs);
  try {
    const log = openLog(location, { lock, maxAgeMs });
    return createBatchedStore({
      location,
      entries: log.entries,
      commit: log.commit,
      // A disk write takes much longer than a turn of the event loop, so it waits for what is about to follow.
      gather: () => new Promise<void>(setImmediate),
      release: async () => {
        try {
          log.close();
        } finally {
          await lock.release();
        }
      },
    });
  } catch (error) {
    await lock.release();
    throw error;
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

/** Windows protects files in another way, which the mode does not show. */
function checkMode({ mode }: Stats, location: string, wanted: string): void {
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw messengerError('STORE_EXPOSED', { params: { location, mode: wanted } });
  }
}

function openLog(location: string, { lock, maxAgeMs }: { lock: ProcessLock; maxAgeMs: number }) {
  const file = join(location, 'log');
  const entries = new Map<string, string>();
  let descriptor = openSync(
    file,
    constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
    0o600,
  );
  let size = 0;
  let live = 0;
  let compactedAt = 0;

  function compact(): void {
    const draft = `${file}.new`;
    rmSync(draft, { force: true });
    const fresh = openSync(draft, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND, 0o600);
    let written = 0;
    try {
      written = writeAll(fresh, MAGIC);
      const all = [...entries];
      for (let start = 0; start < all.length; start += SNAPSHOT_FRAME) {
        written += writeAll(fresh, encodeFrame(all.slice(start, start + SNAPSHOT_FRAME)));
      }
      fsyncSync(fresh);
      renameSync(draft, file);
    } catch (error) {
      closeSync(fresh);
      throw error;
    }
    closeSync(descriptor);
    descriptor = fresh;
    size = written;
    live = written;
    compactedAt = performance.now();
    syncFolder(location);
  }

  function load(): void {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw messengerError('STORE_NOT_OURS', { params: { location } });
    checkMode(stats, file, '600');
    const reading = readLog(readFileSync(descriptor));
    if (!reading.ok) {
      throw messengerError(reading.problem === 'damaged' ? 'STORE_DAMAGED' : 'STORE_NOT_OURS', {
        params: { location },
      });
    }
    for (const frame of reading.frames) apply(entries, frame);
    if (reading.torn) ftruncateSync(descriptor, reading.end);
    size = reading.end === 0 ? writeAll(descriptor, MAGIC) : reading.end;
    fsyncSync(descriptor);
    syncFolder(location);
    live = size;
    compactedAt = performance.now();
    const changes = reading.frames.reduce((sum, frame) => sum + frame.size, 0);
    // The store was not closed properly, so replaced and deleted values are still there.
    if (changes > entries.size) compact();
  }

  async function commit(changes: StoreChanges): Promise<void> {
    if (!lock.isHeld()) throw messengerError('STORE_LOST', { params: { location } });
    size += writeAll(descriptor, encodeFrame(changes));
    await syncData(descriptor);
    const isFull = size > Math.max(SMALL_LOG, live * MAX_GARBAGE);
    if (isFull || performance.now() - compactedAt > maxAgeMs) {
      apply(entries, changes);
      compact();
    }
  }

  function close(): void {
    try {
      if (size > live && lock.isHeld()) compact();
    } catch {
      // Nothing is lost, and the next process that opens it tries again.
    }
    closeSync(descriptor);
  }

  try {
    load();
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return { entries, commit, close };
}

function writeAll(descriptor: number, bytes: Buffer): number {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
  return bytes.length;
}

/** Without this, a crash may undo the creation or renaming of a file. Windows cannot do it, and need not. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
