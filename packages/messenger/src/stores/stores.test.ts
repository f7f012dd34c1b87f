import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { STORE_CASES } from '@parley/testkit/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { type DurableObjectStorage, openDurableObjectStore } from './durable-object.ts';
import { openFileStore } from './file.ts';
import { createMemoryStore } from './memory.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-stores-'));
afterAll(() => rmSync(root, { recursive: true }));
let places = 0;

describe('EE-7 the store in memory', () => {
  it.each(STORE_CASES.filter(({ lasting }) => !lasting))('EE-7 $title', async ({ run }) => {
    await expect(run({ open: async () => createMemoryStore() })).resolves.toBeUndefined();
  });
});

describe('EE-7 the store in files', () => {
  it.each(STORE_CASES)('EE-7 $title', async ({ run }) => {
    const location = join(root, `${places++}`);
    await expect(run({ open: () => openFileStore(location) })).resolves.toBeUndefined();
  });
});

/** Cloudflare's limits for an object without SQLite, which are the narrower ones. workerd alone has none. */
const MAX_KEY_BYTES = 2_048;
const MAX_VALUE_BYTES = 131_072;

/**
 * As Cloudflare keeps it: by value, within its limits, all of a transaction or nothing, and what conflicts is run again.
 * workerd itself is in scripts/packages/runtimes.
 */
function createDurableStorage(content = new Map<string, unknown>([['of the object itself', 1]])) {
  const storage: DurableObjectStorage = {
    transaction: async (work) => {
      const attempt = async () => {
        const draft = new Map(content);
        await work({
          get: async (key) => draft.get(key),
          list: async ({ prefix }) => new Map([...draft].filter(([key]) => key.startsWith(prefix))),
          put: async (key, value) => {
            if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new RangeError('Keys cannot be larger than 2048 bytes.');
            if (serialize(value).length > MAX_VALUE_BYTES) {
              throw new RangeError('Values cannot be larger than 131072 bytes.');
            }
            draft.set(key, value);
          },
          delete: async (key) => draft.delete(key),
        });
        return draft;
      };
      await attempt();
      const draft = await attempt();
      content.clear();
      for (const [key, value] of draft) content.set(key, value);
    },
  };
  return { storage, content };
}

describe('PK-6 the store in a Durable Object', () => {
  it.each(STORE_CASES)('PK-6 $title', async ({ run }) => {
    const { storage, content } = createDurableStorage();
    await expect(run({ open: () => openDurableObjectStore(storage) })).resolves.toBeUndefined();
    expect(content.get('of the object itself')).toBe(1);
  });

  it('PK-6 keeps values of any length within the limits of the storage, and leaves no part of one behind', async () => {
    const { storage, content } = createDurableStorage();
    const long = (character: string, length: number) => character.repeat(length);
    const steps = [
      long('x', 600_000),
      long('字', 1_000_000),
      long('👋', 70_001),
      long('x', 60_001),
      long('字', 60_000),
      'short',
      long('x', 200_000),
      null,
    ];
    for (const value of steps) {
      const store = await openDurableObjectStore(storage);
      await store.write(new Map([['outbox/1', value]]));
      await store.write(new Map([['outbox/1/0', 'another']]));
      await store.close();
      const again = await openDurableObjectStore(storage);
      expect((await again.get('outbox/1')) === (value ?? undefined)).toBe(true);
      expect((await again.list('')).map(([key]) => key)).toEqual([
        ...(value === null ? [] : ['outbox/1']),
        'outbox/1/0',
      ]);
      await again.close();
    }
    expect([...content.keys()].sort()).toEqual(['of the object itself', 'parley/outbox/1/0']);
  });

  it('PK-6 replaces a long value as a whole or not at all', async () => {
    const { storage, content } = createDurableStorage();
    const before = 'a'.repeat(200_000);
    const store = await openDurableObjectStore(storage);
    await store.write(new Map([['outbox/1', before]]));
    const kept = new Map(content);
    const batch = new Map([
      ['outbox/1', 'b'.repeat(100_000)],
      ['k'.repeat(3_000), 'a key that is too long'],
    ]);
    await expect(store.write(batch)).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(content).toEqual(kept);
    await store.close();
    const again = await openDurableObjectStore(storage);
    expect((await again.get('outbox/1')) === before).toBe(true);
    await again.close();
  });

  it('EE-7 PK-6 EE-26 is opened once at a time, reads what is asked for alone, and goes on after a failed read', async () => {
    const { storage } = createDurableStorage();
    const opening = openDurableObjectStore(storage);
    await expect(openDurableObjectStore(storage)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    const store = await opening;
    await expect(openDurableObjectStore(storage)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    await (await openDurableObjectStore(createDurableStorage().storage)).close();
    await store.close();
    const again = await openDurableObjectStore(storage);
    const { transaction } = storage;
    storage.transaction = async () => Promise.reject(new Error('gone'));
    await expect(again.get('a')).rejects.toThrow('gone');
    storage.transaction = transaction;
    expect(await again.get('a')).toBeUndefined();
    await again.close();
  });
});
