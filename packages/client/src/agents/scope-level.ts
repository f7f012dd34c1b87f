import { effectiveSensitivity, highestSensitivity, type Manifest, type Sensitivity } from '@parley/documents';

/** The level below which this device runs no call of a tool, whatever a manifest says (CG-5). */
export type ExecutorFloor = (tool: { agentId: string; tool: string; scope: string }) => Sensitivity | undefined;

/** The highest floor of the tools that a manifest has under a scope. */
export function scopeFloor(
  manifest: Pick<Manifest, 'tools'>,
  { agentId, scope }: { readonly agentId: string; readonly scope: string },
  floor: ExecutorFloor,
): Sensitivity {
  const tools = manifest.tools.filter((tool) => tool.permission_scope === scope);
  return highestSensitivity(...tools.map(({ name }) => floor({ agentId, tool: name, scope }) ?? 'low'));
}

interface Levels {
  readonly agentId: string;
  readonly scope: string;
  /** As it was recorded when the scope was granted. */
  readonly recorded: Sensitivity | undefined;
  readonly manifest: Manifest | undefined;
}

/** The level by which the guard asks (CG-6), and so the one that is shown. Unknown is high. */
export function scopeLevel({ agentId, scope, recorded, manifest }: Levels, floor: ExecutorFloor): Sensitivity {
  const declared = manifest?.permission_scopes.find(({ id }) => id === scope);
  if (manifest === undefined || declared === undefined) return recorded ?? 'high';
  return highestSensitivity(
    recorded ?? 'low',
    effectiveSensitivity(declared),
    scopeFloor(manifest, { agentId, scope }, floor),
  );
}
