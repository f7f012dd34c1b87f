import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWhole, writeWhole } from './write-whole.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-whole-'));
  file = join(folder, 'secret');
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

const failWith = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe('OP-11 a small file is written whole', () => {
  it('OP-11 for its owner only, and nothing else is left', () => {
    createWhole(file, 'one');
    expect(() => createWhole(file, 'two')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(readFileSync(file, 'utf8')).toBe('one');
    writeWhole(file, 'two');
    expect(readFileSync(file, 'utf8')).toBe('two');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  it.each([createWhole, writeWhole])(
    'OP-11 attack: a full disk leaves neither half a file nor a draft, %o',
    (write) => {
      if (write === writeWhole) writeWhole(file, 'before');
      const before = readdirSync(folder);
      vi.spyOn(fs, 'fsyncSync').mockImplementation(failWith('ENOSPC'));
      syncBuiltinESMExports();
      expect(() => write(file, 'text')).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
      expect(readdirSync(folder)).toEqual(before);
      vi.restoreAllMocks();
      syncBuiltinESMExports();
      write(file, 'text');
      expect(readFileSync(file, 'utf8')).toBe('text');
    },
  );

  it('OP-11 attack: a draft that a process of the same number left is in nobody’s way', () => {
    writeFileSync(`${file}.${process.pid}`, 'half');
    writeWhole(file, 'whole');
    expect(readFileSync(file, 'utf8')).toBe('whole');
  });

  it('OP-11 attack: the machine dies right after: what was renamed was on disk', () => {
    const done: string[] = [];
    const names = new Map<number, string>();
    const { openSync, fsyncSync, renameSync } = fs;
    vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
      const descriptor = openSync(...args);
      names.set(descriptor, args[0] === folder ? 'folder' : 'draft');
      return descriptor;
    });
    vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      done.push(`sync ${names.get(descriptor)}`);
      fsyncSync(descriptor);
    });
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      done.push(`rename to ${basename(String(to))}`);
      renameSync(from, to);
    });
    syncBuiltinESMExports();
    writeWhole(file, 'text');
    expect(done).toEqual(['sync draft', 'rename to secret', 'sync folder']);
  });
});
