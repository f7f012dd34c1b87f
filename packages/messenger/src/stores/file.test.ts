import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { HOST } from '@parley/base/node';
import { until } from '@parley/testkit/until';
import { afterAll, describe, expect, it } from 'vitest';
import { type FileStoreOptions, openFileStore, openStoreFolder } from './file.ts';
import { encodeFrame } from './log-frames.ts';
import type { WriteBytes } from './write-bytes.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-file-'));
afterAll(() => rmSync(root, { recursive: true }));
let places = 0;
const folders: string[] = [];
const newPlace = () => {
  folders.push(join(root, `${places++}`));
  return folders.at(-1)!;
};
/** All bytes in a folder, but for the reserve. */
const contentOf = (location: string) =>
  Buffer.concat(
    readdirSync(location)
      .filter((name) => name !== 'reserve')
      .map((name) => readFileSync(join(location, name))),
  );
const journalOf = (location: string) =>
  join(
    location,
    readdirSync(location)
      .filter((name) => name.startsWith('journal.'))
      .toSorted()
      .at(-1)!,
  );

/** The folder of a store as a crash at this moment would leave it. */
function crash(location: string): string {
  const copy = newPlace();
  cpSync(location, copy, { recursive: true, filter: (path) => !basename(path).startsWith('lock.') });
  return copy;
}

/** As if the holder were on another host. Returns the file by which it gives signs of life. */
function moveElsewhere(location: string): string {
  const elsewhere = (name: string) => join(location, name.replace(HOST, 'f'.repeat(16)));
  const locks = readdirSync(location).filter((name) => name.startsWith('lock.'));
  for (const name of locks) renameSync(join(location, name), elsewhere(name));
  return elsewhere(locks.find((name) => !name.endsWith('.held'))!);
}

/** Returns where in the journal each batch ended, in a folder that looks as after a crash. */
async function fill(batches: number): Promise<{ location: string; ends: number[]; journal: string }> {
  const place = newPlace();
  const store = await openFileStore(place);
  const file = journalOf(place);
  const ends = [statSync(file).size];
  for (let n = 0; n < batches; n++) {
    await store.write(
      new Map([
        [`a/${n}`, 'first half'],
        [`b/${n}`, 'second half'],
      ]),
    );
    ends.push(statSync(file).size);
  }
  const location = crash(place);
  await store.close();
  return { location, ends, journal: join(location, basename(file)) };
}

async function keysOf(location: string): Promise<string[]> {
  const store = await openFileStore(location);
  const keys = (await store.list('')).map(([key]) => key);
  await store.close();
  return keys;
}

describe('EE-10 who can read it', () => {
  it('EE-10 folder and files are for their owner only, whatever the umask', async () => {
    const location = newPlace();
    const before = process.umask(0);
    try {
      const store = await openFileStore(location);
      await store.write(new Map([['a', '1']]));
      await store.close();
    } finally {
      process.umask(before);
    }
    expect(readdirSync(location).toSorted()).toEqual(['journal.3', 'log', 'reserve', 'table']);
    expect(statSync(location).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(location)) expect(statSync(join(location, name)).mode & 0o777).toBe(0o600);
  });

  it('EE-10 keys others can read are refused, with what to do', async () => {
    const { location } = await fill(1);
    for (const name of readdirSync(location).filter((name) => name !== 'reserve')) {
      chmodSync(join(location, name), 0o640);
      await expect(openFileStore(location)).rejects.toThrow(`Run: chmod 600 ${join(location, name)}`);
      chmodSync(join(location, name), 0o600);
    }
    chmodSync(location, 0o755);
    const refusal = await openFileStore(location).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'STORE_EXPOSED', message: expect.stringContaining(`chmod 700 ${location}`) });
    expect(refusal.explain('zh-CN')).toContain(`请运行：chmod 700 ${location}`);
    chmodSync(location, 0o700);
    expect(await keysOf(location)).toEqual(['a/0', 'b/0']);
  });

  it('EE-10 symlink in the place of a file: not followed', async () => {
    const { location } = await fill(1);
    for (const name of readdirSync(location).filter((name) => name !== 'reserve')) {
      const elsewhere = newPlace();
      renameSync(join(location, name), elsewhere);
      symlinkSync(elsewhere, join(location, name));
      await expect(openFileStore(location), name).rejects.toMatchObject({ code: 'ELOOP' });
      rmSync(join(location, name));
      renameSync(elsewhere, join(location, name));
    }
  });
});

