import type { EventPayload } from '@parley/protocol';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { type AfterCommit, eventBytes, notifyAgent, wakePeople } from './notify.ts';

/** Makes sure that there is room for asking them (OP-1). */
export async function reserveForWeakerMode({ db, budgets }: Platform, agentId: string): Promise<void> {
  const { rows } = await sql<{ owner_id: string; people: number; scopes: number }>`
    select a.owner_id, count(*)::int as people, sum(octet_length(r.granted_scopes::text))::bigint as scopes
    from agents a join h2a_relations r on r.agent_id = a.id and r.status <> 'ended' and r.agreed_mode <> 'webhook'
    where a.id = ${agentId} and a.connection_mode <> 'webhook' group by a.owner_id`.execute(db);
  for (const { owner_id, people, scopes } of rows) {
    await budgets.reserveBytes(owner_id, people * eventBytes(0) + scopes);
  }
}

/**
 * Asks people to agree again, because the agent's messages are protected less well than they agreed to (EE-7). Which
 * grants are suspended follows from the mode that each of them agreed to.
 */
export async function noteModeWeakened(trx: Trx, platform: Platform, agentId: string): Promise<AfterCommit> {
  const agent = await trx
    .selectFrom('agents')
    .select(['owner_id', 'capability_manifest_version', 'capability_manifest_hash', 'connection_mode'])
    .where('id', '=', agentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const payload: EventPayload<'h2a.reauth_required'> = {
    agent_id: agentId,
    new_manifest_version: agent.capability_manifest_version,
    new_manifest_hash: agent.capability_manifest_hash,
    scopes_requiring_reauth: [],
    connection_mode: agent.connection_mode,
  };
  await sql`
    insert into events (recipient_kind, recipient_id, type, payload, account_id)
    select 'human', account_id, 'h2a.reauth_required',
      ${JSON.stringify(payload)}::jsonb || jsonb_build_object('scopes_requiring_reauth', granted_scopes), ${agent.owner_id}
    from h2a_relations
    where agent_id = ${agentId} and status <> 'ended' and agreed_mode <> 'webhook'`.execute(trx);
  const wakeAgent = await notifyAgent(
    platform,
    trx,
    { agentId, causedBy: agent.owner_id },
    'h2a.reauth_required',
    payload,
  );
  return () => {
    wakeAgent();
    wakePeople(platform, agentId);
  };
}
