import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const SKIPPED = new Set(['node_modules', 'dist', 'coverage']);

/**
 * Paths below `folder` of the files whose name fits, relative to `root`, with forward slashes, sorted.
 *
 * @param {string} root @param {string} folder @param {RegExp} name @returns {string[]}
 */
export function findFiles(root, folder, name) {
  const found = [];
  const walk = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name) && !entry.name.startsWith('.')) walk(inner);
      else if (entry.isFile() && name.test(entry.name)) found.push(inner);
    }
  };
  if (existsSync(join(root, folder))) walk(folder);
  return found.sort();
}

/** @param {string} root @param {readonly string[]} paths @returns {Map<string, string>} */
export function readFiles(root, paths) {
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Prints what a check found and sets the exit code. @param {string} check @param {readonly string[]} errors */
export function reportErrors(check, errors) {
  for (const error of errors) console.error(`${check}: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
}

/** @param {string} url The caller's `import.meta.url`. */
export function isMain(url) {
  return process.argv[1] === fileURLToPath(url);
}