describe('EE-7 what a crash leaves behind', () => {
  it('EE-7 torn tail: cut at every byte, the whole batches before it are there and writing goes on', async () => {
    const { location, ends, journal } = await fill(2);
    for (let length = ends.at(-1)!; length >= 0; length--) {
      const place = crash(location);
      truncateSync(join(place, basename(journal)), length);
      const kept = Math.max(0, ends.filter((end) => end <= length).length - 1);
      const store = await openFileStore(place);
      expect((await store.list('')).length, `of ${length} bytes`).toBe(kept * 2);
      await store.write(new Map([['after', 'the crash']]));
      const again = crash(place);
      await store.close();
      if (length % 8 === 0) expect((await keysOf(again)).length).toBe(kept * 2 + 1);
      rmSync(place, { recursive: true });
    }
  });

  it.each([
    ['zeros', Buffer.alloc(5_000)],
    ['anything', Buffer.alloc(5_000, 'garbage')],
    ['a head without its body', undefined],
  ])('EE-7 torn tail: %s behind the last batch are cut off', async (_, garbage) => {
    const { location, ends, journal } = await fill(3);
    if (garbage === undefined) truncateSync(journal, ends[2]! + 12);
    else appendFileSync(journal, garbage);
    const expected = garbage === undefined ? 2 : 3;
    expect((await keysOf(location)).length).toBe(expected * 2);
    expect(contentOf(location).includes('garbage')).toBe(false);
  });

  it('EE-7 flipped bit before the end: refused instead of losing what was acknowledged', async () => {
    const { location, ends, journal } = await fill(3);
    const whole = readFileSync(journal);
    for (let offset = ends[0]!; offset < ends[2]!; offset++) {
      const altered = Buffer.from(whole);
      altered[offset]! ^= 1 << (offset % 8);
      writeFileSync(journal, altered);
      await expect(openFileStore(location), `at ${offset}`).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    }
    expect(readFileSync(journal).length).toBe(whole.length);
  });

  it('EE-7 flipped bit in index or table, a file that is gone or shorter: noticed, and nothing is written', async () => {
    const { location } = await fill(1);
    expect(await keysOf(location)).toHaveLength(2);
    const [index, table] = ['log', 'table'].map((name) => readFileSync(join(location, name))) as [Buffer, Buffer];
    const damage = { code: expect.stringMatching(/^STORE_(DAMAGED|NOT_OURS)$/) };
    for (let offset = 0; offset < index.length; offset++) {
      const altered = Buffer.from(index);
      altered[offset]! ^= 1 << (offset % 8);
      writeFileSync(join(location, 'log'), altered);
      await expect(openFileStore(location), `index at ${offset}`).rejects.toMatchObject(damage);
    }
    writeFileSync(join(location, 'log'), index);
    const store = await openFileStore(location);
    const end = table.lastIndexOf(']') + 1;
    for (let offset = 0; offset < end; offset++) {
      const altered = Buffer.from(table);
      altered[offset]! ^= 1 << (offset % 8);
      writeFileSync(join(location, 'table'), altered);
      await expect(store.get('a/0'), `table at ${offset}`).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
      await expect(store.list('b/')).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    }
    await store.write(new Map([['a/0', 'new']]));
    const damaged = crash(location);
    await store.close();
    expect((await openFileStore(damaged).catch((error) => error)).code).toBe('STORE_DAMAGED');
    writeFileSync(join(location, 'table'), table);
    expect(await keysOf(location)).toHaveLength(2);
    for (const name of readdirSync(location).filter((name) => name !== 'reserve')) {
      const place = crash(location);
      rmSync(join(place, name));
      await expect(openFileStore(place), name).rejects.toMatchObject(damage);
    }
  });

  it('EE-7 a folder of something else is left as it is', async () => {
    const location = newPlace();
    mkdirSync(location, { mode: 0o700 });
    writeFileSync(join(location, 'log'), 'my diary', { mode: 0o600 });
    await expect(openFileStore(location)).rejects.toMatchObject({ code: 'STORE_NOT_OURS' });
    expect(readFileSync(join(location, 'log'), 'utf8')).toBe('my diary');
    const file = newPlace();
    writeFileSync(file, '');
    await expect(openFileStore(file)).rejects.toMatchObject({ code: 'STORE_NOT_OURS' });
  });

  it('EE-7 the folder does not grow for ever, and a merge that was cut short is forgotten', async () => {
    const location = newPlace();
    const store = await openFileStore(location);
    const value = 'x'.repeat(100_000);
    for (let n = 0; n < 200; n++) await store.write(new Map([['same', `${n}${value}`]]));
    await store.close();
    // The last value, and the place where one before it was.
    expect(contentOf(location).length).toBeLessThan(250_000);
    writeFileSync(join(location, 'log.new'), 'half', { mode: 0o600 });
    const again = await openFileStore(location);
    expect(await again.get('same')).toBe(`199${value}`);
    expect(readdirSync(location)).not.toContain('log.new');
    await again.close();
  });
});

