import type { ActivationScope } from '@parley/documents/bundle';
import { bundleError } from '../bundle-error.ts';
import type { FileSystem } from '../files/file-system.ts';
import { codeOf } from '../files/file-system.ts';
import type { InstalledBundle } from '../files/state.ts';
import { readWorkspaceState } from '../plan/workspace-state.ts';

/**
 * Where the bundles of each scope are installed. Those of a session are in the workspace, and so are an agent's if it
 * has no root of its own.
 */
export interface Roots {
  readonly workspace: string;
  readonly agent?: string | undefined;
  readonly global?: string | undefined;
}

export function chooseRoot(scope: ActivationScope, { workspace, agent, global }: Roots): string {
  if (scope === 'agent') return agent ?? workspace;
  if (scope !== 'global') return workspace;
  if (global === undefined) throw bundleError('ACTIVATION_SCOPE_UNAVAILABLE', { params: { scope } });
  return global;
}

/** Lists the bundles of the other roots, which are active at the same time. */
export async function listActiveElsewhere(
  root: string,
  roots: Roots,
  files: FileSystem | undefined,
): Promise<InstalledBundle[]> {
  const others = new Set([roots.workspace, roots.agent, roots.global].filter((path) => path !== undefined));
  others.delete(root);
  const active: InstalledBundle[] = [];
  for (const other of others) {
    try {
      active.push(...(await readWorkspaceState(other, [], files)).state.bundles);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  return active;
}
