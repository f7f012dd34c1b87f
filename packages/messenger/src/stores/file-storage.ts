import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessLock } from '@parley/base/node';
import { messengerError } from '../errors.ts';
import type { Storage } from './batched-store.ts';
import { createDisk, isOutOfSpace, nextTurn } from './disk.ts';
import { applyChanges } from './entry-map.ts';
import { continueJournal, createJournal, type Journal, listJournals, readJournal, removeJournal } from './journal.ts';
import { NO_LEAVES } from './leaves.ts';
import { openReserve, RESERVE } from './reserve.ts';
import type { StoreChanges } from './store.ts';
import { openTable, type Table } from './table.ts';
import { encodeIndex, INDEX_FILE, readIndex, type TableIndex } from './table-index.ts';
import type { WriteBytes } from './write-bytes.ts';

export interface FileStorageOptions {
  readonly lock: ProcessLock;
  /** How long what was replaced may stay on disk while something is written. */
  readonly maxAgeMs: number;
  /** Replaced in tests, which fill the disk. */
  readonly writeBytes?: WriteBytes | undefined;
}

/** In bytes, as large as a journal gets before it is merged into the table. */
const FULL_JOURNAL = 16 << 20;
/** The same for the last values in it, in characters: they are also in memory. */
const FULL_CHANGES = 4 << 20;
/** Whoever writes faster than the disk merges has to wait. */
const MAX_JOURNAL = 2 * FULL_JOURNAL;
const MAX_CHANGES = 4 * FULL_CHANGES;

const ASK_MS = 1_000;

/**
 * A folder with a table of everything, an index of the table, and the journals of the changes since: a log-structured
 * merge with one level (decision 0028). Only changes that are not merged yet are in memory.
 */
export async function openFileStorage(
  location: string,
  { lock, maxAgeMs, writeBytes }: FileStorageOptions,
): Promise<Storage> {
  const fail = (code: 'STORE_DAMAGED' | 'STORE_NOT_OURS' | 'STORE_LOST' | 'STORE_FULL', cause?: unknown) =>
    messengerError(code, { params: { location }, cause });
  const check = () => {
    if (!lock.isHeld()) throw fail('STORE_LOST');
  };
  const disk = createDisk({ check, writeBytes });
  const reserve = openReserve(location, disk);
  const found = findContent(location, fail);
  /** Not merged yet. Those in `merging` are older. */
  let recent: Map<string, string | null> = found.changes;
  let recentLength = lengthOf(recent);
  let merging: Map<string, string | null> | undefined;
  let journal: Journal = found.last
    ? continueJournal(location, found.last.number, found.last.end, disk)
    : createJournal(location, found.index.journal, disk);
  let table: Table;
  let mergedAt = performance.now();
  let failure: unknown;
  /** Merging and listing, one at a time. */
  let queue: Promise<unknown> = Promise.resolve();
  let isMerging = false;
  let isClosed = false;
  let writtenOnReserve = 0;
  let askedAt = Number.NEGATIVE_INFINITY;

  const keep = (key: string, value: string | null): void => {
    const before = recent.get(key);
    if (before !== undefined) recentLength -= lengthOf([[key, before]]);
    recent.set(key, value);
    recentLength += lengthOf([[key, value]]);
  };
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  };

  /** From here on changes go into a new journal; those before it are merged. Not to be called during an append. */
  const beginMerge = (): Promise<void> => {
    mergedAt = performance.now();
    const next = createJournal(location, journal.number + 1, disk);
    journal.close();
    journal = next;
    merging = recent;
    recent = new Map();
    recentLength = 0;
    isMerging = true;
    return inTurn(merge).finally(() => {
      isMerging = false;
    });
  };
  const merge = async (): Promise<void> => {
    const first = journal.number;
    try {
      await table.merge(merging!, async (leaves) => {
        const draft = await disk.draft(join(location, INDEX_FILE), encodeIndex({ journal: first, leaves }));
        try {
          draft.install();
        } catch (error) {
          // Which of the two indexes a crash would leave is unknown, so nothing more may be written.
          draft.discard();
          failure = error;
          throw error;
        }
      });
    } catch (error) {
      recent = new Map([...merging!, ...recent]);
      recentLength = lengthOf(recent);
      throw error;
    } finally {
      merging = undefined;
    }
    await table.erase();
    for (const number of listJournals(location)) if (number < first) removeJournal(location, number);
  };
  /** Nothing is lost if there is no room to merge: it is tried again when the next journal is full. */
  const tryMerge = async (): Promise<void> => {
    try {
      await beginMerge();
    } catch (error) {
      if (!isOutOfSpace(error)) failure ??= error;
    }
  };

  /** Uses the reserve for what finds no room elsewhere. */
  const append = async (changes: StoreChanges): Promise<void> => {
    try {
      await journal.append(changes);
    } catch (error) {
      if (!isOutOfSpace(error)) {
        // The journal may end in half a frame, so no other may be begun after it.
        failure = error;
        throw error;
      }
      if (!reserve.release()) {
        writtenOnReserve = RESERVE;
        throw fail('STORE_FULL', error);
      }
      writtenOnReserve = 0;
      await append(changes);
    }
  };

  try {
    table = openTable(join(location, 'table'), {
      disk,
      leaves: found.index.leaves,
      isClean: found.isClean,
      damaged: () => fail('STORE_DAMAGED'),
    });
  } catch (error) {
    journal.close();
    throw error;
  }
  rmSync(join(location, `${INDEX_FILE}.new`), { force: true });
  const close = () => {
    isClosed = true;
    journal.close();
    table.close();
  };
  try {
    // Without an index, nothing may be in the journal.
    if (found.isNew) await beginMerge();
    // It was not closed, or is of the version before: what was replaced is still on disk.
    else if (!found.isClean) await tryMerge();
    if (!reserve.isWhole()) await reserve.restore();
    if (failure !== undefined) throw failure;
  } catch (error) {
    close();
    throw error;
  }

  return {
    location,
    // A disk write takes much longer than a turn of the event loop, so it waits for what is about to follow.
    gather: nextTurn,
    get: async (key) => {
      const value = recent.has(key) ? recent.get(key) : merging?.get(key);
      return value === undefined ? table.get(key) : (value ?? undefined);
    },
    list: (prefix) =>
      inTurn(async () => {
        const changes = [...(merging ?? []), ...recent].filter(([key]) => key.startsWith(prefix));
        const entries = new Map(await table.list(prefix));
        applyChanges(entries, new Map(changes));
        return [...entries];
      }),
    commit: async (changes) => {
      check();
      if (failure !== undefined) throw failure;
      const before = journal.size();
      await append(changes);
      for (const change of changes) keep(...change);
      if (!reserve.isWhole()) {
        writtenOnReserve += journal.size() - before;
        await reserve.restore();
        return;
      }
      if (journal.size() > MAX_JOURNAL || recentLength > MAX_CHANGES) await queue;
      const isFull = journal.size() > FULL_JOURNAL || recentLength > FULL_CHANGES;
      const isDue = isFull || performance.now() - mergedAt > maxAgeMs;
      if (isDue && !isMerging) void tryMerge();
    },
    shortage: () => {
      if (reserve.isWhole()) return undefined;
      // Whoever asks may be waiting for it, with nothing being written meanwhile.
      if (!isClosed && performance.now() - askedAt > ASK_MS) {
        askedAt = performance.now();
        inTurn(reserve.restore).catch(() => {});
      }
      return { error: fail('STORE_FULL'), canReceive: writtenOnReserve < RESERVE / 2 };
    },
    release: async () => {
      await queue;
      if (failure === undefined && lock.isHeld() && recent.size > 0) await tryMerge();
      close();
    },
  };
}

