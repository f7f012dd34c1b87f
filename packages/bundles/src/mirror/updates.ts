import { isJsonObject, parseJson } from '@parley/documents';
import type { LockEntry } from '../kits/lock-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A kit whose mirror should be checked again (BN-4). It is reported, never updated. */
export interface DueUpdate {
  readonly bundleId: string;
  readonly kit: string;
  readonly clawHubRef: string | null;
  readonly dueSince: string;
}

/** The lock file is in the workspace, so anyone may have written it. */
export function findDueUpdates(bundleId: string, lock: Uint8Array, now: Date): DueUpdate[] {
  const parsed = parseJson(lock);
  const kits = parsed.ok && isJsonObject(parsed.value) && isJsonObject(parsed.value.kits) ? parsed.value.kits : {};
  return Object.entries(kits).flatMap(([kit, entry]) => {
    if (!isJsonObject(entry)) return [];
    const { clawHubRef = null, lockedAt, updateCheckInterval } = entry as Partial<Record<keyof LockEntry, unknown>>;
    if (typeof updateCheckInterval !== 'number' || !(updateCheckInterval > 0) || typeof lockedAt !== 'string')
      return [];
    const due = Date.parse(lockedAt) + updateCheckInterval * DAY_MS;
    if (!(due <= now.getTime()) || (clawHubRef !== null && typeof clawHubRef !== 'string')) return [];
    return [{ bundleId, kit, clawHubRef, dueSince: new Date(due).toISOString() }];
  });
}
