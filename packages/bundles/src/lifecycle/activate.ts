import { type BundleFinding, computeRoutes } from '@parley/documents/bundle';
import { findBlock } from '../blocks/block.ts';
import type { InstalledBundle, PreviousBundle } from '../files/state.ts';
import type { Tree } from '../files/tree.ts';
import { inWorkspace } from '../files/workspace.ts';
import type { OperationOptions } from '../operation-options.ts';
import type { Conflict } from '../plan/conflict.ts';
import { type Plan, planActivation } from '../plan/plan.ts';
import { inspectWorkspace, type WorkspaceState } from '../plan/workspace-state.ts';
import { type AssertionResult, checkAssertions, describeWorkspace } from './assertions.ts';
import { commit } from './commit.ts';
import { type BundleInput, type Invalid, type PreparedBundle, prepareBundle } from './prepare.ts';
import { listActiveElsewhere } from './roots.ts';

interface Agreement {
  /** The digest of the plan that the user agreed to; if the plan has changed since, nothing happens. */
  readonly planDigest?: string | undefined;
}

export type ActivateInput = BundleInput & Agreement;
export type ActivateOptions = OperationOptions & Agreement;

/** The reply to an activation (BA-2). */
export interface ActivationReply {
  readonly bundleName: string;
  readonly bundleId: string;
  readonly version: string;
  readonly workspace: string;
  readonly filesCreated: readonly string[];
  readonly filesModified: readonly string[];
  /** Files that an upgrade removed. */
  readonly filesRemoved: readonly string[];
  readonly entryRole: string;
  readonly snapshotId: string | null;
  readonly assertions: readonly AssertionResult[];
  readonly warnings: readonly BundleFinding[];
}

/** Why the workspace or the bundle's own assertions refuse it. */
export type ActivationRefusal =
  | { readonly code: 'PLAN_CHANGED'; readonly planDigest: string }
  | { readonly code: 'WORKSPACE_CONFLICT'; readonly conflicts: readonly Conflict[] }
  | { readonly code: 'ASSERTION_FAILED'; readonly assertions: readonly AssertionResult[] };

export type ActivationFailure = Invalid | ActivationRefusal;

export type ActivationResult<Failure = ActivationFailure> =
  | { readonly ok: true; readonly reply: ActivationReply }
  | { readonly ok: false; readonly failure: Failure };

/** Installs a bundle, or a new version over an old one, completely or not at all (BA-2, BA-3). */
export async function activateBundle(input: ActivateInput): Promise<ActivationResult> {
  const prepared = await prepareBundle(input, { withoutContent: false });
  return 'failure' in prepared ? { ok: false, failure: prepared.failure } : await activatePrepared(prepared, input);
}

/**
 * Does the same for a bundle that `previewBundle` has prepared. It is not validated, fetched or projected again; only
 * the workspace is inspected once more, because someone may have changed it since.
 */
export async function activatePrepared(
  prepared: PreparedBundle,
  options: ActivateOptions,
): Promise<ActivationResult<ActivationRefusal>> {
  const { root, roots, projection, unavailable } = prepared;
  for (const error of unavailable.values()) throw error;
  const alsoActive = await listActiveElsewhere(root, roots, options.files);
  return await inWorkspace(root, options.files, async (tree) => {
    const paths = projection.files.map(({ path }) => path);
    const workspace = await inspectWorkspace(tree, paths);
    const plan = planActivation({ ...prepared, workspaceState: workspace, alsoActive });
    const refusal = refuse(plan, options.planDigest);
    if (refusal !== undefined) return { ok: false, failure: refusal };
    return await execute(tree, options, { prepared, workspace, plan });
  });
}

function refuse(plan: Plan, agreed: string | undefined): ActivationRefusal | undefined {
  if (plan.conflicts.length > 0) return { code: 'WORKSPACE_CONFLICT', conflicts: plan.conflicts };
  if (agreed !== undefined && agreed !== plan.planDigest) return { code: 'PLAN_CHANGED', planDigest: plan.planDigest };
  return undefined;
}

interface Execution {
  readonly prepared: PreparedBundle;
  readonly workspace: WorkspaceState;
  readonly plan: Plan;
}

