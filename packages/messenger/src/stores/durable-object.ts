import { createBatchedStore } from './batched-store.ts';
import type { Store } from './store.ts';

/** The part of a Durable Object's `ctx.storage` that is used. */
export interface DurableObjectStorage {
  list(options: { readonly prefix: string }): Promise<Map<string, unknown>>;
  transaction(work: (transaction: DurableObjectTransaction) => Promise<void>): Promise<void>;
}
interface DurableObjectTransaction {
  put(key: string, value: string): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** The object may keep other things beside it. */
const PREFIX = 'parley/';

/**
 * Opens a store in a Durable Object, for agents in workerd (PK-6). There is one object of a name in the world, so
 * nobody else holds it (EE-7).
 */
export async function openDurableObjectStore(storage: DurableObjectStorage): Promise<Store> {
  const stored = await storage.list({ prefix: PREFIX });
  const entries = new Map([...stored].map(([key, value]) => [key.slice(PREFIX.length), value as string]));
  return createBatchedStore({
    location: 'Durable Object',
    entries,
    commit: (changes) =>
      storage.transaction(async (transaction) => {
        for (const [key, value] of changes) {
          if (value === null) await transaction.delete(PREFIX + key);
          else await transaction.put(PREFIX + key, value);
        }
      }),
    release: async () => {},
  });
}
