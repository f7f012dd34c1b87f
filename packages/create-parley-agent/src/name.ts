import { basename, resolve } from 'node:path';
import { createError } from './errors.ts';

/** What npm takes as the name of a package, and every file system as that of a folder. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
const RESERVED = new Set(['node_modules', 'favicon.ico']);
/** Windows has devices of these names in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

export interface Place {
  /** The absolute path of the new folder. */
  readonly folder: string;
  readonly name: string;
}

/** Reads what a person typed as the new folder: its name, or a path that ends with it (PK-7). Throws what is wrong. */
export function readPlace(typed: string, cwd: string): Place {
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(typed) || typed.split(/[/\\]/).includes('..')) throw createError('PATH_INVALID');
  // A shell would make the home folder of it; here it would be a folder of that very name.
  if (typed.trim().startsWith('~')) throw createError('PATH_FROM_HOME');
  // An empty word would mean the current folder.
  if (typed.trim() === '') throw createError('NAME_INVALID');
  const folder = resolve(cwd, typed);
  const name = basename(folder);
  if (RESERVED.has(name) || DEVICE.test(name)) throw createError('NAME_RESERVED', { params: { name } });
  if (!NAME.test(name)) throw createError('NAME_INVALID');
  return { folder, name };
}
