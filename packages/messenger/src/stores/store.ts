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
  /**
   * Whether there is space: `low` on a full disk, while a reserve lasts for what is already under way, and nothing new
   * should be begun; `none` when the reserve is needed for what has happened already. Absent: always `enough`.
   */
  space?(): StoreSpace;
  /** Releases the store; nothing can be read or written afterwards. */
  close(): Promise<void>;
}

export type StoreSpace = 'enough' | 'low' | 'none';

/**
 * Null deletes. A function is called when the batch is about to be written, together with all that joined it: use it
 * only for values that fit any of that.
 */
export type StoreEntry = string | null | (() => string);
export type StoreBatch = ReadonlyMap<string, StoreEntry>;

/** A batch with its functions replaced by their values. */
export type StoreChanges = ReadonlyMap<string, string | null>;
