import { findRuntimes } from '@parley/bundles';
import type { Runtime } from '@parley/documents/bundle';

/** Detects the runtimes of this machine for level 5, but only if a kit needs one. */
export function runtimesFor(manifest: unknown): readonly Runtime[] | undefined {
  const { kits } = (manifest ?? {}) as { kits?: unknown };
  const asks = Array.isArray(kits) && kits.some((kit) => typeof kit?.runtime === 'string');
  return asks ? findRuntimes() : undefined;
}
