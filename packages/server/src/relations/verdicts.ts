import type { Manifest } from '@parley/documents';
import type { EventPayload, EventType } from '@parley/protocol';
import { sql } from 'kysely';
import type { Trx } from '../storage/database.ts';

export interface PublishedManifest {
  readonly agentId: string;
  /** Who pays for what people are told of it. */
  readonly ownerId: string;
  readonly version: number;
  readonly hash: string;
  readonly manifest: Manifest;
}

/** The relations that agreed to one version, and the scopes that they have yet to answer. */
export interface Group {
  readonly agreed_version: number;
  readonly scopes: readonly string[];
}
export interface Verdict extends Group {
  readonly asked: boolean;
}

export async function listGroups(trx: Trx, agentId: string): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select version.agreed_version, coalesce(pending.scopes, '[]') as scopes
    from (
      select distinct agreed_version from h2a_relations
      where agent_id = ${agentId} and status <> 'ended') as version
    left join pending_scopes pending
      on pending.agent_id = ${agentId} and pending.agreed_version = version.agreed_version`.execute(trx);
  return rows;
}

export async function applyVerdicts(
  trx: Trx,
  published: PublishedManifest,
  verdicts: readonly Verdict[],
): Promise<void> {
  const { agentId } = published;
  const versions = verdicts.map((verdict) => verdict.agreed_version);
  const waiting = verdicts.map((verdict) => JSON.stringify(verdict.scopes));
  await sql`delete from pending_scopes where agent_id = ${agentId}`.execute(trx);
  if (verdicts.length === 0) return;
  await sql`
    insert into pending_scopes (agent_id, agreed_version, scopes)
    select ${agentId}::uuid, * from unnest(${versions}::integer[], ${waiting}::jsonb[]) as verdict (agreed_version, scopes)
    where scopes <> '[]'`.execute(trx);
  const types = verdicts.map(({ asked }): EventType => (asked ? 'h2a.reauth_required' : 'h2a.manifest_updated'));
  const payloads = verdicts.map(({ asked, scopes }) =>
    JSON.stringify(asked ? reauthRequired(published, scopes) : manifestUpdated(published)),
  );
  await sql`
    insert into events (recipient_kind, recipient_id, type, payload, account_id)
    select 'human', relation.account_id, verdict.type, verdict.payload, ${published.ownerId}
    from unnest(${versions}::integer[], ${types}::text[], ${payloads}::jsonb[]) as verdict (agreed_version, type, payload)
    join h2a_relations relation using (agreed_version)
    where relation.agent_id = ${agentId} and relation.status <> 'ended'`.execute(trx);
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
