import {
  appendFileSync,
  chmodSync,
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
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOST } from '@parley/base/node';
import { afterAll, describe, expect, it } from 'vitest';
import { type FileStoreOptions, openFileStore } from './file.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-file-'));
afterAll(() => rmSync(root, { recursive: true }));
let places = 0;
const newPlace = () => join(root, `${places++}`);
const logOf = (location: string) => join(location, 'log');

/** As if the holder were on another host. Returns the file by which it gives signs of life. */
function moveElsewhere(location: string): string {
  const elsewhere = (name: string) => join(location, name.replace(HOST, 'f'.repeat(16)));
  const locks = readdirSync(location).filter((name) => name.startsWith('lock.'));
  for (const name of locks) renameSync(join(location, name), elsewhere(name));
  return elsewhere(locks.find((name) => !name.endsWith('.held'))!);
}

async function fill(location: string, batches: number): Promise<number[]> {
  const store = await openFileStore(location);
  const ends = [statSync(logOf(location)).size];
  for (let n = 0; n < batches; n++) {
    await store.write(
      new Map([
        [`a/${n}`, 'first half'],
        [`b/${n}`, 'second half'],
      ]),
    );
    ends.push(statSync(logOf(location)).size);
  }
  const log = readFileSync(logOf(location));
  await store.close();
  // As a crash would leave it: closing writes it anew.
  writeFileSync(logOf(location), log);
  return ends;
}

async function keysOf(location: string): Promise<string[]> {
  const store = await openFileStore(location);
  const keys = (await store.list('')).map(([key]) => key);
  await store.close();
  return keys;
}

describe('EE-10 who can read it', () => {
  it('EE-10 folder and log are for their owner only, whatever the umask', async () => {
    const location = newPlace();
    const before = process.umask(0);
    try {
      await fill(location, 1);
    } finally {
      process.umask(before);
    }
    expect(statSync(location).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(location)) expect(statSync(join(location, name)).mode & 0o777).toBe(0o600);
  });

  it('EE-10 keys others can read are refused, with what to do', async () => {
    const location = newPlace();
    await fill(location, 1);
    chmodSync(logOf(location), 0o640);
    await expect(openFileStore(location)).rejects.toThrow(`Run: chmod 600 ${logOf(location)}`);
    chmodSync(logOf(location), 0o600);
    chmodSync(location, 0o755);
    const refusal = await openFileStore(location).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'STORE_EXPOSED', message: expect.stringContaining(`chmod 700 ${location}`) });
    expect(refusal.explain('zh-CN')).toContain(`请运行：chmod 700 ${location}`);
    chmodSync(location, 0o700);
    expect(await keysOf(location)).toEqual(['a/0', 'b/0']);
  });

  it('EE-10 symlink in the location of the log: not followed', async () => {
    const [location, elsewhere] = [newPlace(), newPlace()];
    await fill(elsewhere, 1);
    mkdirSync(location, { mode: 0o700 });
    symlinkSync(logOf(elsewhere), logOf(location));
    await expect(openFileStore(location)).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

describe('EE-7 what a crash leaves behind', () => {
  it('EE-7 torn tail: cut at every byte, the whole batches before it are there and writing goes on', async () => {
    const location = newPlace();
    const ends = await fill(location, 3);
    const whole = readFileSync(logOf(location));
    for (let length = whole.length; length >= 0; length--) {
      writeFileSync(logOf(location), whole.subarray(0, length));
      const kept = Math.max(0, ends.filter((end) => end <= length).length - 1);
      const store = await openFileStore(location);
      expect((await store.list('')).length, `of ${length} bytes`).toBe(kept * 2);
      await store.write(new Map([['after', 'the crash']]));
      await store.close();
      expect((await keysOf(location)).length).toBe(kept * 2 + 1);
    }
  });

  it.each([
    ['zeros', Buffer.alloc(5_000)],
    ['anything', Buffer.alloc(5_000, 'garbage')],
    ['a head without its body', undefined],
  ])('EE-7 torn tail: %s behind the last batch are cut off', async (_, garbage) => {
    const location = newPlace();
    const ends = await fill(location, 3);
    if (garbage === undefined) truncateSync(logOf(location), ends[2]! + 12);
    else appendFileSync(logOf(location), garbage);
    const expected = garbage === undefined ? 2 : 3;
    expect((await keysOf(location)).length).toBe(expected * 2);
    expect(readFileSync(logOf(location)).includes('garbage')).toBe(false);
    expect(statSync(logOf(location)).size).toBeLessThanOrEqual(ends[expected]!);
  });

  it('EE-7 flipped bit before the end: refused instead of losing what was acknowledged', async () => {
    const location = newPlace();
    const ends = await fill(location, 3);
    const whole = readFileSync(logOf(location));
    for (let offset = ends[0]!; offset < ends[2]!; offset++) {
      const altered = Buffer.from(whole);
      altered[offset]! ^= 1 << (offset % 8);
      writeFileSync(logOf(location), altered);
      await expect(openFileStore(location), `at ${offset}`).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    }
    expect(readFileSync(logOf(location)).length).toBe(whole.length);
  });

  it('EE-7 a folder of something else is left as it is', async () => {
    const location = newPlace();
    mkdirSync(location, { mode: 0o700 });
    writeFileSync(logOf(location), 'my diary', { mode: 0o600 });
    await expect(openFileStore(location)).rejects.toMatchObject({ code: 'STORE_NOT_OURS' });
    expect(readFileSync(logOf(location), 'utf8')).toBe('my diary');
    const file = newPlace();
    writeFileSync(file, '');
    await expect(openFileStore(file)).rejects.toMatchObject({ code: 'STORE_NOT_OURS' });
  });

  it('EE-7 the log does not grow for ever, and a compaction that was cut short is forgotten', async () => {
    const location = newPlace();
    const store = await openFileStore(location);
    const value = 'x'.repeat(100_000);
    for (let n = 0; n < 60; n++) await store.write(new Map([['same', `${n}${value}`]]));
    expect(statSync(logOf(location)).size).toBeLessThan(1_500_000);
    await store.close();
    writeFileSync(join(location, 'log.new'), 'half', { mode: 0o600 });
    const again = await openFileStore(location);
    for (let n = 0; n < 60; n++) await again.write(new Map([['same', `${n}${value}`]]));
    expect(await again.get('same')).toBe(`59${value}`);
    await again.close();
    expect(readdirSync(location)).not.toContain('log.new');
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
  const isOnDisk = (location: string) =>
    readdirSync(location).some((name) => readFileSync(join(location, name)).includes(OLD));

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
    expect(isOnDisk(location)).toBe(false);
    await store.close();
    const crashed = newPlace();
    const first = await replace(crashed);
    const log = readFileSync(logOf(crashed));
    await first.close();
    writeFileSync(logOf(crashed), log);
    const again = await openFileStore(crashed);
    expect(isOnDisk(crashed)).toBe(false);
    expect(await again.get('peer/x')).toBe('a ratchet of now');
    await again.close();
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
    const location = newPlace();
    await fill(location, 1);
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
