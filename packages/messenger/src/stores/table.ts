import { closeSync, fstatSync } from 'node:fs';
import { type Blocks, createBlocks, restOf } from './blocks.ts';
import { type Disk, nextTurn, openPrivate, readAt, syncData } from './disk.ts';
import { createKeyFilter, mayHold } from './key-filter.ts';
import { createLeavesWriter, type Leaf, type Leaves } from './leaves.ts';
import { decodeFrame, encodeFrame, sumOf } from './log-frames.ts';
import type { StoreChanges } from './store.ts';

type Entry = readonly [key: string, value: string];

/**
 * The entries on disk, sorted by key in leaves of a few entries. Only where each leaf is stays in memory, and a filter
 * of its keys. A leaf is never altered: changes make new ones in free blocks.
 */
export interface Table {
  get(key: string): Promise<string | undefined>;
  /** Must not be called during `merge` or `erase`. */
  list(prefix: string): Promise<Entry[]>;
  /**
   * Writes the leaves that change. Those given to `commit` are on disk; they count from when it resolves. If anything
   * fails before, nothing has changed.
   */
  merge(changes: StoreChanges, commit: (leaves: Leaves) => Promise<void>): Promise<void>;
  /** Overwrites what the leaves of before have left on disk: keys that were used up must not stay there (EE-4). */
  erase(): Promise<void>;
  close(): void;
}

interface TableOptions {
  readonly disk: Disk;
  readonly leaves: Leaves;
  /** False after a crash: anything may be in the blocks that are free. */
  readonly isClean: boolean;
  readonly damaged: () => Error;
}

/** How far a merge has come: the next leaf, and the next of the changed keys. */
interface Cursor {
  leaf: number;
  key: number;
}

interface Merge {
  readonly keys: readonly string[];
  readonly changes: StoreChanges;
  readonly cursor: Cursor;
}

/** In characters. Each change rewrites a leaf, and each leaf costs memory. */
const LEAF_LENGTH = 12_000;
const SMALL_LEAF = 3_000;
const SLICE = 32;
const ZEROS = Buffer.alloc(1 << 18);

