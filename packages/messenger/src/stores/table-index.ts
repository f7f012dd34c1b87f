import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { openPrivate } from './disk.ts';
import { createLeavesWriter, type Leaves, readLeaves } from './leaves.ts';
import { encodeBytes, FRAME_HEAD, MAGIC, OLD_MAGIC, readBody, readLog } from './log-frames.ts';

/** What counts: where the leaves of the table are, and the first journal whose changes are not in them. */
export interface TableIndex {
  readonly journal: number;
  readonly leaves: Leaves;
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

// The body of its frame: 0, the number of the journal (6 bytes), the leaves.
const HEAD = 7;

export function encodeIndex({ journal, leaves }: TableIndex): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUIntBE(journal, 1, HEAD - 1);
  return Buffer.concat([MAGIC, encodeBytes([head, leaves.bytes])]);
}

export function readIndex(file: string): IndexReading {
  const bytes = readPrivate(file);
  if (bytes === undefined) return { state: 'none' };
  const isOld = bytes.length < MAGIC.length || bytes.subarray(0, OLD_MAGIC.length).equals(OLD_MAGIC);
  if (isOld) {
    const reading = readLog<[string, string | null][]>(bytes, OLD_MAGIC);
    return reading.ok ? { state: 'old', frames: reading.frames } : { state: reading.problem };
  }
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return { state: 'not_ours' };
  const body = readBody(bytes, MAGIC.length);
  // It is replaced as a whole, so no crash can have torn it.
  if (body === undefined || bytes.length !== MAGIC.length + FRAME_HEAD + body.length) return { state: 'damaged' };
  const index = body[0] === 0 ? decodeIndex(body) : decodeJsonIndex(body);
  return index === undefined ? { state: 'damaged' } : { state: 'index', index };
}

function decodeIndex(body: Buffer): TableIndex | undefined {
  const leaves = readLeaves(body.subarray(HEAD));
  return leaves && { journal: body.readUIntBE(1, HEAD - 1), leaves };
}

/** The first form of this version, which was never released; the next merge replaces it. */
function decodeJsonIndex(body: Buffer): TableIndex {
  const { journal, leaves } = JSON.parse(body.toString()) as {
    journal: number;
    leaves: [first: string, offset: number, length: number, sum: number][];
  };
  const writer = createLeavesWriter();
  for (const [first, offset, length, sum] of leaves)
    writer.add({ first, offset, length, sum, filter: Buffer.alloc(0) });
  return { journal, leaves: writer.finish() };
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
