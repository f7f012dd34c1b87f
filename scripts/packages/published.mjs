import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} folder Relative to the root.
 * @property {any} manifest Its package.json.
 */

/**
 * The packages that are published, every workspace that is not private, each after those it depends on.
 *
 * @param {string} root @returns {Package[]}
 */
export function listPublished(root) {
  const folders = readJson(join(root, 'package.json')).workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => pattern.replace('*', name))
      : [pattern],
  );
  const published = folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson(join(root, folder, 'package.json')) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
  return sortByDependencies(published);
}

/** Whoever installs while a release is under way never gets a package whose dependencies are not there yet. */
function sortByDependencies(packages) {
  const byName = new Map(packages.map((one) => [one.name, one]));
  const sorted = new Set();
  const add = (one) => {
    if (sorted.has(one)) return;
    for (const name of Object.keys(one.manifest.dependencies ?? {})) if (byName.has(name)) add(byName.get(name));
    sorted.add(one);
  };
  for (const name of [...byName.keys()].sort()) add(byName.get(name));
  return [...sorted];
}