describe('EE-7 a store of the version before', () => {
  const OLD_LOG = [
    'parley store 1\n',
    [
      ['own/identity', 'key'],
      ['peer/1', 'one'],
    ],
    [
      ['peer/1', null],
      ['peer/2', '二 \ud800'],
    ],
  ];
  const makeOld = (torn = ''): string => {
    const location = newPlace();
    mkdirSync(location, { mode: 0o700 });
    const [magic, ...frames] = OLD_LOG;
    const log = Buffer.concat([Buffer.from(magic as string), ...frames.map(encodeFrame), Buffer.from(torn)]);
    writeFileSync(join(location, 'log'), log, { mode: 0o600 });
    return location;
  };

  it('EE-7 EE-4 is opened without loss; what it had replaced is gone, and an older program refuses it then', async () => {
    const location = makeOld('torn');
    const store = await openFileStore(location);
    expect(await store.list('')).toEqual([
      ['own/identity', 'key'],
      ['peer/2', '二 \ud800'],
    ]);
    expect(contentOf(location).includes('"one"')).toBe(false);
    await store.write(new Map([['peer/2', 'two']]));
    const crashed = crash(location);
    await store.close();
    for (const place of [location, crashed]) expect(await keysOf(place)).toEqual(['own/identity', 'peer/2']);
    expect(readFileSync(join(location, 'log')).subarray(0, 15).toString()).toBe('parley store 2\n');
  });

  it('EE-7 crash on the way to this version, at any write: nothing is lost', async () => {
    for (let allowed = 0, isDone = false; !isDone; allowed++) {
      const location = makeOld();
      let left = allowed;
      const writeBytes: WriteBytes = (descriptor, bytes, from, position) => {
        if (left-- <= 0) throw Object.assign(new Error('killed'), { code: 'EIO' });
        return writeSync(descriptor, bytes, from, bytes.length - from, position);
      };
      const first = await openStoreFolder(location, { writeBytes }).catch(() => undefined);
      isDone = first !== undefined;
      await first?.close();
      expect(await keysOf(location), `after ${allowed} writes`).toEqual(['own/identity', 'peer/2']);
      rmSync(location, { recursive: true });
    }
  });
});

