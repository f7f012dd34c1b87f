import { linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CommandError } from './command-error.ts';

/** Checked before any question, so that nobody answers seven of them only to learn that the file exists. */
export function refuseExisting(file: string, force: boolean): void {
  const found = findStats(file);
  if (found?.isDirectory()) {
    throw new CommandError('FILE_IS_DIRECTORY', { params: { file } });
  }
  if (found !== undefined && !force) throw exists(file);
}

function findStats(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw explain(error, file);
  }
}

/** Writes the file atomically: to a temporary file beside it, which then replaces it. */
export function writeFileAtomically(file: string, text: string, replace: boolean, mode = 0o666): void {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode });
    if (replace) renameSync(temporary, file);
    else placeNew(temporary, file);
  } catch (error) {
    throw explain(error, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A link, unlike a rename, refuses to replace a file that has appeared in the meantime. */
function placeNew(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    renameSync(temporary, file);
  }
}

function explain(error: unknown, file: string): CommandError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
  if (reason === 'EEXIST') return exists(file);
  if (reason === 'ENOENT' || reason === 'ENOTDIR') {
    return new CommandError('FOLDER_NOT_FOUND', { params: { file } });
  }
  return new CommandError('FILE_NOT_WRITABLE', { params: { file, reason } });
}

function exists(file: string): CommandError {
  return new CommandError('FILE_EXISTS', { params: { file } });
}
