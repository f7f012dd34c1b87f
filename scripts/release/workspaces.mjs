import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Every package of a repository, those that are published after what they depend on.
 *
 * @param {string} root @returns {{ dir: string, manifest: Record<string, any> }[]}
 */
export function listWorkspaces(root) {
  const dirs = readJson(join(root, 'package.json')).workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => pattern.replace('*', name))
      : [pattern],
  );
  const found = dirs
    .filter((dir) => existsSync(join(root, dir, 'package.json')))
    .map((dir) => ({ dir, manifest: readJson(join(root, dir, 'package.json')) }));
  return sortByDependencies(found);
}

export const isPublished = ({ manifest }) => manifest.private !== true;

/** Whoever installs while a release is under way never gets a package whose dependencies are not there yet. */
function sortByDependencies(workspaces) {
  const byName = new Map(workspaces.map((workspace) => [workspace.manifest.name, workspace]));
  const sorted = new Set();
  const add = (workspace) => {
    if (sorted.has(workspace)) return;
    for (const name of Object.keys(workspace.manifest.dependencies ?? {})) if (byName.has(name)) add(byName.get(name));
    sorted.add(workspace);
  };
  for (const name of [...byName.keys()].sort()) add(byName.get(name));
  return [...sorted];
}