describe('EE-4 what was replaced', () => {
  const OLD = 'a ratchet of before';
  const replace = async (location: string, options: FileStoreOptions = {}) => {
    const store = await openFileStore(location, options);
    await store.write(
      new Map([
        ['peer/x', OLD],
        ['own/once/1', `${OLD}, too`],
      ]),
    );
    await store.write(
      new Map([
        ['peer/x', 'a ratchet of now'],
        ['own/once/1', null],
      ]),
    );
    return store;
  };
  const isOnDisk = (location: string) => contentOf(location).includes(OLD);

  it('EE-4 stolen disk: keys that were used up are not on it once the store was closed', async () => {
    const location = newPlace();
    const store = await replace(location);
    expect(isOnDisk(location)).toBe(true);
    await store.close();
    expect(isOnDisk(location)).toBe(false);
    expect(await keysOf(location)).toEqual(['peer/x']);
  });

  it('EE-4 stolen disk: nor after a while, nor after a crash and a start', async () => {
    const location = newPlace();
    const store = await replace(location, { maxAgeMs: -1 });
    await until(async () => {
      await store.write(new Map([['more', '']]));
      return !isOnDisk(location);
    });
    await store.close();
    const first = await replace(newPlace());
    const crashed = crash(folders.at(-1)!);
    await first.close();
    expect(isOnDisk(crashed)).toBe(true);
    const again = await openFileStore(crashed);
    expect(isOnDisk(crashed)).toBe(false);
    expect(await again.get('peer/x')).toBe('a ratchet of now');
    await again.close();
  });

  it('EE-4 stolen disk: nor in the table, where only what holds them is written again', async () => {
    const location = newPlace();
    const store = await openFileStore(location);
    const many = Array.from({ length: 1_000 }, (_, n) => [`peer/${n}`, `${OLD} ${n} ${'x'.repeat(1_000)}`] as const);
    await store.write(new Map(many));
    await store.close();
    const again = await openFileStore(location);
    const before = readFileSync(join(location, 'table'));
    await again.write(new Map([['peer/500', 'a ratchet of now']]));
    await again.close();
    const after = readFileSync(join(location, 'table'));
    expect([before.includes(`${OLD} 500 `), after.includes(`${OLD} 500 `)]).toEqual([true, false]);
    const blocks = Array.from({ length: before.length / 4_096 }, (_, n) => n * 4_096);
    const changed = blocks.filter((at) => !before.subarray(at, at + 4_096).equals(after.subarray(at, at + 4_096)));
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(10);
  });
});

describe('EE-7 one holder at a time', () => {
  it('EE-7 opened twice in one process: refused until it is closed', async () => {
    const location = newPlace();
    const store = await openFileStore(location);
    await expect(openFileStore(location)).rejects.toThrow(`in use by process ${process.pid} on ${hostname()}`);
    await store.close();
    expect(await keysOf(location)).toEqual([]);
  });

  it('EE-7 a holder on another host is believed while it gives signs of life, and then no more', async () => {
    const { location } = await fill(1);
    const crashed = await openFileStore(location);
    const lock = moveElsewhere(location);
    let time = 0;
    const beat = setInterval(() => utimesSync(lock, ++time, time), 50);
    await expect(openFileStore(location)).rejects.toMatchObject({ code: 'STORE_HELD' });
    clearInterval(beat);
    const store = await openFileStore(location, { silenceMs: 300 });
    expect(await store.list('')).toHaveLength(2);
    await Promise.all([store.close(), crashed.close()]);
  });

  it('EE-7 taken over by another: the one that looked dead writes nothing more', async () => {
    const location = newPlace();
    const frozen = await openFileStore(location);
    await frozen.write(new Map([['a', '1']]));
    moveElsewhere(location);
    const successor = await openFileStore(location, { silenceMs: 1 });
    await expect(frozen.write(new Map([['a', '2']]))).rejects.toMatchObject({ code: 'STORE_LOST' });
    await expect(frozen.get('a')).rejects.toMatchObject({ code: 'STORE_LOST' });
    await frozen.close();
    await successor.write(new Map([['a', '3']]));
    await expect(openFileStore(location)).rejects.toMatchObject({ code: 'STORE_HELD' });
    await successor.close();
    const store = await openFileStore(location);
    expect(await store.get('a')).toBe('3');
    await store.close();
  });
});
