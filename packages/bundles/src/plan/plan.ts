import { hashCanonical, type Json } from '@parley/documents';
import type { ActivationScope, Bundle } from '@parley/documents/bundle';
import type { InstalledBundle, InstalledFile } from '../files/state.ts';
import type { Missing } from '../project/missing.ts';
import type { TargetId } from '../project/project.ts';
import type { ProjectedFile, WorkspaceProjection } from '../project/projection.ts';
import { findBundleConflicts, findPathConflicts } from './collisions.ts';
import type { Conflict } from './conflict.ts';
import type { PlanOperation } from './operation.ts';
import { planTransition, type WantedFile } from './transition.ts';
import type { WorkspaceState } from './workspace-state.ts';

export interface PlanInput {
  readonly bundle: Bundle;
  readonly projection: WorkspaceProjection;
  readonly workspaceState: WorkspaceState;
  readonly target: TargetId;
  /** Bundles of other roots that are active at the same time. */
  readonly alsoActive?: readonly InstalledBundle[];
}

/** Exactly what an activation does. The same input gives the same digest on every machine. */
export interface Plan {
  readonly bundleId: string;
  readonly version: string;
  /** The version that it replaces. */
  readonly replaces: string | null;
  readonly target: TargetId;
  readonly scope: ActivationScope;
  readonly operations: readonly PlanOperation[];
  readonly conflicts: readonly Conflict[];
  readonly missing: readonly Missing[];
  readonly files: readonly InstalledFile[];
  readonly planDigest: string;
}

/** Plans the file operations that bring a projected bundle into a workspace. Pure. */
export function planActivation(input: PlanInput): Plan {
  const { bundle, projection, workspaceState, target, alsoActive = [] } = input;
  const { files, missing } = projection;
  const paths = files.map(({ path }) => path);
  const own = files.filter(({ kind }) => kind === 'own').map(({ path }) => path);
  const current = workspaceState.state.bundles.find(({ id }) => id === bundle.id);
  const { snapshotEnabled, strategy } = bundle.rollbackProfile;
  const transition = planTransition({
    bundleId: bundle.id,
    current,
    wanted: files.map(toWanted),
    workspace: workspaceState,
    keep: { shared: snapshotEnabled && strategy === 'restore-snapshot', own: snapshotEnabled },
    onEdit: 'refuse',
  });
  const between = [
    ...findBundleConflicts(
      bundle,
      own,
      workspaceState.state.bundles.filter((other) => other !== current),
    ),
    ...findBundleConflicts(bundle, [], alsoActive),
  ];
  // A file of another bundle is reported twice; the reason that names the bundle says more.
  const explained = new Set(between.map(({ path }) => path));
  const plan = {
    bundleId: bundle.id,
    version: bundle.version,
    replaces: current?.version ?? null,
    target,
    scope: bundle.activationScope ?? 'workspace',
    operations: transition.operations,
    conflicts: [
      ...findPathConflicts(paths, workspaceState),
      ...between,
      ...transition.conflicts.filter(({ path }) => !explained.has(path)),
    ],
    missing,
    files: transition.files,
  } as const;
  return { ...plan, planDigest: digestPlan(plan) };
}

/** Includes only what matters to the user who agreed; contents are represented by their digests. */
function digestPlan({ files, operations, ...plan }: Omit<Plan, 'planDigest'>): string {
  const steps = operations.map(({ content: _content, ...operation }) => operation);
  const installed = files.map(({ kind, path, digest }) => ({ kind, path, digest }));
  return `sha256:${hashCanonical({ ...plan, operations: steps, files: installed } as unknown as Json)}`;
}

function toWanted(file: ProjectedFile): WantedFile {
  return file.kind === 'own' ? { kind: 'own', path: file.path, content: file.bytes, mode: file.mode } : file;
}
