import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { findFiles } from './files.mjs';

/**
 * The source file behind each name under which one of our packages is imported, read from the `exports` of the
 * packages: `@parley/agent/webhook` → `packages/agent/src/webhook/index.ts`.
 *
 * @param {string} root @returns {Map<string, string>}
 */
export function readEntries(root) {
  const entries = new Map();
  for (const path of ['packages', 'apps', 'examples'].flatMap((folder) => findFiles(root, folder, /^package\.json$/))) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    for (const [subpath, { default: built }] of Object.entries(exports)) {
      // A file that is no module: `./package.json`.
      if (built === undefined) continue;
      const source = built.replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts');
      const file = posix.join(posix.dirname(path), source);
      if (existsSync(join(root, file))) entries.set(posix.join(name, subpath), file);
    }
  }
  return entries;
}