async function execute(
  tree: Tree,
  options: ActivateOptions,
  execution: Execution,
): Promise<ActivationResult<ActivationRefusal>> {
  const { prepared, workspace, plan } = execution;
  const { bundle, validation, root } = prepared;
  const before = checkAssertions(bundle, plan);
  if (before.some(({ passed }) => !passed))
    return { ok: false, failure: { code: 'ASSERTION_FAILED', assertions: before } };
  let after: AssertionResult[] = [];
  let snapshot: string | null = null;
  const others = workspace.state.bundles.filter(({ id }) => id !== bundle.id);
  try {
    await commit(tree, options, {
      state: workspace.state,
      operations: plan.operations,
      bundles: (kept, snapshotId) => {
        snapshot = snapshotId;
        return [...others, makeRecord(execution, kept, snapshotId, options.now?.() ?? new Date())];
      },
      check: async () => {
        after = await checkWorkspace(tree, prepared, plan, [...others.map(({ id }) => id), bundle.id]);
        if (after.some(({ passed }) => !passed)) throw new AssertionsFailed();
      },
    });
  } catch (error) {
    if (!(error instanceof AssertionsFailed)) throw error;
    return { ok: false, failure: { code: 'ASSERTION_FAILED', assertions: [...before, ...after] } };
  }
  const paths = (action: string) => plan.operations.filter((step) => step.action === action).map(({ path }) => path);
  return {
    ok: true,
    reply: {
      bundleName: bundle.name,
      bundleId: bundle.id,
      version: bundle.version,
      workspace: root,
      filesCreated: paths('create'),
      filesModified: paths('modify'),
      filesRemoved: paths('remove'),
      entryRole: computeRoutes(bundle).entryRole,
      snapshotId: snapshot,
      assertions: [...before, ...after],
      warnings: validation.warnings,
    },
  };
}

/** Tells the transaction to roll back, and never leaves this file. */
class AssertionsFailed extends Error {}

async function checkWorkspace(
  tree: Tree,
  { bundle }: PreparedBundle,
  plan: Plan,
  bundles: readonly string[],
): Promise<AssertionResult[]> {
  const sizes = new Map<string, number>();
  for (const { path } of plan.files) sizes.set(path, (await tree.describe(path))?.size ?? 0);
  return checkAssertions(bundle, plan, describeWorkspace(plan, sizes, bundles));
}

function makeRecord(
  { prepared, workspace, plan }: Execution,
  kept: ReadonlyMap<string, string>,
  snapshotId: string | null,
  now: Date,
): InstalledBundle {
  const { bundle } = prepared;
  const current = workspace.state.bundles.find(({ id }) => id === bundle.id);
  // Activating the same version again creates no undo step.
  const previous = plan.operations.length === 0 ? current?.previous : rememberPrevious(current, kept, workspace);
  return {
    id: bundle.id,
    version: bundle.version,
    name: bundle.name,
    target: plan.target,
    scope: plan.scope,
    session: plan.scope === 'session' ? (workspace.state.session?.id ?? null) : null,
    rollback: bundle.rollbackProfile,
    planDigest: plan.planDigest,
    installedAt: now.toISOString(),
    entryRole: computeRoutes(bundle).entryRole,
    members: [...bundle.roles, ...(bundle.kits ?? [])].map(({ id }) => id),
    teams: (bundle.teams ?? []).map(({ id }) => id),
    files: plan.files,
    snapshotId,
    previous: bundle.rollbackProfile.snapshotEnabled ? (previous ?? null) : null,
  };
}

/** Keeps what a rollback of an upgrade needs. Only the version just before is kept; older ones are forgotten. */
function rememberPrevious(
  current: InstalledBundle | undefined,
  kept: ReadonlyMap<string, string>,
  { files }: WorkspaceState,
): PreviousBundle | null {
  if (current === undefined) return null;
  const { previous: _older, ...bundle } = current;
  const blocks: Record<string, string> = {};
  for (const { kind, path } of bundle.files) {
    const live = files.get(path);
    const block = kind === 'block' && live?.kind === 'file' ? findBlock(live.bytes, bundle.id) : undefined;
    if (block?.found === true) blocks[path] = block.bytes.toString('utf8');
  }
  const own = new Set(bundle.files.filter(({ kind }) => kind === 'own').map(({ path }) => path));
  return { bundle, kept: Object.fromEntries([...kept].filter(([path]) => own.has(path))), blocks };
}
