import type { Manifest } from '@parley/documents';
import type { EventPayload, EventType } from '@parley/protocol';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';

export interface PublishedManifest {
  readonly agentId: string;
  readonly version: number;
  readonly hash: string;
  readonly manifest: Manifest;
}

/** Relations that differ neither in what their people agreed to nor in what is pending. */
export interface Group {
  readonly agreed_version: number;
  readonly pending_scopes: readonly string[];
}
export interface Verdict extends Group {
  readonly pending: readonly string[];
  readonly asked: boolean;
}

export async function listGroups(trx: Trx, agentId: string): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select agreed_version, pending_scopes from h2a_relations
    where agent_id = ${agentId} and status <> 'ended'
    group by agreed_version, pending_scopes`.execute(trx);
  return rows;
}

/** Both parts of the statement see the relations as they were before it, so no group runs into another. */
export async function applyVerdicts(
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

export function reauthRequired(
  published: PublishedManifest,
  scopes: readonly string[],
): EventPayload<'h2a.reauth_required'> {
  return { ...manifestUpdated(published), scopes_requiring_reauth: [...scopes] };
}
