import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from './command-error.ts';

/** Checked before any question, so that nobody answers seven of them only to learn that the file exists. */
export function refuseExisting(file: string, force: boolean): void {
  if (findStats(file, statSync)?.isDirectory()) {
    throw new CommandError('FILE_IS_DIRECTORY', { params: { file } });
  }
  // A link that leads nowhere exists, too.
  if (!force && findStats(file, lstatSync) !== undefined) throw exists(file);
}

/** Refuses what is not a plain file of its own: reading a pipe never ends, and a link leads somewhere else. */
export function refuseIrregular(file: string): void {
  const found = findStats(file, lstatSync);
  if (found?.isSymbolicLink()) throw new CommandError('FILE_IS_LINK', { params: { file } });
  if (found !== undefined && !found.isFile()) throw new CommandError('FILE_NOT_REGULAR', { params: { file } });
}

function findStats(file: string, read: typeof statSync | typeof lstatSync) {
  try {
    return read(resolve(file), { throwIfNoEntry: false });
  } catch (error) {
    throw explain(error, file);
  }
}

interface FileOptions {
  readonly replace: boolean;
  readonly mode: number;
}

/** A file that can be written; until then, and after `discard`, whatever is in its place stays. */
export interface PreparedFile {
  write(text: string): void;
  /** Has to be called in any case. */
  discard(): void;
}

/**
 * Makes sure that a file can be written before its text exists, such as a secret that is shown only once: the temporary
 * file that will replace it is there from now on.
 */
export function prepareFile(file: string, { replace, mode }: FileOptions): PreparedFile {
  refuseExisting(file, replace);
  const target = resolve(file);
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (error) {
      throw explain(error, file);
    }
  };
  attempt(() => writeFileSync(temporary, '', { flag: 'wx', mode }));
  return {
    write(text) {
      attempt(() => {
        writeFileSync(temporary, text, { flag: 'r+' });
        if (replace) renameSync(temporary, target);
        else placeNew(temporary, target);
      });
    },
    discard: () => rmSync(temporary, { force: true }),
  };
}

/** Writes the file atomically: to a temporary file beside it, which then replaces it. */
export function writeFileAtomically(file: string, text: string, replace: boolean, mode = 0o666): void {
  const prepared = prepareFile(file, { replace, mode });
  try {
    prepared.write(text);
  } finally {
    prepared.discard();
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
