import { closeSync, constants, fdatasyncSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Disk, isOutOfSpace, openPrivate, syncData, syncFolder } from './disk.ts';
import { encodeFrame, type LogReading, MAGIC, readLog } from './log-frames.ts';
import type { StoreChanges } from './store.ts';

/** The changes that are not in the table yet, in the order in which they were made. */
export interface Journal {
  readonly number: number;
  /** In bytes. */
  size(): number;
  isEmpty(): boolean;
  /** Appends one frame, which is on disk when it resolves. If the disk is full, the journal is as it was. */
  append(changes: StoreChanges): Promise<void>;
  close(): void;
}

const PREFIX = 'journal.';
const fileOf = (folder: string, number: number): string => join(folder, `${PREFIX}${number}`);

/** Returns the numbers of the journals in a folder, in order. */
export function listJournals(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => /^journal\.[1-9]\d*$/.test(name))
    .map((name) => Number(name.slice(PREFIX.length)))
    .sort((a, b) => a - b);
}

export function readJournal(folder: string, number: number): LogReading<[string, string | null][]> {
  const descriptor = openPrivate(fileOf(folder, number));
  try {
    return readLog(readFileSync(descriptor), MAGIC);
  } finally {
    closeSync(descriptor);
  }
}

export const removeJournal = (folder: string, number: number): void => rmSync(fileOf(folder, number), { force: true });

/** Goes on with a journal after its last whole frame. */
export function continueJournal(folder: string, number: number, end: number, disk: Disk): Journal {
  const descriptor = openPrivate(fileOf(folder, number), constants.O_APPEND);
  try {
    disk.truncate(descriptor, end);
    if (end === 0) disk.write(descriptor, MAGIC);
    // A crash of the process alone may have left a frame that is not on disk yet. What follows builds on it, and may be in
    // the next journal: that is begun only after a whole one.
    fdatasyncSync(descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return useJournal(descriptor, { number, size: Math.max(end, MAGIC.length), disk });
}

export function createJournal(folder: string, number: number, disk: Disk): Journal {
  const file = fileOf(folder, number);
  const descriptor = openPrivate(file, constants.O_APPEND | constants.O_EXCL);
  try {
    disk.write(descriptor, MAGIC);
    fdatasyncSync(descriptor);
    syncFolder(dirname(file));
  } catch (error) {
    closeSync(descriptor);
    rmSync(file, { force: true });
    throw error;
  }
  return useJournal(descriptor, { number, size: MAGIC.length, disk });
}

function useJournal(
  descriptor: number,
  { number, size: start, disk }: { number: number; size: number; disk: Disk },
): Journal {
  let size = start;
  return {
    number,
    size: () => size,
    isEmpty: () => size === MAGIC.length,
    append: async (changes) => {
      const frame = encodeFrame([...changes]);
      try {
        disk.write(descriptor, frame);
        await syncData(descriptor);
      } catch (error) {
        // A torn frame must not be followed by a whole one: that would look like damage.
        if (isOutOfSpace(error)) disk.truncate(descriptor, size);
        throw error;
      }
      size += frame.length;
    },
    close: () => closeSync(descriptor),
  };
}
