import type { Extent } from './blocks.ts';

/** A frame of the table that holds all entries from `first` up to the `first` of the next leaf. */
export interface Leaf extends Extent {
  /** Not greater than any key in it, and greater than all keys before it. */
  readonly first: string;
  readonly sum: number;
  /** Of its keys (`createKeyFilter`). */
  readonly filter: Uint8Array;
}

/** All leaves of a table in the order of their keys, packed into bytes: objects would take several times the memory. */
export interface Leaves {
  readonly count: number;
  readonly bytes: Buffer;
  at(index: number): Leaf;
  /** Returns the last leaf whose `first` is not greater than the key, or -1. */
  find(key: string): number;
  /** Where in `bytes` this leaf begins, or the one before it ends. */
  startOf(index: number): number;
}

export interface LeavesWriter {
  add(leaf: Leaf): void;
  /** Adds leaves as they are, from one index up to another. */
  copy(from: Leaves, start: number, end: number): void;
  finish(): Leaves;
}

// A leaf: offset (6 bytes), length, sum, bytes of `first` (4 each), its encoding (1), bytes of the filter (2), `first`,
// the filter.
const HEAD = 21;
/** The second is for what the first cannot hold. A key may have half a surrogate pair in it, which UTF-8 would lose. */
const ENCODINGS = ['latin1', 'utf16le'] as const;
const isLatin1 = (text: string): boolean => !/[\u0100-\uffff]/.test(text);

export const NO_LEAVES: Leaves = createLeaves(Buffer.alloc(0), new Uint32Array());

/** Returns undefined if this is not a number of whole leaves. */
export function readLeaves(bytes: Buffer): Leaves | undefined {
  const starts: number[] = [];
  let end = 0;
  while (end + HEAD <= bytes.length) {
    starts.push(end);
    end += HEAD + bytes.readUInt32BE(end + 14) + bytes.readUInt16BE(end + 19);
  }
  return end === bytes.length ? createLeaves(bytes, Uint32Array.from(starts)) : undefined;
}

export function createLeavesWriter(): LeavesWriter {
  const parts: Buffer[] = [];
  return {
    add: ({ offset, length, sum, first, filter }) => {
      const encoding = isLatin1(first) ? 0 : 1;
      const name = Buffer.from(first, ENCODINGS[encoding]);
      const head = Buffer.allocUnsafe(HEAD);
      head.writeUIntBE(offset, 0, 6);
      head.writeUInt32BE(length, 6);
      head.writeUInt32BE(sum, 10);
      head.writeUInt32BE(name.length, 14);
      head.writeUInt8(encoding, 18);
      head.writeUInt16BE(filter.length, 19);
      parts.push(head, name, Buffer.from(filter));
    },
    copy: (from, start, end) => {
      if (start < end) parts.push(from.bytes.subarray(from.startOf(start), from.startOf(end)));
    },
    finish: () => readLeaves(Buffer.concat(parts))!,
  };
}

function createLeaves(bytes: Buffer, starts: Uint32Array): Leaves {
  const endOfFirst = (start: number) => start + HEAD + bytes.readUInt32BE(start + 14);
  const firstOf = (start: number) => bytes.toString(ENCODINGS[bytes[start + 18]!], start + HEAD, endOfFirst(start));
  return {
    count: starts.length,
    bytes,
    startOf: (index) => starts[index] ?? bytes.length,
    at: (index) => {
      const start = starts[index]!;
      return {
        offset: bytes.readUIntBE(start, 6),
        length: bytes.readUInt32BE(start + 6),
        sum: bytes.readUInt32BE(start + 10),
        first: firstOf(start),
        filter: bytes.subarray(endOfFirst(start), starts[index + 1]),
      };
    },
    find: (key) => {
      let [low, high] = [0, starts.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (firstOf(starts[middle]!) <= key) low = middle + 1;
        else high = middle;
      }
      return low - 1;
    },
  };
}
