import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFileStore } from './file.ts';
import { readFileStore, writeFileStore } from './snapshot.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-snapshot-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('OP-11 reading a store that another process holds', () => {
  it('OP-11 has everything that was written before, but no ratchets, while it is written and merged', async () => {
    const location = join(folder, 'store');
    const store = await openFileStore(location, { maxAgeMs: 0 });
    await store.write(
      new Map([
        ['own/keys', 'identity'],
        ['own/once/1', 'prekey'],
        ['pin/ada', 'pinned'],
        ['peer/ada', 'ratchet'],
        ['outbox/1', 'under way'],
      ]),
    );
    let written = 0;
    let isOver = false;
    const writing = (async () => {
      for (; !isOver; written++) await store.write(new Map([['counter', `${written} ${'x'.repeat(200_000)}`]]));
    })();
    let copies = 0;
    for (; copies < 10 || written < 50; copies++) {
      const before = written;
      const entries = new Map(await readFileStore(location));
      expect([...entries.keys()].filter((key) => key !== 'counter')).toEqual(['own/keys', 'own/once/1', 'pin/ada']);
      expect(entries.get('own/keys')).toBe('identity');
      if (before > 0) expect(Number(entries.get('counter')!.split(' ')[0])).toBeGreaterThanOrEqual(before - 1);
    }
    isOver = true;
    await writing;
    await store.close();

    const entries = (await readFileStore(location))!;
    const restored = join(folder, 'restored');
    await writeFileStore(restored, entries);
    expect(await readFileStore(restored)).toEqual(entries);
    await expect(writeFileStore(restored, entries)).rejects.toMatchObject({ code: 'BACKUP_TARGET' });
  });

  it('OP-11 where there is no store there is nothing to read', async () => {
    expect(await readFileStore(join(folder, 'nowhere'))).toBeUndefined();
    expect(await readFileStore(folder)).toBeUndefined();
  });
});
