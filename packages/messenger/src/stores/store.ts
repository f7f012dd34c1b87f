/**
 * Where a device or an agent keeps its keys, ratchets and whatever must outlive the process. Values are text; keys are
 * paths such as `peer/<id>`. Only one process at a time holds a store (EE-7).
 */
export interface Store {
  get(key: string): Promise<string | undefined>;
  /** All entries whose key begins so, sorted by key. */
  list(prefix: string): Promise<readonly (readonly [key: string, value: string])[]>;
  /**
   * All of it or nothing, and on disk when it resolves. Batches written at the same time may be joined into one, in the
   * order in which they were given.
   */
  write(batch: StoreBatch): Promise<void>;
  /** Releases the store; nothing can be read or written afterwards. */
  close(): Promise<void>;
}

/**
 * Null deletes. A function is called when the batch is about to be written, with all that was given until then: only for
 * values that go with any of it.
 */
export type StoreEntry = string | null | (() => string);
export type StoreBatch = ReadonlyMap<string, StoreEntry>;

/** A batch in its last form. */
export type StoreChanges = ReadonlyMap<string, string | null>;
