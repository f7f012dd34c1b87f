import { sql } from 'kysely';
import type { Human, Party } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { findBlockers } from '../people/blocks.ts';
import { findContacts } from '../people/contacts.ts';
import type { Trx } from '../storage/database.ts';

/**
 * Checks that these agents exist, are active, and declare in their manifest that they take part in groups. A private one
 * can only be invited by its owner, and does not exist for others; nor do the agents of someone with whom there is a block
 * (AC-6).
 */
export async function checkAgents(trx: Trx, caller: Human, parties: readonly Party[]): Promise<void> {
  const agents = parties.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  const { rows: found } = await sql<{ id: string; groups: boolean }>`
    select id, coalesce(capability_manifest -> 'capability_flags' -> 'supports_group_chat' = 'true', false) as groups
    from agents where id = any(${agents}::uuid[]) and status = 'active'
      and (visibility = 'public' or owner_id = ${caller.accountId})
      and not exists (select from blocks b where b.until is null
        and (b.account_id, b.blocked_id) in ((owner_id, ${caller.accountId}::uuid), (${caller.accountId}::uuid, owner_id)))
      and exists (select from accounts where accounts.id = agents.owner_id and accounts.status = 'active')`.execute(
    trx,
  );
  if (found.length < agents.length) throw new RequestError('NOT_FOUND');
  const unwilling = found.find(({ groups }) => !groups);
  if (unwilling !== undefined) throw new RequestError('GROUP_NOT_SUPPORTED', { agent_id: unwilling.id });
}

/**
 * Nobody but contacts is put into a group (AC-5). Of all others it is not told whether they exist: they can be invited.
 * Nor can whoever has blocked the caller be added.
 */
export async function checkPeople(trx: Trx, caller: Human, parties: readonly Party[]): Promise<void> {
  const people = parties.filter(({ kind }) => kind === 'human').map(({ id }) => id);
  const contacts = await findContacts(trx, caller.accountId, people);
  const blockers = await findBlockers(trx, caller.accountId, people);
  const others = people.filter((id) => !contacts.has(id) || blockers.has(id));
  if (others.length > 0) throw invitationRequired(others);
}

export function invitationRequired(userIds: readonly string[]): RequestError {
  return new RequestError('INVITATION_REQUIRED', {}, { details: { user_ids: userIds } });
}
