import { hashCanonical, type Json } from '@parley/documents';
import { bundleError } from '../bundle-error.ts';
import type { InstalledBundle, PreviousBundle, State } from '../files/state.ts';
import type { Tree } from '../files/tree.ts';
import { inWorkspace } from '../files/workspace.ts';
import type { OperationOptions } from '../operation-options.ts';
import type { KeptFile } from '../plan/kept-file.ts';
import type { PlanOperation } from '../plan/operation.ts';
import { planTransition, type Transition, type WantedFile } from '../plan/transition.ts';
import { inspectWorkspace, readWorkspaceState, type WorkspaceState } from '../plan/workspace-state.ts';
import { commit } from './commit.ts';

export interface RemoveInput extends OperationOptions {
  /** The root that the bundle is installed in. */
  readonly workspace: string;
  readonly bundleId: string;
  /** Removes the bundle's files although it says that the user removes them (`manual`). */
  readonly evenIfManual?: boolean | undefined;
  /** The digest of the preview that the user agreed to; if the plan has changed since, nothing happens. */
  readonly planDigest?: string | undefined;
}

/** What a rollback or an uninstallation would do. */
export interface RemovalPreview {
  readonly bundleId: string;
  readonly name: string;
  /** The version that is active now. */
  readonly from: string;
  /** The version that would be active; null if the bundle would be removed. */
  readonly to: string | null;
  readonly files: readonly Pick<PlanOperation, 'path' | 'action'>[];
  readonly kept: readonly KeptFile[];
  /** Not empty if the bundle wants the user to remove these by hand (`manual`). */
  readonly manual: readonly ManualStep[];
  readonly planDigest: string;
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

/** Shows what `rollback` or `uninstall` would do. It changes nothing and takes no lock. */
export async function previewRemoval(
  input: Pick<RemoveInput, 'workspace' | 'bundleId' | 'files'> & { readonly to: 'previous' | 'nothing' },
): Promise<RemovalPreview> {
  const { bundleId } = input;
  const workspace = await readWorkspaceState(input.workspace, [], input.files);
  const current = findBundle(workspace.state, bundleId);
  const to = input.to === 'previous' ? (current.previous ?? undefined) : undefined;
  const { transition, manual, planDigest } = planRemoval(workspace, current, to);
  return {
    bundleId,
    name: current.name,
    from: current.version,
    to: to?.bundle.version ?? null,
    files: transition.operations.map(({ path, action }) => ({ path, action })),
    kept: transition.kept,
    manual,
    planDigest,
  };
}

function planRemoval(workspace: WorkspaceState, current: InstalledBundle, to: PreviousBundle | undefined) {
  const transition = planTransition({
    bundleId: current.id,
    current,
    wanted: to === undefined ? [] : listWanted(to),
    workspace,
    keep: { shared: false, own: false },
    onEdit: 'keep',
  });
  const steps = transition.operations.map(({ content: _content, ...operation }) => operation);
  const plan = {
    bundleId: current.id,
    from: current.planDigest,
    to: to?.bundle.planDigest ?? null,
    operations: steps,
    kept: transition.kept,
  };
  return {
    transition,
    manual: current.rollback.strategy === 'manual' ? listManual(transition, current) : [],
    planDigest: `sha256:${hashCanonical(plan as unknown as Json)}`,
  };
}

export async function goBack(tree: Tree, input: RemoveInput, to: PreviousBundle | undefined): Promise<RemoveReply> {
  const { bundleId } = input;
  const workspace = await inspectWorkspace(tree, []);
  const current = findBundle(workspace.state, bundleId);
  const { transition, manual, planDigest } = planRemoval(workspace, current, to);
  if (input.planDigest !== undefined && input.planDigest !== planDigest) throw bundleError('PLAN_CHANGED');
  if (manual.length > 0 && input.evenIfManual !== true) return { done: false, bundleId, manual };
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
