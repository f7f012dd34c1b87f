import { findRuntimes } from '@parley/bundles';
import type { Runtime } from '@parley/documents/bundle';

/** What this machine can run, for level 5. Looked for only if a kit asks. */
export function runtimesFor(manifest: unknown): readonly Runtime[] | undefined {
  const { kits } = (manifest ?? {}) as { kits?: unknown };
  const asks = Array.isArray(kits) && kits.some((kit) => typeof kit?.runtime === 'string');
  return asks ? findRuntimes() : undefined;
}
