import type { InstalledBundle, InstalledFile, SharedOriginal, State } from '../files/state.ts';
import { stepBlockFile } from './block-files.ts';
import type { Conflict } from './conflict.ts';
import type { KeptFile } from './kept-file.ts';
import type { PlanOperation } from './operation.ts';
import { type Step, stepOwnFile } from './own-files.ts';
import type { WorkspaceState } from './workspace-state.ts';

/** A file of the new state: bytes, a kept file, or a block. */
export type WantedFile =
  | {
      readonly kind: 'own';
      readonly path: string;
      readonly content: Exclude<PlanOperation['content'], null>;
      readonly mode: number;
    }
  | { readonly kind: 'block'; readonly path: string; readonly block: string };

export interface TransitionInput {
  readonly bundleId: string;
  /** The installed version of this bundle. */
  readonly current: InstalledBundle | undefined;
  readonly wanted: readonly WantedFile[];
  readonly workspace: WorkspaceState;
  /** `shared`: keep the originals of shared files. `own`: keep our own files that are replaced. */
  readonly keep: { readonly shared: boolean; readonly own: boolean };
  readonly onEdit: 'refuse' | 'keep';
}

export interface Transition {
  /** The operations, sorted by path. */
  readonly operations: readonly PlanOperation[];
  readonly conflicts: readonly Conflict[];
  readonly kept: readonly KeptFile[];
  readonly files: readonly InstalledFile[];
}

/**
 * Plans the way from the installed files to the wanted ones, given the actual ones. Installing, upgrading and removing
 * all use it. Pure.
 */
export function planTransition(input: TransitionInput): Transition {
  const wanted = new Map(input.wanted.map((file) => [file.path, file]));
  const installed = new Map(input.current?.files.map((file) => [file.path, file]));
  const paths = [...new Set([...wanted.keys(), ...installed.keys()])].sort();
  const steps = paths.map((path) => step(input, path, wanted.get(path), installed.get(path)));
  return {
    operations: steps.flatMap(({ operation }) => operation ?? []),
    conflicts: steps.flatMap(({ conflict }) => conflict ?? []),
    kept: steps.flatMap(({ kept }) => kept ?? []),
    files: steps.flatMap(({ file }) => file ?? []),
  };
}

function step(
  { bundleId, workspace, keep, onEdit }: TransitionInput,
  path: string,
  wanted: WantedFile | undefined,
  installed: InstalledFile | undefined,
): Step {
  const live = workspace.files.get(path);
  if ((wanted ?? installed)?.kind === 'own') {
    return stepOwnFile({
      path,
      live,
      installed,
      wanted: wanted?.kind === 'own' ? wanted : undefined,
      keep: keep.own,
      onEdit,
    });
  }
  const { state } = workspace;
  return stepBlockFile({
    bundleId,
    path,
    live,
    installed,
    wanted: wanted?.kind === 'block' ? wanted.block : undefined,
    original: originalOf(state, path),
    last: !hasOtherBlock(state, path, bundleId),
    keep: keep.shared,
    onEdit,
  });
}

export function originalOf({ shared }: State, path: string): SharedOriginal | undefined {
  return Object.hasOwn(shared, path) ? shared[path] : undefined;
}

function hasOtherBlock({ bundles }: State, path: string, bundleId: string): boolean {
  return bundles.some(
    ({ id, files }) => id !== bundleId && files.some((file) => file.kind === 'block' && file.path === path),
  );
}
