import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@parley/documents';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_CONTENT_BYTES } from '../content.ts';
import type { ExecutionContext } from '../types.ts';
import type { FileRules } from './file-rules.ts';
import { readFileExecutor } from './read-file.ts';

/** What happens between the look at a name and the opening of it. */
let between = () => {};
const { open } = fs;
beforeEach(() => {
  vi.spyOn(fs, 'open').mockImplementation((...args) => {
    between();
    return open(...args);
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const SECRET = 'secret outside of the root';
let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-read-')));
  root = join(base, 'root');
  mkdirSync(join(root, 'folder'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside', 'note.txt'), SECRET);
  writeFileSync(join(root, 'folder', 'note.txt'), 'a note, 笔记');
  between = () => {};
  enter = async () => {};
});
afterEach(() => rmSync(base, { recursive: true }));

/** Where the opened file is, which the person may refuse. */
let enter: ExecutionContext['enter'] = async () => {};

function read(args: JsonObject, rules: Partial<FileRules> = {}) {
  const context = { signal: new AbortController().signal, locale: 'en', enter } as const;
  return readFileExecutor({ roots: [root], ...rules })!.run(args, context);
}

const OUTSIDE = { code: 'TOOL_PLATFORM_ERROR', message: expect.stringContaining('not inside a folder') };
const refusal = (path: string, rules: Partial<FileRules> = {}) => expect(read({ path }, rules)).rejects;

describe('CG-13 read_file', () => {
  it('CG-13 reads text inside a root, by its whole path or from the root on', async () => {
    const result = { content: 'a note, 笔记', encoding: 'utf-8' };
    expect(await read({ path: join(root, 'folder', 'note.txt') })).toEqual(result);
    expect(await read({ path: 'folder/note.txt' })).toEqual(result);
    expect(await read({ path: './folder/../folder//note.txt', encoding: 'utf-8' })).toEqual(result);
  });

  it('CG-13 gives what is no text in base64, and says so', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    writeFileSync(join(root, 'picture'), bytes);
    expect(await read({ path: 'picture' })).toEqual({ content: bytes.toString('base64'), encoding: 'base64' });
    writeFileSync(join(root, 'zero'), 'a\0b');
    expect(await read({ path: 'zero' })).toMatchObject({ encoding: 'base64' });
    expect(await read({ path: 'folder/note.txt', encoding: 'base64' })).toEqual({
      content: Buffer.from('a note, 笔记').toString('base64'),
      encoding: 'base64',
    });
  });

  it('CG-13 follows a symlink that stays inside', async () => {
    symlinkSync('folder/note.txt', join(root, 'link'));
    expect(await read({ path: 'link' })).toMatchObject({ content: 'a note, 笔记' });
    symlinkSync(root, join(base, 'alias'));
    expect(await read({ path: join(base, 'alias/folder/note.txt') }, { roots: [join(base, 'alias')] })).toBeTruthy();
  });

  it('CG-13 there is none without a root, and other arguments are refused', async () => {
    expect(readFileExecutor({ roots: [] })).toBeUndefined();
    for (const args of [{}, { path: 1 }, { path: '' }, { path: 'a', mode: 'w' }, { path: 'a', encoding: 'utf-16' }]) {
      await expect(read(args as JsonObject)).rejects.toMatchObject({ code: 'TOOL_INVALID_ARGUMENTS' });
    }
  });

  it('CG-13 a file too large for an answer is refused, one that just fits is not', async () => {
    writeFileSync(join(root, 'large'), Buffer.alloc(MAX_CONTENT_BYTES + 1, 'x'));
    await refusal('large').toThrow(`more than ${MAX_CONTENT_BYTES} bytes`);
    writeFileSync(join(root, 'fits'), Buffer.alloc(MAX_CONTENT_BYTES, 0xff));
    expect(JSON.stringify(await read({ path: 'fits' })).length).toBeLessThan(63 * 1024);
  });
});

describe('CG-13 attacks on read_file', () => {
  it.each(['../outside/note.txt', 'folder/../../outside/note.txt', '..', '/etc/passwd', '/', '../root2/x'])(
    'CG-13 path traversal: %s is outside',
    async (path) => {
      mkdirSync(join(base, 'root2'));
      writeFileSync(join(base, 'root2', 'x'), SECRET);
      await refusal(path).toMatchObject(OUTSIDE);
    },
  );

  it('CG-13 probing: outside, what exists and what does not get the same answer', async () => {
    const answers = await Promise.all(
      ['/etc/passwd', '/etc/no-such-file'].map((path) => read({ path }).catch((error) => error.message)),
    );
    expect(answers[0]).toBe(answers[1]);
    const message = await read({ path: 'no-such-file' }).catch((error) => error.message);
    expect(message).toBe('There is no such file.');
    expect(message).not.toContain(base);
  });

  it('CG-13 symlink escape: a link to a file, a folder or another link that leads out', async () => {
    symlinkSync(join(base, 'outside', 'note.txt'), join(root, 'file'));
    symlinkSync('../outside', join(root, 'way'));
    symlinkSync('way/note.txt', join(root, 'chain'));
    symlinkSync('/proc/self/environ', join(root, 'environ'));
    for (const path of ['file', 'way/note.txt', 'chain', 'environ']) await refusal(path).toMatchObject(OUTSIDE);
  });

  it('CG-13 TOCTOU swap: the folder becomes a symlink after it was looked at', async () => {
    between = () => {
      renameSync(join(root, 'folder'), join(root, 'was'));
      symlinkSync(join(base, 'outside'), join(root, 'folder'));
    };
    await refusal('folder/note.txt').toMatchObject(OUTSIDE);
  });

  it('CG-13 TOCTOU swap: the file becomes a symlink after it was looked at', async () => {
    between = () => {
      rmSync(join(root, 'folder/note.txt'));
      symlinkSync(join(base, 'outside/note.txt'), join(root, 'folder/note.txt'));
    };
    await refusal('folder/note.txt').toMatchObject({ message: 'The file cannot be read.' });
  });

  it('CG-13 FIFO hang: a pipe is refused at once, also one that took the place of a file', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await refusal('pipe').toMatchObject({ message: 'This is not an ordinary file.' });
    between = () => renameSync(join(root, 'pipe'), join(root, 'folder/note.txt'));
    await refusal('folder/note.txt').toMatchObject({ message: 'This is not an ordinary file.' });
  });

  it.each(['/proc/self/environ', '/proc/version', '/sys/kernel/uevent_seqnum', '/dev/zero', '/dev/stdin'])(
    'CG-13 kernel files: %s is not read although the root is /',
    async (path) => {
      await refusal(path, { roots: ['/'], hidden: true }).toMatchObject(OUTSIDE);
    },
  );

  it('CG-13 folder: is no file', async () => {
    await refusal('folder').toMatchObject({ message: 'This is not an ordinary file.' });
  });

  it('CG-13 NUL in path: refused, not cut', async () => {
    await refusal('folder/note.txt\0.png').toMatchObject(OUTSIDE);
  });

  it('CG-13 hidden files and the keystore stay closed inside a root', async () => {
    mkdirSync(join(root, '.ssh'));
    mkdirSync(join(root, 'keys'));
    writeFileSync(join(root, '.ssh', 'id'), SECRET);
    writeFileSync(join(root, 'keys', 'log'), SECRET);
    symlinkSync('.ssh/id', join(root, 'innocent'));
    for (const path of ['.ssh/id', 'innocent']) await refusal(path).toMatchObject(OUTSIDE);
    await refusal('keys/log', { never: [join(root, 'keys')] }).toMatchObject(OUTSIDE);
    expect(await read({ path: '.ssh/id' }, { hidden: true })).toMatchObject({ content: SECRET });
  });
});

describe('WC-12 what read_file will do, in our words', () => {
  it('WC-12 attack: a way that is gone back at once: the sentence names the file that is opened', async () => {
    const path = `folder/note.txt/${'a/../'.repeat(40)}holiday.jpg/..`;
    expect(await read({ path })).toMatchObject({ content: 'a note, 笔记' });
    expect(readFileExecutor({ roots: [root] })!.describe!({ path }, 'en')!.wants).toBe(
      'read the file “folder/note.txt”',
    );
  });
});

describe('CG-15 the edge of a file is the folder that holds it', () => {
  const edge = async (path: string, rules: Partial<FileRules> = {}) =>
    readFileExecutor({ roots: [root], ...rules })!.edge!({ path });
  const folder = (...names: string[]) => `folder ${join(base, ...names)}`;

  it('CG-15 attack: a window without an edge: notes.txt and taxes.txt share one only inside one folder', async () => {
    mkdirSync(join(root, 'finance'));
    writeFileSync(join(root, 'finance', 'taxes.txt'), SECRET);
    symlinkSync('../finance/taxes.txt', join(root, 'folder', 'harmless.txt'));
    symlinkSync('finance', join(root, 'alias'));
    for (const path of ['folder/note.txt', './folder//../folder/note.txt', join(root, 'folder', 'new.txt')]) {
      expect(await edge(path)).toMatchObject({ id: folder('root', 'folder') });
    }
    for (const path of ['finance/taxes.txt', 'folder/harmless.txt', 'alias/taxes.txt', 'folder/../finance/taxes.txt']) {
      expect(await edge(path)).toMatchObject({ id: folder('root', 'finance') });
    }
  });

  it('CG-15 it is named in words, from the home folder on, with nothing hidden', async () => {
    const name = 'odd\u202e  two';
    mkdirSync(join(root, name));
    const home = vi.spyOn(os, 'homedir').mockReturnValue(root);
    syncBuiltinESMExports();
    const { text } = await edge(`${name}/x`);
    expect(text.en).toBe('files directly in the folder ~/odd[U+202E][2 × U+0020]two');
    expect(text['zh-CN']).toContain('~/odd[U+202E][2 × U+0020]two');
    expect((await edge('x')).text.en).toBe('files directly in the folder ~');
    home.mockReturnValue(join(base, 'someone'));
    expect((await edge('x')).text.en).toBe(`files directly in the folder ${root}`);
  });

  it('CG-15 CG-13 probing: outside of the roots nothing is looked up, and what is wrong is said only after a yes', async () => {
    symlinkSync(join(base, 'outside'), join(root, 'way'));
    expect(await edge('../outside/note.txt')).toMatchObject({ id: folder('outside') });
    expect(await edge('way/missing/a')).toMatchObject({ id: folder('root', 'way', 'missing') });
    expect(await edge('folder/note.txt\0.png')).toMatchObject({ id: folder('root', 'folder') });
    await expect(edge('')).rejects.toMatchObject({ code: 'TOOL_INVALID_ARGUMENTS' });
  });

  it('CG-15 where the file system folds case, both spellings are one folder', async () => {
    const { stat } = fs;
    vi.spyOn(fs, 'stat').mockImplementation(async (path, ...rest) => {
      const names = [join(root, 'folder'), join(root, 'FOLDER')].map((name) => name.toLowerCase());
      return names.includes(String(path).toLowerCase()) ? stat(join(root, 'folder')) : stat(path, ...rest);
    });
    syncBuiltinESMExports();
    const { id } = await edge('folder/x');
    expect(id).toBe(folder('root', 'folder').toLowerCase());
    expect((await edge('FOLDER/x')).id).toBe(id);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect((await edge('FOLDER/x')).id).not.toBe((await edge('folder/x')).id);
  });

  it('CG-15 attack: the folder is swapped for a link after it was decided on: the edge of the opened file counts', async () => {
    mkdirSync(join(root, 'finance'));
    writeFileSync(join(root, 'finance', 'note.txt'), SECRET);
    expect(await edge('folder/note.txt')).toMatchObject({ id: folder('root', 'folder') });
    renameSync(join(root, 'folder'), join(root, 'was'));
    symlinkSync('finance', join(root, 'folder'));
    const asked: string[] = [];
    enter = async ({ id }) => {
      asked.push(id);
      throw new Error('The person says no.');
    };
    await expect(read({ path: 'folder/note.txt' })).rejects.toThrow('says no');
    expect(asked).toEqual([folder('root', 'finance')]);
  });
});
