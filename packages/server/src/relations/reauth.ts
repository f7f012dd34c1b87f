import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { type Comparisons, findComparison } from './compare.ts';
import { type AfterCommit, notifyAgent, wakePeople } from './notify.ts';
import { applyVerdicts, listGroups, type PublishedManifest, reauthRequired, type Verdict } from './verdicts.ts';

export interface ManifestChange {
  readonly published: PublishedManifest;
  /** With the previous version and those that someone agrees to, made before the transaction (OP-5). */
  readonly comparisons: Comparisons;
}

/**
 * Compares each relation with the manifest that its person last agreed to (RL-8, RL-9), which only an answer changes: a
 * tool that is removed and comes back altered is noticed, however many versions lie between. There is one diff for each
 * such manifest and a few statements for all relations; their rows are not read into this process. Throws `MISSING` if
 * a comparison was not made. The caller has locked the agent: someone who agrees at this moment either agreed to the old
 * manifest, and is in its group, or waits for the new one.
 */
export async function noteManifestChange(
  trx: Trx,
  platform: Platform,
  { published, comparisons }: ManifestChange,
): Promise<AfterCommit> {
  const { agentId, ownerId: causedBy, version, manifest } = published;
  const declared = new Set(manifest.permission_scopes.map((scope) => scope.id));
  const before = findComparison(comparisons, version - 1);
  const scopes = new Set(before.scopesRequiringReauth);
  const verdicts: Verdict[] = [];
  for (const { agreed_version, scopes: waiting } of await listGroups(trx, agentId)) {
    const diff = findComparison(comparisons, agreed_version);
    // A scope that the manifest no longer declares cannot be used; if it comes back, the comparison finds it again.
    const pending = [...new Set([...waiting, ...diff.scopesRequiringReauth])].filter((id) => declared.has(id)).sort();
    verdicts.push({ agreed_version, scopes: pending, asked: diff.breaking || pending.length > 0 });
    for (const scope of pending) scopes.add(scope);
  }
  await applyVerdicts(trx, published, verdicts);
  const asked = before.breaking || verdicts.some((verdict) => verdict.asked);
  const payload = reauthRequired(published, [...scopes].sort());
  const wakeAgent = asked
    ? await notifyAgent(platform, trx, { agentId, causedBy }, 'h2a.reauth_required', payload)
    : () => {};
  return () => {
    wakeAgent();
    if (verdicts.length > 0) wakePeople(platform, agentId);
  };
}
