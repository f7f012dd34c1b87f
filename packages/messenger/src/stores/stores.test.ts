import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STORE_CASES } from '@parley/testkit/contracts';
import { afterAll, describe, expect, it } from 'vitest';
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
