import { sql } from 'kysely';
import { findBlockers } from '../people/blocks.ts';
import { findContacts, knows } from '../people/contacts.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';
import { oldestInvitation } from './accepted.ts';
import { wasMember } from './members.ts';

/** How many of contacts wait for one person, and how many of strangers. */
export const MAX_WAITING = 100;
/** More new ones than this in a day are not shown, but for those of contacts. */
const HEARD_A_DAY = 50;
const DAY_MS = 24 * 3_600_000;

interface Invited {
  readonly conversationId: string;
  readonly inviterId: string;
  readonly accountId: string;
  readonly now: Date;
}

/**
 * Only people whom the inviter knows, or who were in this group, are shown an invitation, and not if they blocked the inviter
 * or too many wait: those of strangers leave the room of contacts alone. A stranger is not heard after a refusal, of a request or of any invitation (AC-5): a group is made
 * quickly. A title is a text, so theirs is not shown. The pair is locked by then.
 */
export async function hearInvitation(trx: Trx, invited: Invited): Promise<'no' | 'without_title' | 'yes'> {
  const { conversationId, inviterId, accountId, now } = invited;
  if (!(await knows(trx, inviterId, accountId)) && !(await wasMember(trx, conversationId, accountId))) return 'no';
  if ((await findBlockers(trx, inviterId, [accountId])).size > 0) return 'no';
  const isContact = (await findContacts(trx, accountId, [inviterId])).has(inviterId);
  if (!isContact && (await hasRefused(trx, invited))) return 'no';
  // The last lock that is taken, so nobody who holds it waits for another.
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.heardInvitations}, hashtext(${accountId}))`.execute(trx);
  const { rows } = await sql<{ waiting: number; today: number }>`
    select count(*) filter (where i.heard and i.accepted_at is null and i.declined_at is null
        and i.withdrawn_at is null and i.created_at > ${oldestInvitation(now)}
        and (k.contact_id is not null) = ${isContact})::int as waiting,
      count(*) filter (where i.heard_at > ${new Date(now.getTime() - DAY_MS)} and k.contact_id is null)::int as today
    from group_invitations i left join contacts k on k.account_id = i.account_id and k.contact_id = i.inviter_id
    where i.account_id = ${accountId}`.execute(trx);
  const { waiting, today } = rows[0]!;
  if (waiting >= MAX_WAITING || (!isContact && today >= HEARD_A_DAY)) return 'no';
  return isContact ? 'yes' : 'without_title';
}

async function hasRefused(trx: Trx, { inviterId, accountId, now }: Invited): Promise<boolean> {
  const { rows } = await sql`
    select 1 from contact_requests where asker_id = ${inviterId} and account_id = ${accountId}
      and declined_at > ${oldestInvitation(now)}
    union all
    select 1 from group_invitations where account_id = ${accountId} and declined_of = ${inviterId}
      and declined_at > ${oldestInvitation(now)} limit 1`.execute(trx);
  return rows.length > 0;
}
