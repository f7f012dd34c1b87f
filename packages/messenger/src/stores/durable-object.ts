import { messengerError } from '../errors.ts';
import { createBatchedStore } from './batched-store.ts';
import type { Store, StoreChanges } from './store.ts';

/** The part of a Durable Object's `ctx.storage` that is used. */
export interface DurableObjectStorage {
  transaction(work: (transaction: DurableObjectTransaction) => Promise<void>): Promise<void>;
}
interface DurableObjectTransaction {
  get(key: string): Promise<unknown>;
  list(options: { readonly prefix: string }): Promise<Map<string, unknown>>;
  put(key: string, value: string | number): Promise<void>;
  delete(key: string): Promise<boolean>;
}

const LOCATION = 'Durable Object';
/** The object may keep other things beside it. */
const PREFIX = 'parley/';
const PART_PREFIX = 'parley-part/';
/**
 * Cloudflare refuses values over 128 KiB where the object has no SQLite, and over 2 MB where it has; workerd alone
 * refuses none. A character may take two bytes.
 */
const MAX_LENGTH = 60_000;

/** Two stores on one storage would each write what the other does not know of. */
const held = new WeakSet<DurableObjectStorage>();

/**
 * Opens a store in a Durable Object, for agents in workerd (PK-6). There is one object of a name in the world, so
 * nobody else holds it (EE-7); what opens it a second time gets STORE_BUSY until it is closed. Values of any length are
 * kept, whichever kind of storage the object has.
 */
export async function openDurableObjectStore(storage: DurableObjectStorage): Promise<Store> {
  if (held.has(storage)) throw messengerError('STORE_BUSY', { params: { location: LOCATION } });
  held.add(storage);
  return createBatchedStore({
    location: LOCATION,
    get: (key) =>
      read(storage, async (transaction) => readValue(transaction, key, await transaction.get(PREFIX + key))),
    list: (prefix) => read(storage, (transaction) => listValues(transaction, prefix)),
    commit: (changes) => writeAll(storage, changes),
    release: async () => void held.delete(storage),
  });
}

const partKey = (key: string, index: number) => `${PART_PREFIX}${key}/${index}`;

/** In a transaction, because a value in parts must not be replaced between its parts. */
async function read<Result>(
  storage: DurableObjectStorage,
  work: (transaction: DurableObjectTransaction) => Promise<Result>,
): Promise<Result> {
  let result: Result;
  await storage.transaction(async (transaction) => {
    result = await work(transaction);
  });
  return result!;
}

/** A value that is stored in parts has their number in its place. */
async function readValue(transaction: DurableObjectTransaction, key: string, stored: unknown) {
  if (typeof stored !== 'number') return stored as string | undefined;
  const parts = Array.from({ length: stored }, (_, index) => transaction.get(partKey(key, index)));
  return (await Promise.all(parts)).join('');
}

async function listValues(transaction: DurableObjectTransaction, prefix: string): Promise<[string, string][]> {
  const stored = await transaction.list({ prefix: PREFIX + prefix });
  const found: [string, string][] = [];
  for (const [name, value] of stored) {
    const key = name.slice(PREFIX.length);
    found.push([key, (await readValue(transaction, key, value)) as string]);
  }
  return found;
}

async function writeAll(storage: DurableObjectStorage, changes: StoreChanges): Promise<void> {
  const split = [...changes].map(([key, value]) => ({ key, value, parts: splitValue(value) }));
  // The storage may run it several times, so nothing else is changed in it.
  await storage.transaction(async (transaction) => {
    for (const { key, value, parts } of split) {
      const before = await transaction.get(PREFIX + key);
      if (value === null) await transaction.delete(PREFIX + key);
      else await transaction.put(PREFIX + key, parts.length > 0 ? parts.length : value);
      for (const [index, part] of parts.entries()) await transaction.put(partKey(key, index), part);
      for (let index = parts.length; index < (typeof before === 'number' ? before : 0); index++) {
        await transaction.delete(partKey(key, index));
      }
    }
  });
}

/** Returns no parts for a value that fits. */
function splitValue(value: string | null): string[] {
  if (value === null || value.length <= MAX_LENGTH) return [];
  const count = Math.ceil(value.length / MAX_LENGTH);
  return Array.from({ length: count }, (_, index) => value.slice(index * MAX_LENGTH, (index + 1) * MAX_LENGTH));
}
