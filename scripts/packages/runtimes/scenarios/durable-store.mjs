/**
 * A keystore in the storage of a Durable Object, whose writes are on disk before anything leaves the object.
 *
 * @param {DurableObjectStorage} storage
 * @returns {import('@parley/agent/webhook').Store}
 */
export function createDurableStore(storage) {
  return {
    get: (key) => storage.get(key),
    list: async (prefix) => [...(await storage.list({ prefix }))],
    write: (batch) =>
      storage.transaction(async (transaction) => {
        for (const [key, entry] of batch) {
          const value = typeof entry === 'function' ? entry() : entry;
          if (value === null) await transaction.delete(key);
          else await transaction.put(key, value);
        }
      }),
    close: async () => {},
  };
}
