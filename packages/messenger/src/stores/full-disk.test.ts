import { cpSync, fstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { until } from '@parley/testkit/until';
import { afterAll, describe, expect, it } from 'vitest';
import { createDisk } from './disk.ts';
import { openFileStore, openStoreFolder } from './file.ts';
import { openReserve, RESERVE } from './reserve.ts';
import type { WriteBytes } from './write-bytes.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-full-'));
afterAll(() => rmSync(root, { recursive: true }));
let places = 0;

/** A disk of so many bytes: like a real one, it takes what fits of a write, and then nothing. */
function createQuota(location: string) {
  const quota = { bytes: Number.POSITIVE_INFINITY };
  const used = () =>
    readdirSync(location)
      .filter((name) => !name.startsWith('lock.'))
      .reduce((sum, name) => sum + statSync(join(location, name)).size, 0);
  const writeBytes: WriteBytes = (descriptor, bytes, from, position) => {
    const { size } = fstatSync(descriptor);
    const room = quota.bytes - used() + size - (position ?? size);
    const length = Math.min(bytes.length - from, room);
    if (length <= 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return writeSync(descriptor, bytes, from, length, position);
  };
  return { quota, used, writeBytes };
}

async function openSmall(location = join(root, `${places++}`)) {
  const { quota, used, writeBytes } = createQuota(location);
  const store = await openStoreFolder(location, { writeBytes });
  return { location, store, quota, used };
}

const KB = 'x'.repeat(1_000);
const put = (key: string, value = KB) => new Map([[key, value]]);

describe('EE-26 a full disk', () => {
  it('EE-26 EE-7 the batch is refused as a whole, those before it are there, and the next is written when there is space', async () => {
    const { location, store, quota, used } = await openSmall();
    await store.write(put('before'));
    quota.bytes = used();
    await store.write(put('on the reserve'));
    expect(store.shortage!()).toMatchObject({ error: { code: 'STORE_FULL' }, canReceive: true });
    quota.bytes = used() + 500;
    const refusal = await store.write(put('too much')).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'STORE_FULL', retry: true, params: { location } });
    expect(refusal.explain('zh-CN')).toContain('磁盘已满');
    expect(store.shortage!()).toMatchObject({ canReceive: false });
    expect(await store.get('too much')).toBeUndefined();
    quota.bytes = used() + 3_000;
    await store.write(put('small enough'));
    expect(store.shortage!()).toBeDefined();
    quota.bytes += 4 * RESERVE;
    await store.write(put('after'));
    expect(store.shortage!()).toBeUndefined();
    const crashed = join(root, `${places++}`);
    cpSync(location, crashed, { recursive: true, filter: (path) => !basename(path).startsWith('lock.') });
    await store.close();
    for (const place of [location, crashed]) {
      const again = await openFileStore(place);
      expect((await again.list('')).map(([key]) => key)).toEqual(['after', 'before', 'on the reserve', 'small enough']);
      await again.close();
    }
  });

  it('EE-26 the reserve comes back by itself, also where nothing is written', async () => {
    const { store, quota, used } = await openSmall();
    quota.bytes = used();
    await store.write(put('a'));
    expect(store.shortage!()).toBeDefined();
    quota.bytes = Number.POSITIVE_INFINITY;
    await until(() => store.shortage!() === undefined);
    await store.close();
  });

  it('EE-26 a reserve that is given up while it is made again is not there', async () => {
    const location = mkdtempSync(join(root, 'reserve-'));
    const reserve = openReserve(location, createDisk({ check: () => {} }));
    const making = reserve.restore();
    reserve.release();
    await making;
    expect([reserve.isWhole(), readdirSync(location)]).toEqual([false, []]);
    await reserve.restore();
    expect([reserve.isWhole(), readdirSync(location)]).toEqual([true, ['reserve']]);
  });

  it('EE-26 attack: messages fill the reserve; half of it stays for what has already happened', async () => {
    const { store, quota, used } = await openSmall();
    quota.bytes = used();
    let received = 0;
    while (store.shortage!()?.canReceive !== false) await store.write(put(`inbox/${received++}`, KB.repeat(10)));
    expect(received).toBeGreaterThan(10);
    for (let n = 0; n < 10; n++) await store.write(put(`audit/${n}`, KB.repeat(10)));
    expect(await store.list('audit/')).toHaveLength(10);
    await store.close();
  });

  it('EE-26 EE-4 full disk at a merge and at the end: closing does not fail, frees the lock, leaves no draft, loses nothing', async () => {
    const { location, store, quota, used } = await openSmall();
    for (let n = 0; n < 20; n++) await store.write(put(`peer/${n}`, `old ${n} ${KB}`));
    await store.write(put('peer/1', 'new'));
    quota.bytes = 0;
    const before = used();
    await store.close();
    expect(readdirSync(location).toSorted()).toEqual(['journal.2', 'log', 'reserve', 'table']);
    expect(used()).toBe(before);
    const { store: again } = await openSmall(location);
    expect(await again.get('peer/1')).toBe('new');
    expect(await again.list('peer/')).toHaveLength(20);
    await again.close();
    expect(readFileSync(join(location, 'table')).includes('old 1 ')).toBe(false);
  });

  it('EE-26 EE-7 opened on a full disk: what is there can be read, and is in one piece afterwards', async () => {
    const { location, store, quota } = await openSmall();
    await store.write(put('a', 'first'));
    await store.write(put('a', 'second'));
    quota.bytes = 0;
    await store.close();
    const full = createQuota(location);
    // No room for a journal; room for that, but not to merge.
    for (const room of [0, 20]) {
      full.quota.bytes = full.used() + room;
      const reading = await openStoreFolder(location, { writeBytes: full.writeBytes });
      expect(await reading.list('')).toEqual([['a', 'second']]);
      expect(await reading.get('a')).toBe('second');
      await reading.close();
    }
    const empty = join(root, `${places++}`);
    const fresh = createQuota(empty);
    for (const bytes of [0, 20, 40]) {
      fresh.quota.bytes = bytes;
      const nothing = openStoreFolder(empty, { writeBytes: fresh.writeBytes });
      await expect(nothing, `${bytes} bytes`).rejects.toMatchObject({ code: 'STORE_FULL' });
      expect(readdirSync(empty).filter((name) => name.startsWith('lock.'))).toEqual([]);
    }
    await (await openFileStore(empty)).close();
  });
});
