import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogFile } from './log-file.ts';

let folder: string;
let file: string;
let time: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-log-'));
  file = join(folder, 'server.log');
  time = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (options: { readonly maxBytes?: number; readonly keep?: number } = {}) =>
  openLogFile({ file, elapsed: () => time, ...options });
const read = (name = file) => readFileSync(name, 'utf8');

describe('OP-8 a log that cannot be written', () => {
  it('OP-8 drops lines, counts them, and says so as soon as it can be written again', () => {
    symlinkSync('/dev/full', file);
    const log = open();
    for (const line of ['one\n', 'two\n', 'three\n']) log.write(line);
    expect([log.check(), log.dropped()]).toEqual(['ENOSPC', 3]);
    rmSync(file);
    time += 1_000;
    log.write('four\n');
    const [told, four] = read().split('\n');
    expect(JSON.parse(told!)).toMatchObject({ level: 40, dropped: 3, reason: 'ENOSPC' });
    expect(four).toBe('four');
    expect([log.check(), log.dropped()]).toEqual([undefined, 3]);
  });

  it('OP-8 it is noticed without another line that it can be written again', () => {
    symlinkSync('/dev/full', file);
    const log = open();
    log.write('one\n');
    expect(log.check()).toBe('ENOSPC');
    rmSync(file);
    time += 1_000;
    expect(log.check()).toBeUndefined();
    expect(JSON.parse(read())).toMatchObject({ dropped: 1 });
  });
});

describe('OP-14 rotation while it runs', () => {
  it('OP-14 a file that is full is renamed, and only some of the older ones are kept', () => {
    const log = open({ maxBytes: 10, keep: 2 });
    for (const line of ['first\n', 'second\n', 'third\n', 'fourth\n']) log.write(line);
    expect([read(), read(`${file}.1`), read(`${file}.2`)]).toEqual(['fourth\n', 'third\n', 'second\n']);
    expect(existsSync(`${file}.3`)).toBe(false);
    expect(log.dropped()).toBe(0);
  });

  it('OP-14 it goes on where it cannot be renamed', () => {
    const log = open({ maxBytes: 10, keep: 1 });
    // A file cannot take the place of a folder.
    mkdirSync(`${file}.1`);
    for (const line of ['first\n', 'second\n']) log.write(line);
    expect(read()).toBe('first\nsecond\n');
  });

  it('OP-14 a file that somebody moved away or removed is opened anew within a second', () => {
    const log = open();
    log.write('one\n');
    renameSync(file, `${file}.old`);
    log.write('two\n');
    time += 1_000;
    log.write('three\n');
    expect([read(`${file}.old`), read()]).toEqual(['one\ntwo\n', 'three\n']);
    rmSync(file);
    time += 1_000;
    log.write('four\n');
    expect(read()).toBe('four\n');
  });

  it('OP-14 a file that somebody emptied goes on at its beginning', () => {
    const log = open({ maxBytes: 30 });
    log.write('a line of 20 letters\n');
    truncateSync(file);
    time += 1_000;
    log.write('another of them\n');
    expect(read()).toBe('another of them\n');
    expect(existsSync(`${file}.1`)).toBe(false);
  });
});
