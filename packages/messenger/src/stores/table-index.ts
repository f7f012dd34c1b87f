import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { openPrivate } from './disk.ts';
import { encodeFrame, MAGIC, OLD_MAGIC, readLog } from './log-frames.ts';
import type { Leaf } from './table.ts';

/** What counts: where the leaves of the table are, and the first journal whose changes are not in them. */
export interface TableIndex {
  readonly journal: number;
  readonly leaves: readonly Leaf[];
}

/**
 * It has the name of the log in which the version before kept everything: to replace that log is to go over to this
 * version, and a program of the version before refuses the folder instead of making new keys.
 */
export const INDEX_FILE = 'log';

export type IndexReading =
  | { readonly state: 'none' | 'not_ours' | 'damaged' }
  | { readonly state: 'index'; readonly index: TableIndex }
  /** Of the version before: everything, in the order of writing. */
  | { readonly state: 'old'; readonly frames: readonly (readonly [string, string | null][])[] };

type Row = [first: string, offset: number, length: number, sum: number];

export function encodeIndex({ journal, leaves }: TableIndex): Buffer {
  const rows = leaves.map(({ first, offset, length, sum }): Row => [first, offset, length, sum]);
  return Buffer.concat([MAGIC, encodeFrame({ journal, leaves: rows })]);
}

export function readIndex(file: string): IndexReading {
  const bytes = readPrivate(file);
  if (bytes === undefined) return { state: 'none' };
  const isOld = bytes.length < MAGIC.length || bytes.subarray(0, OLD_MAGIC.length).equals(OLD_MAGIC);
  if (isOld) {
    const reading = readLog<[string, string | null][]>(bytes, OLD_MAGIC);
    return reading.ok ? { state: 'old', frames: reading.frames } : { state: reading.problem };
  }
  const reading = readLog<{ journal: number; leaves: Row[] }>(bytes, MAGIC);
  if (!reading.ok) return { state: reading.problem };
  const [frame] = reading.frames;
  // It is replaced as a whole, so no crash can have torn it.
  if (frame === undefined || reading.torn) return { state: 'damaged' };
  const leaves = frame.leaves.map(([first, offset, length, sum]): Leaf => ({ first, offset, length, sum }));
  return { state: 'index', index: { journal: frame.journal, leaves } };
}

function readPrivate(file: string): Buffer | undefined {
  try {
    closeSync(openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const descriptor = openPrivate(file);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
