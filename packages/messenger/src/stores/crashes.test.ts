import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createRandom } from '@parley/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { applyChanges } from './entry-map.ts';
import { openStoreFolder } from './file.ts';
import type { WriteBytes } from './write-bytes.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-crashes-'));
afterAll(() => rmSync(root, { recursive: true }));

type Changes = Map<string, string | null>;
const KEYS = ['', 'a', 'a/', 'a/b', 'a/b/c', '\ud800', '\ud800a', '\udc00', '\uffff', '😀', '__proto__'];

let made = 0;
/** Each value begins with a name of its own, but for those that are empty. */
function makeChanges({ between, chance }: ReturnType<typeof createRandom>): Changes {
  const changes: Changes = new Map();
  for (let n = between(1, 30); n > 0; n--) {
    const key = chance(0.2) ? KEYS[between(0, KEYS.length - 1)]! : `p/${between(0, 80)}`;
    const length = chance(0.02) ? 100_000 : between(0, 3_000);
    const value = chance(0.1) ? '' : `<${made++}>${'x'.repeat(length)}`;
    changes.set(key, chance(0.3) ? null : value);
  }
  return changes;
}

const sorted = (model: ReadonlyMap<string, string>) => [...model].sort(([a], [b]) => (a < b ? -1 : 1));
const namesIn = (text: string) => new Set(text.match(/<\d+>/g));
const contentOf = (location: string) =>
  readdirSync(location)
    .filter((name) => name !== 'reserve')
    .map((name) => readFileSync(join(location, name), 'latin1'))
    .join();

/** Opens a store that copies its folder before, within and after some of its writes. */
function createCrashes(random: ReturnType<typeof createRandom>, location: string, onCrash: (copy: string) => void) {
  let copies = 0;
  const crash = () => {
    const copy = `${location}.crash${copies++}`;
    cpSync(location, copy, { recursive: true, filter: (path) => !basename(path).startsWith('lock.') });
    onCrash(copy);
  };
  const writeBytes: WriteBytes = (descriptor, bytes, from, position) => {
    if (random.chance(0.02)) crash();
    const length = random.chance(0.2) ? random.between(1, bytes.length - from) : bytes.length - from;
    const done = writeSync(descriptor, bytes, from, length, position);
    if (random.chance(0.02)) crash();
    return done;
  };
  return { writeBytes };
}

describe('EE-7 EE-4 crashes at any write of a journal, a merge or an erasure', () => {
  it.each([1, 2])(
    'everything acknowledged is there, no batch is half there, nothing replaced is left (%d)',
    async (seed) => {
      const random = createRandom(7, seed);
      let location = join(root, `${seed}`);
      let model = new Map<string, string>();
      for (let life = 0; life < 3; life++) {
        let onWay: Changes = new Map();
        const crashes: { copy: string; before: Map<string, string>; after: Map<string, string> }[] = [];
        const { writeBytes } = createCrashes(random, location, (copy) => {
          const after = new Map(model);
          applyChanges(after, onWay);
          crashes.push({ copy, before: new Map(model), after });
        });
        const store = await openStoreFolder(location, { writeBytes, maxAgeMs: -1 });
        for (let n = 0; n < 12; n++) {
          onWay = makeChanges(random);
          const reads = [...onWay.keys()].map(async (key) => {
            const before = model.get(key);
            expect([before, onWay.get(key) ?? undefined]).toContain(await store.get(key));
          });
          await Promise.all([store.write(onWay), ...reads]);
          applyChanges(model, onWay);
          onWay = new Map();
          if (random.chance(0.3)) expect(await store.list('')).toEqual(sorted(model));
          if (random.chance(0.3))
            expect(await store.list('a/')).toEqual(sorted(model).filter(([k]) => k.startsWith('a/')));
          for (const key of KEYS) expect(await store.get(key)).toBe(model.get(key));
        }
        await store.close();
        for (const { copy, before, after } of crashes) {
          const again = await openStoreFolder(copy, {});
          const list = await again.list('');
          expect([sorted(before), sorted(after)]).toContainEqual(list);
          const live = namesIn(JSON.stringify(list));
          expect([...namesIn(contentOf(copy))].filter((name) => !live.has(name))).toEqual([]);
          await again.close();
          expect([...namesIn(contentOf(copy))].filter((name) => !live.has(name))).toEqual([]);
        }
        // The next life goes on from one of the crashes.
        const next = crashes.at(-1);
        for (const { copy } of crashes) if (copy !== next?.copy) rmSync(copy, { recursive: true });
        if (next === undefined) continue;
        const reopened = await openStoreFolder(next.copy, {});
        model = new Map(await reopened.list(''));
        await reopened.close();
        location = next.copy;
      }
    },
  );
});
