import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join } from 'node:path';

interface SearchPath {
  readonly PATH?: string | undefined;
  /** The extensions that a program may have on Windows. */
  readonly PATHEXT?: string | undefined;
}

/**
 * Finds the full path of a program on the search path without starting it. Relative folders are skipped: they would
 * mean another program in each working directory.
 */
export function findProgram(name: string, { PATH = '', PATHEXT = '.EXE;.CMD' }: SearchPath): string | undefined {
  const folders = PATH.split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = process.platform === 'win32' && extname(name) === '' ? PATHEXT.split(';') : [''];
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
