import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  read,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { messengerError } from '../errors.ts';
import type { WriteBytes } from './write-bytes.ts';

export const syncData = promisify(fdatasync);
const syncFile = promisify(fsync);

/** Writes the files of a store. Nothing is written once another process holds it. */
export interface Disk {
  /** Appends, or writes at a position. A failure may leave a part behind. */
  write(descriptor: number, bytes: Uint8Array, position?: number): void;
  truncate(descriptor: number, length: number): void;
  /** Makes a whole new file, which is on disk when it resolves; `install` gives it its place. */
  draft(file: string, bytes: Uint8Array): Promise<{ install(): void; discard(): void }>;
}

export interface DiskOptions {
  /** Throws when nothing may be written any more. */
  readonly check: () => void;
  /** Replaced in tests, which fill the disk. */
  readonly writeBytes?: WriteBytes | undefined;
}

const writeSome: WriteBytes = (descriptor, bytes, from, position) =>
  writeSync(descriptor, bytes, from, bytes.length - from, position);

export function createDisk({ check, writeBytes = writeSome }: DiskOptions): Disk {
  const write: Disk['write'] = (descriptor, bytes, position) => {
    check();
    for (let done = 0; done < bytes.length; ) {
      done += writeBytes(descriptor, bytes, done, position === undefined ? null : position + done);
    }
  };
  return {
    write,
    truncate: (descriptor, length) => {
      check();
      ftruncateSync(descriptor, length);
    },
    draft: async (file, bytes) => {
      const name = `${file}.new`;
      const discard = () => rmSync(name, { force: true });
      discard();
      const descriptor = openPrivate(name, constants.O_EXCL);
      try {
        write(descriptor, bytes);
        await syncFile(descriptor);
      } catch (error) {
        discard();
        throw error;
      } finally {
        closeSync(descriptor);
      }
      return {
        discard,
        install: () => {
          check();
          renameSync(name, file);
          syncFolder(dirname(file));
        },
      };
    },
  };
}

/** Opens or creates a file that only its owner can read (EE-10). A symlink in its place is not followed. */
export function openPrivate(file: string, flags = 0): number {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | flags, 0o600);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw messengerError('STORE_NOT_OURS', { params: { location: dirname(file) } });
    checkMode(stats, file, '600');
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return descriptor;
}

/** Windows protects files in another way, which the mode does not show. */
export function checkMode({ mode }: Stats, location: string, wanted: string): void {
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw messengerError('STORE_EXPOSED', { params: { location, mode: wanted } });
  }
}

/** Reads so many bytes, or fewer where the file ends. */
export function readAt(descriptor: number, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const readFrom = async (done: number): Promise<Buffer> => {
    const count = await new Promise<number>((resolve, reject) => {
      read(descriptor, bytes, done, length - done, position + done, (error, read) =>
        error ? reject(error) : resolve(read),
      );
    });
    if (count === 0) return bytes.subarray(0, done);
    return done + count === length ? bytes : readFrom(done + count);
  };
  return readFrom(0);
}

/** Without this, a crash may undo the creation or renaming of a file. Windows cannot do it, and need not. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** A quota and a limit on the size of files are a full disk, too. */
export const isOutOfSpace = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Lets others have their turn during long work. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
