import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, statfs } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileRules } from './file-rules.ts';

export type OpenRefusal = 'outside' | 'missing' | 'no_file' | 'unreadable';
export type Opened =
  /** `place` is where the opened file is. */
  | { readonly ok: true; readonly handle: FileHandle; readonly place: string }
  | { readonly ok: false; readonly refusal: OpenRefusal };

const refuse = (refusal: OpenRefusal): Opened => ({ ok: false, refusal });

/** The magic numbers of file systems like procfs: their files tell what runs here, and reading them can have effects. */
const KERNEL = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673, 0x27e0eb, 0x63677270, 0xcafe4a11]);
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev'];

// A symlink is not followed, and opening a FIFO does not wait for its writer.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a regular file inside the roots. What counts is where the opened file is, not where its name led before: in
 * between, a folder can be replaced by a symlink.
 */
export async function openInside(path: string, rules: FileRules): Promise<Opened> {
  const real = await realRules(rules);
  // This comes before the disk is read: nobody may find out what exists elsewhere.
  if (!isInsideByName(path, rules, real)) return refuse('outside');
  const wanted = resolve(rules.roots[0]!, path);
  const target = await realpath(wanted).catch(() => undefined);
  if (target === undefined) return refuse('missing');
  if (!mayOpen(target, real)) return refuse('outside');
  const before = await lstat(target).catch(() => undefined);
  // A device is not even opened.
  if (before === undefined) return refuse('missing');
  if (!before.isFile()) return refuse('no_file');
  const handle = await open(target, FLAGS).catch(() => undefined);
  if (handle === undefined) return refuse('unreadable');
  const opened = await checkOpened(handle, target, real).catch(() => refuse('unreadable'));
  if (!opened.ok) await handle.close();
  return opened;
}

/** Is the path inside the roots, as it is written? It is not looked up. */
export async function isNamedInside(path: string, rules: FileRules): Promise<boolean> {
  return isInsideByName(path, rules, await realRules(rules));
}

function isInsideByName(path: string, rules: FileRules, real: FileRules): boolean {
  const { roots } = rules;
  const [first] = roots;
  if (first === undefined || path.includes('\0')) return false;
  const wanted = resolve(first, path);
  return mayOpen(wanted, { ...rules, roots: roots.map((root) => resolve(root)) }) || mayOpen(wanted, real);
}

async function checkOpened(handle: FileHandle, target: string, rules: FileRules): Promise<Opened> {
  const own = `/proc/self/fd/${handle.fd}`;
  const stats = await handle.stat();
  if (!stats.isFile()) return refuse('no_file');
  // Linux tells where the opened file is. Elsewhere its name must still lead to it.
  const place = process.platform === 'linux' ? await readlink(own) : await realpath(target);
  if (!mayOpen(place, rules)) return refuse('outside');
  const isElsewhere =
    process.platform === 'linux' ? KERNEL.has((await statfs(own)).type) : !isSameFile(await lstat(place), stats);
  return isElsewhere ? refuse('outside') : { ok: true, handle, place };
}

const isSameFile = (a: Stats, b: Stats) => a.dev === b.dev && a.ino === b.ino;

async function realRules({ roots, never = [], hidden = false }: FileRules): Promise<FileRules> {
  const real = (paths: readonly string[]) =>
    Promise.all(paths.map((path) => realpath(resolve(path)).catch(() => resolve(path))));
  return { roots: await real(roots), never: await real(never), hidden };
}

function mayOpen(path: string, { roots, never = [], hidden = false }: FileRules): boolean {
  const root = roots.find((root) => isInside(path, root));
  if (root === undefined || [...never, ...KERNEL_FOLDERS].some((folder) => isInside(path, resolve(folder))))
    return false;
  return (
    hidden ||
    !relative(root, path)
      .split(sep)
      .some((name) => name.startsWith('.'))
  );
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(join('..', sep)) && !isAbsolute(way));
}
