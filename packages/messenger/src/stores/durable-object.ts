import { messengerError } from '../errors.ts';
import { createBatchedStore } from './batched-store.ts';
import type { Store, StoreChanges } from './store.ts';

/** The part of a Durable Object's `ctx.storage` that is used. */
export interface DurableObjectStorage {
  list(options: { readonly prefix: string }): Promise<Map<string, unknown>>;
  transaction(work: (transaction: DurableObjectTransaction) => Promise<void>): Promise<void>;
}
interface DurableObjectTransaction {
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
  try {
    const { entries, partCounts } = await readAll(storage);
    return createBatchedStore({
      location: LOCATION,
      entries,
      commit: (changes) => writeAll(storage, changes, partCounts),
      release: async () => void held.delete(storage),
    });
  } catch (error) {
    held.delete(storage);
    throw error;
  }
}

/** How many parts a value is stored in, for those that are stored in parts. */
type PartCounts = Map<string, number>;

const partKey = (key: string, index: number) => `${PART_PREFIX}${key}/${index}`;

/** A value that is stored in parts has their number in its place. */
async function readAll(storage: DurableObjectStorage) {
  const stored = await storage.list({ prefix: PREFIX });
  const parts = await storage.list({ prefix: PART_PREFIX });
  const entries = new Map<string, string>();
  const partCounts: PartCounts = new Map();
  for (const [name, value] of stored) {
    const key = name.slice(PREFIX.length);
    if (typeof value === 'number') {
      partCounts.set(key, value);
      entries.set(key, Array.from({ length: value }, (_, index) => parts.get(partKey(key, index)) as string).join(''));
    } else {
      entries.set(key, value as string);
    }
  }
  return { entries, partCounts };
}

async function writeAll(storage: DurableObjectStorage, changes: StoreChanges, partCounts: PartCounts): Promise<void> {
  const split = [...changes].map(([key, value]) => ({ key, value, parts: splitValue(value) }));
  // The storage may run it several times, so nothing else is changed in it.
  await storage.transaction(async (transaction) => {
    for (const { key, value, parts } of split) {
      if (value === null) await transaction.delete(PREFIX + key);
      else await transaction.put(PREFIX + key, parts.length > 0 ? parts.length : value);
      for (const [index, part] of parts.entries()) await transaction.put(partKey(key, index), part);
      for (let index = parts.length; index < (partCounts.get(key) ?? 0); index++) {
        await transaction.delete(partKey(key, index));
      }
    }
  });
  for (const { key, parts } of split) {
    if (parts.length > 0) partCounts.set(key, parts.length);
    else partCounts.delete(key);
  }
}

/** Returns no parts for a value that fits. */
function splitValue(value: string | null): string[] {
  if (value === null || value.length <= MAX_LENGTH) return [];
  const count = Math.ceil(value.length / MAX_LENGTH);
  return Array.from({ length: count }, (_, index) => value.slice(index * MAX_LENGTH, (index + 1) * MAX_LENGTH));
}
