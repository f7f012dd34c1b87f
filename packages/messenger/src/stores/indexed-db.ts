import { isParleyError } from '@parley/base';
import { messengerError } from '../errors.ts';
import { createBatchedStore } from './batched-store.ts';
import { applyChanges, createEntryMap } from './entry-map.ts';
import type { Store, StoreChanges } from './store.ts';
import { createValueCipher, generateValueKey, type ValueCipher } from './value-cipher.ts';
import { holdName, type OnBusy } from './web-lock.ts';

const ENTRIES = 'entries';
const META = 'meta';
/** Data is on disk before `complete`, as far as the system tells the truth. */
const STRICT: IDBTransactionOptions = { durability: 'strict' };

export interface IndexedDbOptions {
  readonly onBusy?: OnBusy | undefined;
  /** Stores of one name are open in one tab at a time; by default, the name of the store. */
  readonly lock?: string | undefined;
  /** Called once, when another tab has stolen the store: nothing can be written any more. */
  readonly onLost?: (() => void) | undefined;
}

/**
 * Opens a store for browsers. Values are encrypted at rest; the names of the keys are not. The browser keeps the
 * encryption key in the same profile: no script can export it (EE-10), but whoever copies the whole profile has it. One
 * tab at a time holds the store (EE-7). Browsers may drop a site's data when the disk is full, unless
 * `navigator.storage.persist()` was granted, which the application asks for. Throws `STORE_…` errors.
 */
export async function openIndexedDbStore(name: string, options: IndexedDbOptions = {}): Promise<Store> {
  let told = false;
  const tellLost = () => {
    if (!told) options.onLost?.();
    told = true;
  };
  const lock = await holdName(options.lock ?? name, options.onBusy ?? 'fail', tellLost);
  try {
    const db = await openDb(name);
    const cipher = createValueCipher(await ensureKey(db), name);
    const epoch = await beginEpoch(db);
    const entries = await readAll(db, cipher);
    const commit = async (changes: StoreChanges) => {
      if (!lock.isOurs()) throw messengerError('STORE_LOST', { params: { location: name } });
      await writeAll(db, await sealAll(cipher, changes), { epoch, location: name }).catch((error: unknown) => {
        if (isParleyError(error, 'STORE_LOST')) tellLost();
        throw error;
      });
      applyChanges(entries, changes);
    };
    const release = async () => {
      db.close();
      lock.release();
    };
    return createBatchedStore({ location: name, ...createEntryMap(entries), commit, release });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Removes a store that is not open anywhere, with its key. */
export async function deleteIndexedDbStore(name: string): Promise<void> {
  await settle(indexedDB.deleteDatabase(`parley-store/${name}`));
}

function openDb(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(`parley-store/${name}`, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(ENTRIES);
    request.result.createObjectStore(META);
  };
  return settle(request);
}

async function ensureKey(db: IDBDatabase): Promise<CryptoKey> {
  // A transaction ends while anything else is awaited, so the key is made before it.
  const fresh = await generateValueKey();
  return change(db, [META], async (transaction) => {
    const meta = transaction.objectStore(META);
    const known: CryptoKey | undefined = await settle(meta.get('key'));
    if (known === undefined) meta.put(fresh, 'key');
    return known ?? fresh;
  });
}

/**
 * Stealing the lock does not stop a write of the tab that had it. The epoch, compared in the same transaction, does.
 */
function beginEpoch(db: IDBDatabase): Promise<number> {
  return change(db, [META], async (transaction) => {
    const meta = transaction.objectStore(META);
    const epoch = ((await settle<number | undefined>(meta.get('epoch'))) ?? 0) + 1;
    meta.put(epoch, 'epoch');
    return epoch;
  });
}

async function readAll(db: IDBDatabase, cipher: ValueCipher): Promise<Map<string, string>> {
  const entries = db.transaction(ENTRIES).objectStore(ENTRIES);
  const [keys, values] = await Promise.all([
    settle<string[]>(entries.getAllKeys() as IDBRequest<string[]>),
    settle<Uint8Array[]>(entries.getAll()),
  ]);
  return new Map(
    await Promise.all(keys.map(async (key, at) => [key, await cipher.decrypt(key, values[at]!)] as const)),
  );
}

type SealedChange = readonly [key: string, sealed: Uint8Array | null];

function sealAll(cipher: ValueCipher, changes: StoreChanges): Promise<SealedChange[]> {
  return Promise.all(
    [...changes].map(async ([key, value]) => [key, value === null ? null : await cipher.encrypt(key, value)] as const),
  );
}

async function writeAll(
  db: IDBDatabase,
  changes: readonly SealedChange[],
  { epoch, location }: { epoch: number; location: string },
): Promise<void> {
  await change(db, [ENTRIES, META], async (transaction) => {
    const current = await settle<number>(transaction.objectStore(META).get('epoch'));
    if (current !== epoch) throw messengerError('STORE_LOST', { params: { location } });
    const entries = transaction.objectStore(ENTRIES);
    for (const [key, sealed] of changes) {
      if (sealed === null) entries.delete(key);
      else entries.put(sealed, key);
    }
  });
}

async function change<Result>(
  db: IDBDatabase,
  stores: string[],
  work: (transaction: IDBTransaction) => Promise<Result>,
): Promise<Result> {
  const transaction = db.transaction(stores, 'readwrite', STRICT);
  const complete = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'));
  });
  try {
    const result = await work(transaction);
    await complete;
    return result;
  } catch (error) {
    complete.catch(() => {});
    try {
      transaction.abort();
    } catch {
      // The transaction has ended by itself.
    }
    throw error;
  }
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