export function openTable(file: string, { disk, leaves: known, isClean, damaged }: TableOptions): Table {
  const descriptor = openPrivate(file);
  const { size } = fstatSync(descriptor);
  const blocks: Blocks = createBlocks(size, isClean);
  let leaves = known;
  for (let index = 0; index < leaves.count; index++) {
    const leaf = leaves.at(index);
    blocks.use(leaf);
    if (leaf.offset + leaf.length <= size) continue;
    closeSync(descriptor);
    throw damaged();
  }

  /** Returns undefined if it is not there, because it is damaged or was replaced meanwhile. */
  const readLeaf = async ({ offset, length, sum }: Leaf): Promise<Entry[] | undefined> => {
    const frame = await readAt(descriptor, offset, length);
    return frame.length === length && sumOf(frame) === sum ? decodeFrame<Entry[]>(frame) : undefined;
  };
  const readCurrent = async (leaf: Leaf): Promise<Entry[]> => {
    const entries = await readLeaf(leaf);
    if (entries === undefined) throw damaged();
    return entries;
  };
  /** Applies the changes to one leaf, or to several where they make one small. Without `entries`, nothing is new in it. */
  const mergeRange = async ({ keys, changes, cursor }: Merge) => {
    const taken: Leaf[] = [];
    const entries = new Map<string, string>();
    let isChanged = false;
    do {
      if (cursor.leaf < leaves.count) {
        taken.push(leaves.at(cursor.leaf++));
        for (const [key, value] of await readCurrent(taken.at(-1)!)) entries.set(key, value);
      }
      const limit = cursor.leaf < leaves.count ? leaves.at(cursor.leaf).first : undefined;
      for (let key = keys[cursor.key]; key !== undefined && (limit === undefined || key < limit); ) {
        const value = changes.get(key)!;
        isChanged ||= (entries.get(key) ?? null) !== value;
        if (value === null) entries.delete(key);
        else entries.set(key, value);
        key = keys[++cursor.key];
      }
    } while (isChanged && cursor.leaf < leaves.count && isSmall(entries));
    return { taken, entries: isChanged ? entries : undefined };
  };
  const writeLeaf = (entries: readonly Entry[], first: string): Leaf => {
    const frame = encodeFrame(entries);
    const extent = { offset: blocks.allocate(frame.length), length: frame.length };
    // What a crash or a merge that failed has left in the rest of the block would not be erased any more.
    const padded = Buffer.concat([frame, ZEROS.subarray(0, restOf(frame.length))]);
    try {
      disk.write(descriptor, padded, extent.offset);
    } catch (error) {
      blocks.free(extent);
      throw error;
    }
    return { ...extent, first, sum: sumOf(frame), filter: createKeyFilter(entries.map(([key]) => key)) };
  };

  return {
    get: async (key) => {
      for (;;) {
        const seen = leaves;
        const at = seen.find(key);
        if (at < 0) return undefined;
        const leaf = seen.at(at);
        if (!mayHold(leaf.filter, key)) return undefined;
        const entries = await readLeaf(leaf);
        if (entries !== undefined) return entries.find(([one]) => one === key)?.[1];
        if (seen === leaves) throw damaged();
      }
    },
    list: async (prefix) => {
      const found: Entry[] = [];
      for (let at = Math.max(0, leaves.find(prefix)); at < leaves.count; at++) {
        const leaf = leaves.at(at);
        if (leaf.first > prefix && !leaf.first.startsWith(prefix)) break;
        for (const entry of await readCurrent(leaf)) if (entry[0].startsWith(prefix)) found.push(entry);
      }
      return found;
    },
    merge: async (changes, commit) => {
      const keys = [...changes.keys()].sort();
      const next = createLeavesWriter();
      const replaced: Leaf[] = [];
      const written: Leaf[] = [];
      const cursor: Cursor = { leaf: 0, key: 0 };
      const keepUntil = (end: number): void => {
        next.copy(leaves, cursor.leaf, end);
        cursor.leaf = Math.max(cursor.leaf, end);
      };
      let merged: Leaves;
      blocks.rewind();
      try {
        while (cursor.key < keys.length) {
          keepUntil(leaves.find(keys[cursor.key]!));
          const { leaf: start } = cursor;
          const { taken, entries } = await mergeRange({ keys, changes, cursor });
          if (entries === undefined) next.copy(leaves, start, cursor.leaf);
          else replaced.push(...taken);
          // The first leaf begins before all keys.
          let first = start === 0 ? '' : taken[0]!.first;
          for (const chunk of entries === undefined ? [] : splitEntries(entries)) {
            if (chunk.last !== undefined) first = separate(chunk.last, chunk.entries[0]![0]);
            const leaf = writeLeaf(chunk.entries, first);
            written.push(leaf);
            next.add(leaf);
            if (written.length % SLICE === 0) await nextTurn();
          }
        }
        keepUntil(leaves.count);
        merged = next.finish();
        await syncData(descriptor);
        await commit(merged);
      } catch (error) {
        for (const leaf of written) blocks.free(leaf);
        throw error;
      }
      leaves = merged;
      for (const leaf of replaced) blocks.free(leaf);
    },
    erase: async () => {
      const end = blocks.end();
      for (const { offset, length } of blocks.dirty()) {
        for (let at = offset; at < Math.min(offset + length, end); at += ZEROS.length) {
          disk.write(descriptor, ZEROS.subarray(0, Math.min(ZEROS.length, offset + length - at)), at);
          await nextTurn();
        }
      }
      if (fstatSync(descriptor).size > end) disk.truncate(descriptor, end);
      await syncData(descriptor);
      blocks.erased();
    },
    close: () => closeSync(descriptor),
  };
}

function isSmall(entries: ReadonlyMap<string, string>): boolean {
  let length = 0;
  for (const entry of entries) {
    length += lengthOf(entry);
    if (length >= SMALL_LEAF) return false;
  }
  return true;
}

interface Chunk {
  readonly entries: Entry[];
  /** The last key of the chunk before it. */
  readonly last: string | undefined;
}

/** Sorts the entries and splits them into leaves of about the same length. */
function* splitEntries(entries: ReadonlyMap<string, string>): Generator<Chunk> {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  const total = sorted.reduce((sum, entry) => sum + lengthOf(entry), 0);
  const enough = total / Math.ceil(total / LEAF_LENGTH);
  let chunk: Chunk = { entries: [], last: undefined };
  let length = 0;
  for (const entry of sorted) {
    chunk.entries.push(entry);
    length += lengthOf(entry);
    if (length < enough) continue;
    yield chunk;
    chunk = { entries: [], last: entry[0] };
    length = 0;
  }
  if (chunk.entries.length > 0) yield chunk;
}

/** Returns the shortest beginning of the second key that is greater than the first. */
function separate(before: string, key: string): string {
  let same = 0;
  while (before[same] === key[same]) same++;
  return key.slice(0, same + 1);
}

const lengthOf = ([key, value]: Entry): number => key.length + value.length;
