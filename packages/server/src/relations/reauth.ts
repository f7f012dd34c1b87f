import type { Manifest } from '@parley/documents';
import type { EventPayload, EventType } from '@parley/protocol';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { createComparison } from './compare.ts';
import { type AfterCommit, tellAgent, wakePeople } from './tell.ts';

export interface PublishedManifest {
  readonly agentId: string;
  readonly version: number;
  readonly hash: string;
  readonly manifest: Manifest;
}

/**
 * RL-8, RL-9. Each relation is compared with the manifest its person last agreed to, which only an answer moves: a tool
 * that is taken away and comes back altered is seen, however many versions lie between. One diff for each such manifest,
 * one statement for all relations: no row of theirs passes through this process.
 */
export async function noteManifestChange(
  trx: Trx,
  platform: Platform,
  published: PublishedManifest,
): Promise<AfterCommit> {
  const { agentId, version, manifest } = published;
  // Whoever agrees at this moment has agreed to the old manifest, and is in its group, or waits for the new one.
  await sql`select from agents where id = ${agentId} for update`.execute(trx);
  const compare = createComparison(trx, published);
  const declared = new Set(manifest.permission_scopes.map((scope) => scope.id));
  const before = await compare(version - 1);
  const scopes = new Set(before.scopes);
  const verdicts: Verdict[] = [];
  for (const group of await listGroups(trx, agentId)) {
    const diff = await compare(group.agreed_version);
    // What the manifest declares no longer cannot be used; should it come back, the comparison finds it again.
    const pending = [...new Set([...group.pending_scopes, ...diff.scopes])].filter((id) => declared.has(id)).sort();
    verdicts.push({ ...group, pending, asked: diff.breaking || pending.length > 0 });
    for (const scope of pending) scopes.add(scope);
  }
  await applyVerdicts(trx, platform, published, verdicts);
  const asked = before.breaking || verdicts.some((verdict) => verdict.asked);
  const wakeAgent = asked
    ? await tellAgent(platform, trx, agentId, 'h2a.reauth_required', reauthRequired(published, [...scopes].sort()))
    : () => {};
  return () => {
    wakeAgent();
    if (verdicts.length > 0) wakePeople(platform, agentId);
  };
}

/** Relations that differ neither in what their people agreed to nor in what is pending. */
interface Group {
  readonly agreed_version: number;
  readonly pending_scopes: readonly string[];
}
interface Verdict extends Group {
  readonly pending: readonly string[];
  readonly asked: boolean;
}

async function listGroups(trx: Trx, agentId: string): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select agreed_version, pending_scopes from h2a_relations
    where agent_id = ${agentId} and status <> 'ended'
    group by agreed_version, pending_scopes`.execute(trx);
  return rows;
}

/** Both parts of the statement see the relations as they were before it, so no group runs into another. */
async function applyVerdicts(
  trx: Trx,
  platform: Platform,
  published: PublishedManifest,
  verdicts: readonly Verdict[],
): Promise<void> {
  if (verdicts.length === 0) return;
  const { agentId } = published;
  const types = verdicts.map(({ asked }): EventType => (asked ? 'h2a.reauth_required' : 'h2a.manifest_updated'));
  const payloads = verdicts.map(({ asked, pending }) =>
    asked ? reauthRequired(published, pending) : manifestUpdated(published),
  );
  await sql`
    with verdict as (
      select * from unnest(
        ${verdicts.map((verdict) => verdict.agreed_version)}::integer[],
        ${toTexts(verdicts.map((verdict) => verdict.pending_scopes))}::jsonb[],
        ${toTexts(verdicts.map((verdict) => verdict.pending))}::jsonb[],
        ${types}::text[],
        ${toTexts(payloads)}::jsonb[]) as verdict (agreed_version, was, pending, type, payload)),
    told as (
      insert into events (recipient_kind, recipient_id, type, payload)
      select 'human', relation.account_id, verdict.type, verdict.payload
      from h2a_relations relation join verdict
        on verdict.agreed_version = relation.agreed_version and verdict.was = relation.pending_scopes
      where relation.agent_id = ${agentId} and relation.status <> 'ended')
    update h2a_relations relation set pending_scopes = verdict.pending, updated_at = ${platform.now()}
    from verdict
    where relation.agent_id = ${agentId} and relation.status <> 'ended'
      and verdict.agreed_version = relation.agreed_version and verdict.was = relation.pending_scopes
      and verdict.pending <> verdict.was`.execute(trx);
}

function toTexts(values: readonly object[]): string[] {
  return values.map((value) => JSON.stringify(value));
}

function manifestUpdated({ agentId, version, hash }: PublishedManifest): EventPayload<'h2a.manifest_updated'> {
  return { agent_id: agentId, new_manifest_version: version, new_manifest_hash: hash };
}

function reauthRequired(published: PublishedManifest, scopes: readonly string[]): EventPayload<'h2a.reauth_required'> {
  return { ...manifestUpdated(published), scopes_requiring_reauth: [...scopes] };
}
