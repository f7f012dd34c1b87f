import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, statfs } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileRules } from './file-rules.ts';

export type OpenRefusal = 'outside' | 'missing' | 'no_file' | 'unreadable';
export type Opened =
  | { readonly ok: true; readonly handle: FileHandle }
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
  const { roots } = rules;
  const [first] = roots;
  if (first === undefined || path.includes('\0')) return refuse('outside');
  const wanted = resolve(first, path);
  const real = await realRules(rules);
  // This comes before the disk is read: nobody may find out what exists elsewhere.
  if (!mayOpen(wanted, { ...rules, roots: roots.map((root) => resolve(root)) }) && !mayOpen(wanted, real)) {
    return refuse('outside');
  }
  const target = await realpath(wanted).catch(() => undefined);
  if (target === undefined) return refuse('missing');
  if (!mayOpen(target, real)) return refuse('outside');
  const before = await lstat(target).catch(() => undefined);
  // A device is not even opened.
  if (before === undefined) return refuse('missing');
  if (!before.isFile()) return refuse('no_file');
  const handle = await open(target, FLAGS).catch(() => undefined);
  if (handle === undefined) return refuse('unreadable');
  const refusal = await checkOpened(handle, target, real).catch(() => 'unreadable' as const);
  if (refusal === undefined) return { ok: true, handle };
  await handle.close();
  return refuse(refusal);
}

async function checkOpened(handle: FileHandle, target: string, rules: FileRules): Promise<OpenRefusal | undefined> {
  const own = `/proc/self/fd/${handle.fd}`;
  const stats = await handle.stat();
  if (!stats.isFile()) return 'no_file';
  // Linux tells where the opened file is. Elsewhere its name must still lead to it.
  const place = process.platform === 'linux' ? await readlink(own) : await realpath(target);
  if (!mayOpen(place, rules)) return 'outside';
  if (process.platform === 'linux') return KERNEL.has((await statfs(own)).type) ? 'outside' : undefined;
  const now = await lstat(place);
  return now.dev === stats.dev && now.ino === stats.ino ? undefined : 'outside';
}

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