function lengthOf(changes: Iterable<readonly [key: string, value: string | null]>): number {
  let length = 0;
  for (const [key, value] of changes) length += key.length + (value?.length ?? 0);
  return length;
}

interface Content {
  readonly index: TableIndex;
  /** Of all journals together. */
  readonly changes: Map<string, string | null>;
  readonly last?: { readonly number: number; readonly end: number };
  readonly isNew: boolean;
  /** Closed properly, so that nothing is on disk that was replaced. */
  readonly isClean: boolean;
}

function findContent(location: string, fail: (code: 'STORE_DAMAGED' | 'STORE_NOT_OURS') => Error): Content {
  const reading = readIndex(join(location, INDEX_FILE));
  if (reading.state === 'not_ours') throw fail('STORE_NOT_OURS');
  if (reading.state === 'damaged') throw fail('STORE_DAMAGED');
  const index = reading.state === 'index' ? reading.index : { journal: 1, leaves: NO_LEAVES };
  const changes = new Map<string, string | null>();
  if (reading.state === 'old')
    for (const frame of reading.frames) for (const [key, value] of frame) changes.set(key, value);
  const numbers = listJournals(location);
  const current = numbers.filter((number) => number >= index.journal);
  // The journal that the index names was there before the index.
  const isMissing =
    current.some((number, at) => number !== index.journal + at) || (reading.state === 'index' && current.length === 0);
  if (isMissing) throw fail('STORE_DAMAGED');
  let last: Content['last'];
  for (const number of current) {
    const journal = readJournal(location, number);
    const isLast = number === current.at(-1);
    // A journal is begun when the one before it is whole, and filled only when there is an index.
    if (!journal.ok || (journal.torn && !isLast)) throw fail('STORE_DAMAGED');
    if (reading.state === 'none' && journal.frames.length > 0) throw fail('STORE_DAMAGED');
    for (const frame of journal.frames) for (const [key, value] of frame) changes.set(key, value);
    last = { number, end: journal.end };
  }
  const isClean = reading.state === 'index' && changes.size === 0 && numbers.length === 1;
  return { index, changes, ...(last && { last }), isNew: reading.state === 'none', isClean };
}
