import { isParleyError } from '@parley/base';
import { isSafePath } from '@parley/documents/bundle';
import { bundleError } from '../bundle-error.ts';
import { type FileSystem, nodeFiles } from '../files/file-system.ts';
import { JOURNAL_FILE } from '../files/layout.ts';
import { EMPTY_STATE, readState, type State } from '../files/state.ts';
import { split, Tree } from '../files/tree.ts';

export type LiveFile =
  | {
      readonly kind: 'file';
      readonly bytes: Buffer;
      readonly digest: string;
      readonly mode: number;
      readonly links: number;
    }
  /** A link, a directory, a device, or something behind a link. */
  | { readonly kind: 'other' };

/** What a plan needs to know about a workspace. */
export interface WorkspaceState {
  readonly state: State;
  readonly files: ReadonlyMap<string, LiveFile>;
  /** The names in every directory on the way to these files. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

export const EMPTY_WORKSPACE: WorkspaceState = { state: EMPTY_STATE, files: new Map(), names: new Map() };

/** Inspects these paths and everything that the installed bundles own. */
export async function inspectWorkspace(tree: Tree, paths: Iterable<string>): Promise<WorkspaceState> {
  const state = await forgetLost(tree, await readState(tree));
  const installed = state.bundles.flatMap(({ files, previous }) => [...files, ...(previous?.bundle.files ?? [])]);
  const all = new Set([...paths, ...installed.map(({ path }) => path)]);
  const files = new Map<string, LiveFile>();
  const names = new Map<string, readonly string[]>();
  for (const path of all) {
    if (!isSafePath(path)) continue;
    const file = await describe(tree, path);
    if (file !== undefined) files.set(path, file);
    for (let { parent } = split(path); !names.has(parent); { parent } = split(parent)) {
      names.set(parent, file?.kind === 'other' ? [] : await tree.list(parent));
      if (parent === '') break;
    }
  }
  return { state, files, names };
}

/**
 * Without the original, only the modification time of a shared file is lost: our block leaves its other bytes
 * unchanged.
 */
async function forgetLost(tree: Tree, state: State): Promise<State> {
  const shared = { ...state.shared };
  for (const [path, { digest, kept }] of Object.entries(shared)) {
    if (kept === null) continue;
    const file = await describe(tree, kept);
    if (file?.kind !== 'file' || file.digest !== digest) shared[path] = { digest, kept: null };
  }
  return { ...state, shared };
}

/** Reads the state without taking a lock and without writing anything (BA-1). */
export async function readWorkspaceState(
  root: string,
  paths: Iterable<string>,
  files: FileSystem = nodeFiles,
): Promise<WorkspaceState> {
  const tree = await Tree.open(files, root);
  try {
    // A change is in progress, or one was interrupted and has not been recovered yet.
    if ((await tree.describe(JOURNAL_FILE)) !== undefined) throw bundleError('WORKSPACE_BUSY');
    return await inspectWorkspace(tree, paths);
  } finally {
    await tree.close();
  }
}

async function describe(tree: Tree, path: string): Promise<LiveFile | undefined> {
  try {
    const stats = await tree.describe(path);
    if (stats === undefined) return undefined;
    if (!stats.isFile()) return { kind: 'other' };
    const file = await tree.read(path);
    return file === undefined ? undefined : { kind: 'file', ...file };
  } catch (error) {
    if (isParleyError(error, 'WORKSPACE_UNSAFE')) return { kind: 'other' };
    throw error;
  }
}
