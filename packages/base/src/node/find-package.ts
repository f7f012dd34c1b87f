import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PackageFolder {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
}

/**
 * Finds the package that a module lies in, by its `import.meta.url`: as source or compiled that is its own, bundled it
 * is the one that ships the bundle.
 */
export function findPackage(module: string): PackageFolder {
  for (let folder = dirname(fileURLToPath(module)); ; folder = dirname(folder)) {
    const found = readPackage(folder);
    if (found !== undefined) return found;
    if (dirname(folder) === folder) throw new TypeError(`findPackage: no package holds ${module}`);
  }
}

/** A package.json without a name only says what kind of modules a folder has. */
function readPackage(folder: string): PackageFolder | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
  return name === undefined ? undefined : { folder, name, version };
}
