import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readInput } from './input.ts';

beforeEach(() => {
  vi.spyOn(fs, 'open');
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test.each([
  ['EACCES', 'FILE_NOT_READABLE'],
  ['EPERM', 'FILE_NOT_READABLE'],
  ['ENOENT', 'FILE_NOT_FOUND'],
  ['ENOTDIR', 'FILE_NOT_FOUND'],
  ['EMFILE', 'FILE_NOT_READABLE'],
])('HS-7 a file that cannot be opened for %s is %s, exit code 3', async (code, expected) => {
  vi.mocked(fs.open).mockRejectedValueOnce(Object.assign(new Error(), { code, syscall: 'open' }));
  await expect(readInput('a.json')).rejects.toMatchObject({ code: expected, exit: 3 });
});

test('HS-7 an error that is not the system’s is not taken for a bad file', async () => {
  vi.mocked(fs.open).mockRejectedValueOnce(new TypeError('oops'));
  await expect(readInput('a.json')).rejects.toThrow('oops');
});
