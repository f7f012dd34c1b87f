import type { EventPayload } from '@parley/protocol';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { type AfterCommit, notifyAgent, wakePeople } from './notify.ts';

/**
 * Asks people to agree again, because the agent's messages are protected less well than they agreed to (EE-7). Which
 * grants are suspended follows from the mode that each of them agreed to.
 */
export async function noteModeWeakened(trx: Trx, platform: Platform, agentId: string): Promise<AfterCommit> {
  const agent = await trx
    .selectFrom('agents')
    .select(['capability_manifest_version', 'capability_manifest_hash', 'connection_mode'])
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
    insert into events (recipient_kind, recipient_id, type, payload)
    select 'human', account_id, 'h2a.reauth_required',
      ${JSON.stringify(payload)}::jsonb || jsonb_build_object('scopes_requiring_reauth', granted_scopes)
    from h2a_relations
    where agent_id = ${agentId} and status <> 'ended' and agreed_mode <> 'webhook'`.execute(trx);
  const wakeAgent = await notifyAgent(platform, trx, agentId, 'h2a.reauth_required', payload);
  return () => {
    wakeAgent();
    wakePeople(platform, agentId);
  };
}
