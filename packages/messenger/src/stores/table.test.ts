import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@parley/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { createDisk } from './disk.ts';
import { applyChanges } from './entry-map.ts';
import { openFileStore } from './file.ts';
import { type Leaves, NO_LEAVES } from './leaves.ts';
import { openTable, type Table } from './table.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-table-'));
afterAll(() => rmSync(root, { recursive: true }));
const damaged = () => new Error('damaged');

let made = 0;
/** Each value begins with a name of its own. */
function makeChanges(random: ReturnType<typeof createRandom>, round: number): Map<string, string | null> {
  const changes = new Map<string, string | null>();
  for (let n = random.between(1, 60); n > 0; n--) {
    const key = `${'abc'[random.between(0, 2)]}/${random.between(0, 150)}`;
    const isDeleted = round % 10 > 6 || random.between(0, 3) === 0;
    changes.set(key, isDeleted ? null : `<${made++}>${'x'.repeat(random.between(0, 4_000))}`);
  }
  return changes;
}

/** Names of what must not be on disk: what was replaced, or what a merge has written that failed. */
function findGone(model: ReadonlyMap<string, string>, changes: ReadonlyMap<string, string | null>, isMerged: boolean) {
  const values = isMerged ? [...changes.keys()].map((key) => model.get(key)) : [...changes.values()];
  return values.flatMap((value) => value?.split('>')[0] ?? []);
}

async function expectContent(table: Table, model: ReadonlyMap<string, string>, keys: readonly string[]) {
  const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
  expect(await table.list('')).toEqual(sorted);
  expect(await table.list('b/1')).toEqual(sorted.filter(([key]) => key.startsWith('b/1')));
  for (const key of keys) expect(await table.get(key)).toBe(model.get(key));
}

describe('EE-26 the table of a store', () => {
  it('EE-26 EE-7 EE-4 after any merges, and merges that failed at any write, holds what a map would; nothing else is on disk', async () => {
    const random = createRandom(26);
    const file = join(root, 'table');
    let allowed = Number.POSITIVE_INFINITY;
    const disk = createDisk({
      check: () => {},
      writeBytes: (descriptor, bytes, from, position) => {
        if (allowed-- <= 0) throw new Error('failed');
        return writeSync(descriptor, bytes, from, bytes.length - from, position);
      },
    });
    let leaves = NO_LEAVES;
    const open = (isClean: boolean) => openTable(file, { disk, leaves, isClean, damaged });
    let table = open(true);
    const model = new Map<string, string>();
    const gone = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const changes = makeChanges(random, round);
      allowed = round % 3 === 2 ? random.between(0, 20) : Number.POSITIVE_INFINITY;
      const commit = async (next: Leaves) => {
        leaves = next;
      };
      const isMerged = await table.merge(changes, commit).then(
        () => true,
        () => false,
      );
      for (const name of findGone(model, changes, isMerged)) gone.add(name);
      if (isMerged) applyChanges(model, changes);
      allowed = Number.POSITIVE_INFINITY;
      const isCrash = round % 7 === 6;
      if (isCrash) {
        table.close();
        table = open(false);
      }
      await table.erase();
      await expectContent(table, model, [...changes.keys()]);
      const content = readFileSync(file, 'latin1');
      expect([...gone].filter((name) => content.includes(`${name}>`))).toEqual([]);
    }
    expect(gone.size).toBeGreaterThan(100);
    const live = [...model].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
    expect(statSync(file).size).toBeLessThan(live * 3 + 100_000);
    table.close();
  });

  it('EE-26 a key that is not there is not looked for on disk, whatever characters it has', async () => {
    const file = join(root, 'absent');
    const keys = Array.from({ length: 400 }, (_, n) => `${n % 2 ? '\ud800' : 'é'}/${n}`);
    let leaves = NO_LEAVES;
    const open = () => openTable(file, { disk: createDisk({ check: () => {} }), leaves, isClean: true, damaged });
    const table = open();
    const entries = new Map(keys.map((key) => [key, `<${key}>${'x'.repeat(200)}`]));
    await table.merge(entries, async (next) => {
      leaves = next;
    });
    expect(leaves.count).toBeGreaterThan(5);
    for (const key of keys) expect(await table.get(key)).toBe(entries.get(key));
    table.close();
    // Whatever is looked for on disk now is damaged.
    writeFileSync(file, Buffer.alloc(statSync(file).size));
    const broken = open();
    const found = await Promise.allSettled(keys.map((key) => broken.get(`${key}/absent`)));
    expect(found.filter(({ status }) => status === 'rejected').length).toBeLessThan(keys.length / 20);
    await expect(broken.get(keys[7]!)).rejects.toThrow('damaged');
    broken.close();
  });

  it('EE-7 taken over by another during an erasure: what the other has added is not cut off', async () => {
    let isHeld = true;
    const check = () => {
      if (!isHeld) throw new Error('lost');
    };
    const file = join(root, 'taken-over');
    const table = openTable(file, { disk: createDisk({ check }), leaves: NO_LEAVES, isClean: true, damaged });
    await table.merge(new Map([['a', 'x']]), async () => {});
    appendFileSync(file, 'of the other');
    const { size } = statSync(file);
    isHeld = false;
    await expect(table.erase()).rejects.toThrow('lost');
    expect(statSync(file).size).toBe(size);
    table.close();
  });

  it('EE-26 reads during merges never miss a value and never see half of a batch', async () => {
    const location = join(root, 'reads');
    const store = await openFileStore(location, { maxAgeMs: -1 });
    let done = 0;
    const value = (n: number) => `${n} ${'x'.repeat(3_000)}`;
    await store.write(new Map(Array.from({ length: 40 }, (_, key) => [`k/${key}`, value(0)])));
    const read = async () => {
      while (done < 60) {
        const least = done;
        const one = Number((await store.get('k/7'))!.split(' ')[0]);
        expect(one).toBeGreaterThanOrEqual(least);
        const all = new Set((await store.list('k/')).map(([, text]) => text.split(' ')[0]));
        expect(all.size).toBe(1);
      }
    };
    const write = async () => {
      for (let n = 1; n <= 60; n++) {
        await store.write(new Map(Array.from({ length: 40 }, (_, key) => [`k/${key}`, value(n)])));
        done = n;
      }
    };
    await Promise.all([write(), read(), read()]);
    expect(readdirSync(location).filter((name) => name.startsWith('journal.')).length).toBeLessThan(5);
    await store.close();
  });
});
