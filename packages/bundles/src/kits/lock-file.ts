import type { Bundle } from '@parley/documents/bundle';
import { digestFiles } from './digest.ts';
import type { KitFiles } from './kit-file.ts';

export interface LockEntry {
  readonly source: string | null;
  readonly clawHubRef: string | null;
  /** The digest with all 64 digits, even if the manifest has fewer. */
  readonly digest: string;
  readonly lockedAt: string | null;
  readonly updateCheckInterval: number | null;
}

/**
 * Renders the digest of every kit as it was installed (BA-6). There is no time in it, so that the plan is repeatable.
 */
export function renderLock(bundle: Bundle, kitFiles: KitFiles): string {
  const kits: Record<string, LockEntry> = {};
  for (const { id, mirror } of bundle.kits ?? []) {
    const files = kitFiles.get(id);
    if (files === undefined) continue;
    kits[id] = {
      source: mirror?.source ?? null,
      clawHubRef: mirror?.clawHubRef ?? null,
      digest: `sha256:${digestFiles(files)}`,
      lockedAt: mirror?.lockedAt ?? null,
      updateCheckInterval: mirror?.updateCheckInterval ?? null,
    };
  }
  return `${JSON.stringify({ version: 1, bundle: bundle.id, kits }, null, 2)}\n`;
}
