import { parseJson } from '@parley/documents';
import { computeRoutes, type Routes, readBundle } from '@parley/documents/bundle';
import { bundleFolder } from '../files/layout.ts';
import type { Recovery } from '../files/recover.ts';
import { type InstalledBundle, readState, type State } from '../files/state.ts';
import type { Tree } from '../files/tree.ts';
import { inWorkspace } from '../files/workspace.ts';
import { type DueUpdate, findDueUpdates } from '../mirror/updates.ts';
import type { OperationOptions } from '../operation-options.ts';
import { type Drift, findDrift } from './drift.ts';

export interface BundleStatus
  extends Pick<
    InstalledBundle,
    'id' | 'version' | 'name' | 'target' | 'scope' | 'installedAt' | 'planDigest' | 'entryRole'
  > {
  /** Null if the stored manifest differs from the one that was installed. */
  readonly routes: Routes | null;
  readonly previousVersion: string | null;
  readonly drift: readonly Drift[];
}

export interface WorkspaceStatus {
  readonly session: State['session'];
  readonly bundles: readonly BundleStatus[];
  /** Updates that are reported and never applied (BN-4). */
  readonly dueUpdates: readonly DueUpdate[];
}

/** Lists what is installed, how it hands over, and what has drifted (BA-6, BA-8). */
export async function statusOf(
  workspace: string,
  options: OperationOptions = {},
): Promise<WorkspaceStatus & { readonly recovery: Recovery }> {
  return await inWorkspace(workspace, options.files, async (tree, recovery) => ({
    ...(await describeStatus(tree, options)),
    recovery,
  }));
}

export async function describeStatus(tree: Tree, { now }: OperationOptions): Promise<WorkspaceStatus> {
  const { session, bundles } = await readState(tree);
  const statuses: BundleStatus[] = [];
  const dueUpdates: DueUpdate[] = [];
  for (const installed of bundles) {
    const drift = await findDrift(tree, installed);
    const clean = (name: string) => !drift.some(({ path }) => path === `${bundleFolder(installed.id)}/${name}`);
    const { id, version, name, target, scope, installedAt, planDigest, entryRole, previous } = installed;
    const routes = clean('manifest.json') ? await readRoutes(tree, id) : null;
    const previousVersion = previous?.bundle.version ?? null;
    statuses.push({
      id,
      version,
      name,
      target,
      scope,
      installedAt,
      planDigest,
      entryRole,
      routes,
      previousVersion,
      drift,
    });
    const lock = clean('lock.json') ? await tree.read(`${bundleFolder(id)}/lock.json`) : undefined;
    if (lock !== undefined) dueUpdates.push(...findDueUpdates(id, lock.bytes, now?.() ?? new Date()));
  }
  return { session, bundles: statuses, dueUpdates };
}

async function readRoutes(tree: Tree, bundleId: string): Promise<Routes | null> {
  const file = await tree.read(`${bundleFolder(bundleId)}/manifest.json`);
  const parsed = file === undefined ? undefined : parseJson(file.bytes);
  const bundle = parsed?.ok ? readBundle(parsed.value).bundle : undefined;
  return bundle === undefined ? null : computeRoutes(bundle);
}
