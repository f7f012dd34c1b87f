import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isParleyError } from '@parley/base';
import { createError } from './errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Refuses a folder that holds anything, what is no folder, and a link to one (PK-7). */
export function checkFree(folder: string): void {
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return;
    // What is written through a link lands where nobody looks for it.
    if (found.isSymbolicLink()) throw createError('FOLDER_IS_LINK', { params: { folder } });
    if (!found.isDirectory()) throw createError('FOLDER_IS_FILE', { params: { folder } });
    if (readdirSync(folder).length > 0) throw createError('FOLDER_NOT_EMPTY', { params: { folder } });
  } catch (error) {
    throw explain(error, folder);
  }
}

/** An error of the file system gets a sentence. */
function explain(error: unknown, folder: string): unknown {
  const reason = (error as NodeJS.ErrnoException).code;
  if (isParleyError(error) || reason === undefined) return error;
  return createError('FOLDER_NOT_WRITABLE', { params: { folder, reason }, cause: error });
}

export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  /** For a file that will hold secrets: only its owner may read it. */
  readonly isSecret?: boolean;
}

/**
 * Makes a folder with these files, all or nothing: they are written beside it, under a hidden name, and then moved. Until
 * that is done or undone, Ctrl-C waits.
 */
export function placeProject(folder: string, files: readonly ProjectFile[]): void {
  const wait = () => {};
  for (const signal of SIGNALS) process.on(signal, wait);
  try {
    checkFree(folder);
    const home = findExisting(folder);
    const staging = mkdtempSync(join(home, '.create-parley-agent-'));
    try {
      const root = join(staging, relative(home, folder));
      mkdirSync(root, { recursive: true });
      for (const { path, text, isSecret } of files) {
        writeFileSync(join(root, path), text, { flag: 'wx', mode: isSecret ? 0o600 : 0o666 });
      }
      moveInto(home, staging);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  } catch (error) {
    throw explain(error, folder);
  } finally {
    for (const signal of SIGNALS) process.off(signal, wait);
  }
}

/** The folder itself where it exists, otherwise the nearest above it that does. */
function findExisting(folder: string): string {
  return existsSync(folder) ? folder : findExisting(dirname(folder));
}

/** A folder is moved as a whole; single files, into a folder that was empty, never replace what has appeared there since. */
function moveInto(home: string, staging: string): void {
  const moved: string[] = [];
  try {
    for (const entry of readdirSync(staging, { withFileTypes: true })) {
      const [from, to] = [join(staging, entry.name), join(home, entry.name)];
      if (entry.isDirectory()) {
        if (existsSync(to)) throw createError('FOLDER_NOT_EMPTY', { params: { folder: to } });
        renameSync(from, to);
      } else {
        copyFileSync(from, to, constants.COPYFILE_EXCL);
      }
      moved.push(to);
    }
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}
