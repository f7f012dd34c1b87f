import { parseJson } from '@parley/documents';
import type { LockEntry } from './lock-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A kit whose mirror should be looked at again (BN-4). It is only told, never done. */
export interface DueUpdate {
  readonly bundleId: string;
  readonly kit: string;
  readonly clawHubRef: string | null;
  readonly dueSince: string;
}

export function findDueUpdates(bundleId: string, lock: Uint8Array, now: Date): DueUpdate[] {
  const parsed = parseJson(lock);
  const kits = parsed.ok ? (parsed.value as { kits?: Record<string, LockEntry> } | null)?.kits : undefined;
  return Object.entries(kits ?? {}).flatMap(([kit, { clawHubRef, lockedAt, updateCheckInterval }]) => {
    const start = Date.parse(lockedAt ?? '');
    if (typeof updateCheckInterval !== 'number' || Number.isNaN(start)) return [];
    const due = start + updateCheckInterval * DAY_MS;
    return due > now.getTime() ? [] : [{ bundleId, kit, clawHubRef, dueSince: new Date(due).toISOString() }];
  });
}
