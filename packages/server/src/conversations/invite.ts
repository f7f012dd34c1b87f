import { sql } from 'kysely';
import type { Human, Party } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Trx } from '../storage/database.ts';

/**
 * Checks that everyone exists and is active. An agent must declare in its manifest that it takes part in groups; a
 * private one can only be invited by its owner, and does not exist for others.
 */
export async function checkInvitable(trx: Trx, caller: Human, parties: readonly Party[]): Promise<void> {
  const humans = parties.filter(({ kind }) => kind === 'human').map(({ id }) => id);
  const agents = parties.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  const { rows: accounts } = await sql<{ id: string }>`
    select id from accounts where id = any(${humans}::uuid[]) and status = 'active'`.execute(trx);
  const { rows: found } = await sql<{ id: string; groups: boolean }>`
    select id, coalesce(capability_manifest -> 'capability_flags' -> 'supports_group_chat' = 'true', false) as groups
    from agents where id = any(${agents}::uuid[]) and status = 'active'
      and (visibility = 'public' or owner_id = ${caller.accountId})
      and exists (select from accounts where accounts.id = agents.owner_id and accounts.status = 'active')`.execute(
    trx,
  );
  if (accounts.length < humans.length || found.length < agents.length) throw new RequestError('NOT_FOUND');
  const unwilling = found.find(({ groups }) => !groups);
  if (unwilling !== undefined) throw new RequestError('GROUP_NOT_SUPPORTED', { agent_id: unwilling.id });
}
