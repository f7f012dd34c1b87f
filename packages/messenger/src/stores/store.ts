import type { ParleyError } from '@parley/base';

/**
 * Where a device or an agent keeps its keys, ratchets and everything that must outlive the process. Values are text;
 * keys are paths such as `peer/<id>`. One process at a time holds a store (EE-7).
 */
export interface Store {
  get(key: string): Promise<string | undefined>;
  /** Returns all entries whose key has this prefix, sorted by key. */
  list(prefix: string): Promise<readonly (readonly [key: string, value: string])[]>;
  /**
   * Writes all of it or nothing; it is on disk when it resolves. Batches written at the same time may be joined into
   * one, in order. Rejects with STORE_FULL if there is no space: nothing was written, and it may be tried again.
   */
  write(batch: StoreBatch): Promise<void>;
  /** Says that the disk is full, as long as it is. Absent: it never is. */
  shortage?(): StoreShortage | undefined;
  /** Releases the store; nothing can be read or written afterwards. */
  close(): Promise<void>;
}

/** On a full disk, a reserve is left for a while to record what is already under way: nothing new is begun on it. */
export interface StoreShortage {
  /** STORE_FULL. */
  readonly error: ParleyError;
  /** False when what is left of the reserve is needed for what has already happened. */
  readonly canReceive: boolean;
}

/**
 * Null deletes. A function is called when the batch is about to be written, together with all that joined it: use it
 * only for values that fit any of that.
 */
export type StoreEntry = string | null | (() => string);
export type StoreBatch = ReadonlyMap<string, StoreEntry>;

/** A batch with its functions replaced by their values. */
export type StoreChanges = ReadonlyMap<string, string | null>;
