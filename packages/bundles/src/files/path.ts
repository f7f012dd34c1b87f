import { findPathProblem } from '@parley/documents/bundle';

const MAX_NAME_BYTES = 200;
/** What Windows cannot have in a name. */
const FORBIDDEN = /[<>"|?*]/;

/** Is it the only spelling of a file's path, and one that means the same below the workspace on every system? */
export function isSafePath(path: string): boolean {
  if (findPathProblem(path) !== undefined || FORBIDDEN.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && Buffer.byteLength(name) <= MAX_NAME_BYTES);
}
