import { randomBytes } from 'node:crypto';
import type { Recovery } from '../files/recover.ts';
import type { State } from '../files/state.ts';
import type { Tree } from '../files/tree.ts';
import { inWorkspace } from '../files/workspace.ts';
import type { OperationOptions } from '../operation-options.ts';
import { inspectWorkspace } from '../plan/workspace-state.ts';
import { commit } from './commit.ts';
import { goBack, type RemoveReply } from './remove.ts';
import { describeStatus, type WorkspaceStatus } from './status.ts';

export interface WorkspaceSessionInput extends OperationOptions {
  readonly workspace: string;
}

export interface WorkspaceSessionStart {
  readonly sessionId: string;
  readonly recovery: Recovery;
  /** The bundles of a session that ended without a stop. */
  readonly removed: readonly RemoveReply[];
  /** Includes drift: a changed file is reported here and must not be loaded (BA-6). */
  readonly status: WorkspaceStatus;
}

/** Call it at every start. Bundles of the `session` scope that wait for a session then belong to this one. */
export async function startWorkspaceSession(input: WorkspaceSessionInput): Promise<WorkspaceSessionStart> {
  return await inWorkspace(input.workspace, input.files, async (tree, recovery) => {
    const { state } = await inspectWorkspace(tree, []);
    const removed = state.session === null ? [] : await removeSession(tree, input, state.session.id);
    const session = { id: randomBytes(8).toString('hex'), startedAt: (input.now?.() ?? new Date()).toISOString() };
    await setSession(tree, input, session);
    return { sessionId: session.id, recovery, removed, status: await describeStatus(tree, input) };
  });
}

/** Removes the bundles of the session. */
export async function stopWorkspaceSession(input: WorkspaceSessionInput): Promise<readonly RemoveReply[]> {
  return await inWorkspace(input.workspace, input.files, async (tree) => {
    const { state } = await inspectWorkspace(tree, []);
    const removed = await removeSession(tree, input, state.session?.id ?? null);
    await setSession(tree, input, null);
    return removed;
  });
}

async function removeSession(tree: Tree, input: WorkspaceSessionInput, session: string | null): Promise<RemoveReply[]> {
  const { state } = await inspectWorkspace(tree, []);
  const removed: RemoveReply[] = [];
  for (const { id, scope, session: owner } of state.bundles) {
    // A session ends without asking anyone, so nobody could remove the files by hand.
    if (scope === 'session' && owner === session)
      removed.push(await goBack(tree, { ...input, bundleId: id, evenIfManual: true }, undefined));
  }
  return removed;
}

async function setSession(tree: Tree, input: WorkspaceSessionInput, session: State['session']): Promise<void> {
  const { state } = await inspectWorkspace(tree, []);
  if (session === null && state.session === null) return;
  await commit(tree, input, {
    state,
    operations: [],
    session,
    bundles: () =>
      state.bundles.map((bundle) =>
        bundle.scope === 'session' && bundle.session === null ? { ...bundle, session: session?.id ?? null } : bundle,
      ),
  });
}
