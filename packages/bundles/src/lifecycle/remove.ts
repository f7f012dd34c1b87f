import { bundleError } from '../bundle-error.ts';
import type { InstalledBundle, PreviousBundle, State } from '../files/state.ts';
import type { Tree } from '../files/tree.ts';
import { inWorkspace } from '../files/workspace.ts';
import type { OperationOptions } from '../operation-options.ts';
import type { KeptFile } from '../plan/kept-file.ts';
import { planTransition, type Transition, type WantedFile } from '../plan/transition.ts';
import { inspectWorkspace, type WorkspaceState } from '../plan/workspace-state.ts';
import { commit } from './commit.ts';

export interface RemoveInput extends OperationOptions {
  /** The root that the bundle is installed in. */
  readonly workspace: string;
  readonly bundleId: string;
  /** Removes the bundle's files although it says that the user removes them (`manual`). */
  readonly evenIfManual?: boolean | undefined;
}

export type RemoveReply =
  | {
      readonly done: true;
      readonly bundleId: string;
      /** The version that is active now, after a rollback to an earlier one. */
      readonly version: string | null;
      readonly filesRestored: readonly string[];
      readonly filesRemoved: readonly string[];
      /** Files that were changed since we wrote them, so they stay (BA-5). */
      readonly kept: readonly KeptFile[];
    }
  /** `manual`: the files that the user has to remove before the bundle can be uninstalled. */
  | { readonly done: false; readonly bundleId: string; readonly manual: readonly ManualStep[] };

export interface ManualStep {
  readonly path: string;
  readonly remove: 'file' | 'block';
}

/** Restores, byte for byte, what was there before the bundle (BA-5). */
export async function uninstall(input: RemoveInput): Promise<RemoveReply> {
  return await inWorkspace(input.workspace, input.files, async (tree) => await goBack(tree, input, undefined));
}

/** Undoes the last activation: the previous version returns, or the bundle is removed. */
export async function rollback(input: RemoveInput): Promise<RemoveReply> {
  return await inWorkspace(input.workspace, input.files, async (tree) => {
    const { state } = await inspectWorkspace(tree, []);
    return await goBack(tree, input, findBundle(state, input.bundleId).previous ?? undefined);
  });
}

export async function goBack(tree: Tree, input: RemoveInput, to: PreviousBundle | undefined): Promise<RemoveReply> {
  const { bundleId } = input;
  const workspace = await inspectWorkspace(tree, []);
  const current = findBundle(workspace.state, bundleId);
  const transition = planTransition({
    bundleId,
    current,
    wanted: to === undefined ? [] : listWanted(to),
    workspace,
    keep: { shared: false, own: false },
    onEdit: 'keep',
  });
  if (current.rollback.strategy === 'manual' && input.evenIfManual !== true) {
    const manual = listManual(transition, current);
    if (manual.length > 0) return { done: false, bundleId, manual };
  }
  await commit(tree, input, {
    state: workspace.state,
    operations: transition.operations,
    bundles: () => listBundles(workspace, transition, bundleId, to),
  });
  const paths = (removes: boolean) =>
    transition.operations.filter(({ after }) => (after === null) === removes).map(({ path }) => path);
  const { kept } = transition;
  return {
    done: true,
    bundleId,
    version: to?.bundle.version ?? null,
    filesRestored: paths(false),
    filesRemoved: paths(true),
    kept,
  };
}

function findBundle({ bundles }: State, bundleId: string): InstalledBundle {
  const found = bundles.find(({ id }) => id === bundleId);
  if (found === undefined) throw bundleError('BUNDLE_NOT_INSTALLED', { params: { bundle: bundleId } });
  return found;
}

function listBundles(
  { state }: WorkspaceState,
  { files }: Transition,
  bundleId: string,
  to: PreviousBundle | undefined,
): InstalledBundle[] {
  const others = state.bundles.filter(({ id }) => id !== bundleId);
  return to === undefined ? others : [...others, { ...to.bundle, files, previous: null }];
}

/** Lists the files of the previous version: the kept ones, and those that the upgrade did not change. */
function listWanted({ bundle, kept, blocks }: PreviousBundle): WantedFile[] {
  return bundle.files.flatMap(({ kind, path, digest }): WantedFile[] => {
    if (kind === 'block') {
      const block = Object.hasOwn(blocks, path) ? blocks[path] : undefined;
      return block === undefined ? [] : [{ kind, path, block }];
    }
    const place = Object.hasOwn(kept, path) ? kept[path] : undefined;
    // A file without a kept copy did not change, so the transition finds nothing to do.
    return [{ kind, path, content: { kept: place ?? path, digest }, mode: 0o644 }];
  });
}

function listManual({ operations }: Transition, { files }: InstalledBundle): ManualStep[] {
  const blocks = new Set(files.filter(({ kind }) => kind === 'block').map(({ path }) => path));
  return operations.map(({ path, after }) => ({
    path,
    remove: blocks.has(path) && after !== null ? 'block' : 'file',
  }));
}
