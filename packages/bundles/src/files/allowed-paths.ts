import { foldPath, isSafePath } from '@parley/documents/bundle';
import { HOME, STATE_FILE } from './layout.ts';

/** The user's files that get a block (BA-3), for every target. */
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
 * Can a bundle have put a file here? The journal and the record come with a workspace, which may be a stranger's, so
 * they may name nothing else. Above all not `.git`, the one folder that a repository cannot bring with it, and whose
 * settings and hooks are executed.
 */
export function isOurFile(path: string): boolean {
  if (!isSafePath(path) || path.split('/').some(isGit)) return false;
  return SHARED.has(path) || path === STATE_FILE || FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

/** Can such a file be in this folder? */
export function isOurFolder(path: string): boolean {
  return path === HOME || isOurFile(`${path}/x`);
}

/** Also matches the short name that Windows gives it. */
const isGit = (name: string): boolean => ['.git', 'git~1'].includes(foldPath(name));
