import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@parley/testkit';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/stores/file.ts';
import { bundleChild, startChild } from './start-child.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-crash-'));
const program = join(root, 'child.mjs');
const KILLS = 12;

beforeAll(() => bundleChild(program));
afterAll(() => rmSync(root, { recursive: true }));

describe('EE-7 a file store and the death of its process', () => {
  it('EE-7 kill -9 at any moment: every acknowledged batch is there, and no half of one', async () => {
    const place = join(root, 'killed');
    const random = createRandom(9);
    const acknowledged = new Set<string>();
    let first = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = startChild(program, [place, `${first}`, kill % 2 === 0 ? '1' : '32']);
      await child.heard(random.between(2, 400));
      await child.kill();
      expect(child.lines[0]).toBe('open');
      for (const line of child.lines.slice(1)) acknowledged.add(line);
      const store = await openFileStore(place);
      const [as, bs] = [await store.list('a/'), await store.list('b/')];
      const last = Number(await store.get('last'));
      await store.close();
      const kept = new Set(as.map(([, n]) => n));
      expect([...acknowledged].filter((n) => !kept.has(n))).toEqual([]);
      expect(bs.map(([, n]) => n)).toEqual(as.map(([, n]) => n));
      first = Math.max(...as.map(([, n]) => Number(n))) + 1;
      expect(last).toBe(first - 1);
    }
    expect(acknowledged.size).toBeGreaterThan(KILLS);
  });

  it('EE-7 two processes on one keystore: the second is told who has it, and may have it when the first is dead', async () => {
    const place = join(root, 'held');
    const child = startChild(program, [place, '0', '1']);
    await child.heard(1);
    await expect(openFileStore(place)).rejects.toMatchObject({ code: 'STORE_HELD', params: { pid: child.pid } });
    await expect(openFileStore(place)).rejects.toThrow(`process ${child.pid} `);
    await child.kill();
    const store = await openFileStore(place);
    await store.close();
    expect(readdirSync(place).filter((name) => name.startsWith('lock.'))).toEqual([]);
  });

  it('EE-7 many processes after one that died: exactly one gets the keystore', async () => {
    const place = join(root, 'race');
    for (let round = 0; round < 3; round++) {
      const racers = Array.from({ length: 6 }, () => startChild(program, [place, `${round * 1000}`, '1']));
      await Promise.all(racers.map((racer) => racer.heard(1)));
      const first = racers.map(({ lines }) => lines[0]);
      await Promise.all(racers.map((racer) => racer.kill()));
      expect(first.toSorted()).toEqual([...Array(5).fill('STORE_HELD'), 'open']);
    }
  });
  it('EE-26 EE-7 full disk: told, closed without failing and without a trace; everything acknowledged is there', async () => {
    const place = join(root, 'full');
    const child = startChild(program, [place, '0', '8'], 300);
    await until(() => child.lines.at(-1) === 'closed');
    const [open, ...acknowledged] = child.lines.slice(0, -2);
    expect([open, ...child.lines.slice(-2)]).toEqual(['open', 'STORE_FULL', 'closed']);
    expect(readdirSync(place).filter((name) => name.startsWith('lock.') || name.endsWith('.new'))).toEqual([]);
    const store = await openFileStore(place);
    const kept = new Set((await store.list('a/')).map(([, n]) => n));
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
    expect((await store.list('b/')).length).toBe(kept.size);
    await store.write(new Map([['more', 'room']]));
    await store.close();
  });
});
