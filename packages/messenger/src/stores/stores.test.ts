import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** As workerd keeps it: by value, all of a transaction or nothing. The real one is in scripts/packages/runtimes. */
function createDurableStorage(content = new Map<string, unknown>([['of the object itself', 1]])) {
  const storage: DurableObjectStorage = {
    list: async ({ prefix }) => new Map([...content].filter(([key]) => key.startsWith(prefix))),
    transaction: async (work) => {
      const draft = new Map(content);
      await work({
        put: async (key, value) => void draft.set(key, value),
        delete: async (key) => draft.delete(key),
      });
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
});
