import { foldPath, isSafePath } from '@parley/documents/bundle';
import { HOME, STATE_FILE } from './layout.ts';

/** Files of a person that get a block (BA-3), whatever the target. */
const SHARED: ReadonlySet<string> = new Set([
  'AGENTS.md',
  'SOUL.md',
  'TOOLS.md',
  'USER.md',
  'IDENTITY.md',
  'ROLEOS.md',
]);
const FOLDERS = ['skills', 'kits', 'roles', `${HOME}/bundles`];

/**
 * Can a bundle have put a file here? Journal and record come with a workspace, which may be a stranger's: they lead to
 * nothing else. Above all not into `.git`, the one place that a repository cannot bring with it, and whose settings and
 * hooks are run.
 */
export function isOurFile(path: string): boolean {
  if (!isSafePath(path) || path.split('/').some(isGit)) return false;
  return SHARED.has(path) || path === STATE_FILE || FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

/** A folder that such a file may be in. */
export function isOurFolder(path: string): boolean {
  return path === HOME || isOurFile(`${path}/x`);
}

/** Also as Windows shortens it. */
const isGit = (name: string): boolean => ['.git', 'git~1'].includes(foldPath(name));
