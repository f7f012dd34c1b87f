import { type Bundle, foldPath } from '@parley/documents/bundle';
import { isOurFile } from '../files/allowed-paths.ts';
import { HOME } from '../files/layout.ts';
import type { InstalledBundle } from '../files/state.ts';
import { split } from '../files/tree.ts';
import type { Conflict } from './conflict.ts';
import type { WorkspaceState } from './workspace-state.ts';

/**
 * Finds paths that leave the workspace, and paths that are one file on some systems, with each other or with an
 * existing file.
 */
export function findPathConflicts(paths: readonly string[], { names }: WorkspaceState): Conflict[] {
  const conflicts: Conflict[] = [];
  const spelling = new Map<string, string>();
  const isFile = new Set(paths.map(foldPath));
  for (const path of paths) {
    // Also refuses paths that a later recovery would not accept as ours.
    if (!isOurFile(path)) {
      conflicts.push({ code: 'PATH_UNSAFE', path });
      continue;
    }
    for (let current = path; current !== ''; current = split(current).parent) {
      const key = foldPath(current);
      const other = spelling.get(key);
      if (other !== undefined && (other !== current || (current === path && isTwice(paths, path))))
        conflicts.push({ code: 'PATH_COLLISION', path: current, other });
      spelling.set(key, current);
      // One path is a file and another goes through it.
      if (current !== path && isFile.has(key)) conflicts.push({ code: 'PATH_COLLISION', path, other: current });
      const { parent, name } = split(current);
      const twin = names.get(parent)?.find((entry) => entry !== name && foldPath(entry) === foldPath(name));
      if (twin !== undefined) {
        const there = parent === '' ? twin : `${parent}/${twin}`;
        conflicts.push({ code: 'PATH_COLLISION', path: current, other: there });
      }
    }
  }
  return unique(conflicts);
}

const isTwice = (paths: readonly string[], path: string): boolean => paths.indexOf(path) !== paths.lastIndexOf(path);

/** Two active bundles that use one id or one file would answer to the same name. */
export function findBundleConflicts(
  bundle: Bundle,
  ownPaths: readonly string[],
  active: readonly InstalledBundle[],
): Conflict[] {
  const members = [...bundle.roles, ...(bundle.kits ?? [])].map(({ id }) => id);
  const teams = (bundle.teams ?? []).map(({ id }) => id);
  const keys = new Set(ownPaths.filter((path) => !path.startsWith(`${HOME}/`)).map(foldPath));
  const conflicts = active.flatMap((other) => [
    ...members.filter((id) => other.members.includes(id)).map((path) => collide(path, other)),
    ...teams.filter((id) => other.teams.includes(id)).map((path) => collide(path, other)),
    ...other.files
      .filter(({ kind, path }) => kind === 'own' && keys.has(foldPath(path)))
      .map(({ path }) => collide(path, other)),
  ]);
  return unique(conflicts);
}

const collide = (path: string, { id }: InstalledBundle): Conflict => ({ code: 'BUNDLE_COLLISION', path, other: id });

function unique(conflicts: readonly Conflict[]): Conflict[] {
  return [...new Map(conflicts.map((conflict) => [JSON.stringify(conflict), conflict])).values()];
}
