/** A part of a file, in bytes. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** What is written never shares a block with anything else: a power cut may damage the block that is being written. */
export const BLOCK = 4_096;

const FREE = 0;
const USED = 1;
/** Free, but what was there can still be read. */
const DIRTY = 2;

/** Which blocks of a file are in use, with one byte of memory for each. */
export interface Blocks {
  use(extent: Extent): void;
  /** It may be used again at once; until it is, `dirty` returns it. */
  free(extent: Extent): void;
  /** Takes room for so many bytes, after what was taken since `rewind` if possible, and returns where. */
  allocate(length: number): number;
  /** Lets `allocate` look from the beginning again. */
  rewind(): void;
  /** Returns what has to be overwritten, adjacent blocks as one. */
  dirty(): Extent[];
  erased(): void;
  /** Where the last block in use ends. */
  end(): number;
}

/** `size` is the length of the file: all of it counts as dirty until it is said to be in use. */
export function createBlocks(size: number, isClean: boolean): Blocks {
  let states = new Uint8Array(Math.max(64, blocksOf(size)));
  let end = blocksOf(size);
  let cursor = 0;
  if (!isClean) states.fill(DIRTY, 0, end);

  const reserve = (count: number): void => {
    if (count > states.length) {
      const larger = new Uint8Array(Math.max(count, states.length * 2));
      larger.set(states);
      states = larger;
    }
    end = Math.max(end, count);
  };
  const mark = ({ offset, length }: Extent, state: number): void => {
    const first = offset / BLOCK;
    reserve(first + blocksOf(length));
    states.fill(state, first, first + blocksOf(length));
  };
  const findRoom = (count: number): number => {
    let first = cursor;
    for (let at = cursor; at < end; at++) {
      if (states[at] === USED) first = at + 1;
      else if (at + 1 - first === count) return first;
    }
    return first;
  };

  return {
    use: (extent) => mark(extent, USED),
    free: (extent) => mark(extent, DIRTY),
    allocate: (length) => {
      const offset = findRoom(blocksOf(length)) * BLOCK;
      mark({ offset, length }, USED);
      cursor = offset / BLOCK + blocksOf(length);
      return offset;
    },
    rewind: () => {
      cursor = 0;
    },
    dirty: () => {
      const found: Extent[] = [];
      for (let at = 0; at < end; at++) {
        if (states[at] !== DIRTY) continue;
        const first = at;
        while (at < end && states[at] === DIRTY) at++;
        found.push({ offset: first * BLOCK, length: (at - first) * BLOCK });
      }
      return found;
    },
    erased: () => {
      for (let at = 0; at < end; at++) if (states[at] === DIRTY) states[at] = FREE;
      while (end > 0 && states[end - 1] !== USED) end--;
    },
    end: () => (states.lastIndexOf(USED) + 1) * BLOCK,
  };
}

/** How much of its last block so many bytes leave free. */
export const restOf = (length: number): number => blocksOf(length) * BLOCK - length;

const blocksOf = (length: number): number => Math.ceil(length / BLOCK);
