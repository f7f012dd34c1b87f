import { MAX_GROUP_MEMBERS } from '@parley/protocol';
import { sql } from 'kysely';
import type { Human } from '../http/caller.ts';
import { RequestError, rateLimited } from '../http/request-error.ts';
import { createId } from '../id.ts';
import { hasMet, lockPair } from '../people/contacts.ts';
import type { Platform } from '../platform.ts';
import type { Db, Trx } from '../storage/database.ts';
import { oldestInvitation } from './accepted.ts';
import { findGroupEnd } from './group-statements.ts';
import { hearInvitation, MAX_WAITING } from './hear-invitation.ts';
import { changeMembers, insertMember, lockGroup } from './members.ts';
import { requireRoomInGroup } from './room.ts';
import { lockConversation, readConversation, readMembers } from './store.ts';

// Whoever is no contact of the one who adds, or was a member before, is asked first (AC-5).

const DAY_MS = 24 * 3_600_000;
/** How many a group has open. */
const MAX_OPEN = 100;

/** Answers the same whether anyone is there, has blocked the inviter or declined before: the invitation is kept. */
export async function invite(
  platform: Platform,
  caller: Human,
  { conversationId, accountId }: { conversationId: string; accountId: string },
): Promise<string> {
  const now = platform.now();
  const { id, told } = await platform.db.transaction().execute(async (trx) => {
    // Before the group: whoever has a pair may wait for an agent, and whoever has an agent for its groups.
    await lockPair(trx, caller.accountId, accountId);
    const { own, present } = await lockGroup(trx, conversationId, { kind: 'human', id: caller.accountId });
    if (own.role === 'member') throw new RequestError('FORBIDDEN');
    if (present.some(({ member_id }) => member_id === accountId)) throw new RequestError('BAD_REQUEST');
    const before = await findInvitation(trx, conversationId, accountId);
    const isOpen = before?.withdrawn_at === null && before.created_at > oldestInvitation(now);
    if (before !== undefined && isOpen) return { id: before.id, told: [] };
    await requireRoom(trx, conversationId, { now, members: present.length });
    const wasDeclined = before?.declined_at != null && before.declined_at > oldestInvitation(now);
    const invited = { conversationId, inviterId: caller.accountId, accountId, now };
    const hearing = wasDeclined ? 'no' : await hearInvitation(trx, invited);
    const heard = hearing !== 'no';
    const id = createId(now);
    const invitation = {
      id,
      inviter_id: caller.accountId,
      heard,
      accepted_at: null,
      withdrawn_at: null,
      created_at: now,
      ...(heard ? { heard_at: now } : {}),
      ...(wasDeclined ? {} : { declined_at: null, declined_of: null }),
    };
    await trx
      .insertInto('group_invitations')
      .values({ ...invitation, conversation_id: conversationId, account_id: accountId })
      .onConflict((conflict) => conflict.columns(['conversation_id', 'account_id']).doUpdateSet(invitation))
      .execute();
    // Withdrawing and inviting again all the time must not be heard each time.
    const wasTold = before?.heard === true && now.getTime() - before.created_at.getTime() < DAY_MS;
    if (!heard || wasTold) return { id, told: [] };
    const told = [{ kind: 'human' as const, id: accountId }];
    const title = hearing === 'yes' ? (await readConversation(trx, conversationId)).title : null;
    await platform.events.store(trx, told, 'group.invited', { invitation_id: id, title }, caller.accountId);
    return { id, told };
  });
  platform.events.wake(told);
  return id;
}

function findInvitation(trx: Trx, conversationId: string, accountId: string) {
  return trx
    .selectFrom('group_invitations')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Those that were withdrawn count, too: inviting and withdrawing must not be a way to try ids. */
async function requireRoom(
  trx: Trx,
  conversationId: string,
  { now, members }: { now: Date; members: number },
): Promise<void> {
  const { rows } = await sql<{ open: number; oldest: Date | null }>`
    select count(*)::int as open, min(created_at) as oldest from group_invitations
    where conversation_id = ${conversationId} and created_at > ${oldestInvitation(now)}`.execute(trx);
  const { open, oldest } = rows[0]!;
  if (members + open >= MAX_GROUP_MEMBERS) throw new RequestError('FORBIDDEN');
  if (open < MAX_OPEN) return;
  throw rateLimited(Math.max(1, (oldest!.getTime() - oldestInvitation(now).getTime()) / 1_000), 'group_invitations');
}

interface InvitationRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly accepted: boolean;
  readonly inviter_id: string;
  readonly created_at: Date;
}

/** For managers. A declined one looks as if it waited. */
export async function listInvitations(db: Db, caller: Human, conversationId: string, now: Date) {
  const { rows } = await sql<InvitationRow>`
    select i.id, i.account_id, i.accepted_at is not null as accepted, i.inviter_id, i.created_at,
      coalesce(a.display_name, '') as name
    from group_invitations i left join accounts a on a.id = i.account_id and ${hasMet(caller.accountId, sql`a.id`)}
    where i.conversation_id = ${conversationId} and i.withdrawn_at is null and i.created_at > ${oldestInvitation(now)}
    order by i.id`.execute(db);
  return rows;
}

export async function withdraw(
  platform: Platform,
  caller: Human,
  { conversationId, invitationId }: { conversationId: string; invitationId: string },
): Promise<void> {
  await platform.db.transaction().execute(async (trx) => {
    const { own } = await lockGroup(trx, conversationId, { kind: 'human', id: caller.accountId });
    if (own.role === 'member') throw new RequestError('FORBIDDEN');
    const { rows } = await sql`update group_invitations set withdrawn_at = ${platform.now()}
      where id = ${invitationId} and conversation_id = ${conversationId} and withdrawn_at is null
      returning 1`.execute(trx);
    if (rows.length === 0) throw new RequestError('NOT_FOUND');
  });
}

interface OwnInvitation {
  readonly invitation_id: string;
  readonly title: string | null;
  readonly members: number;
  readonly inviter_id: string;
  readonly inviter_name: string;
  readonly accepted: boolean;
  readonly created_at: Date;
}

/** Also one that was accepted, until someone signs. An invitation to a group whose inviter has gone is none. */
const waiting = (accountId: string, now: Date) => sql`i.account_id = ${accountId} and i.heard
  and i.declined_at is null and i.withdrawn_at is null and i.created_at > ${oldestInvitation(now)}
  and exists (select from members m where m.conversation_id = i.conversation_id and m.member_id = i.inviter_id
    and m.left_at is null and m.role <> 'member')`;

export async function listOwnInvitations(db: Db, accountId: string, now: Date): Promise<OwnInvitation[]> {
  const { rows } = await sql<OwnInvitation>`
    select i.id as invitation_id, case when k.contact_id is not null then c.title end as title, i.inviter_id, a.display_name as inviter_name, i.created_at,
      i.accepted_at is not null as accepted,
      (select count(*)::int from members m where m.conversation_id = c.id and m.left_at is null) as members
    from group_invitations i join conversations c on c.id = i.conversation_id
    join accounts a on a.id = i.inviter_id and a.status = 'active'
    left join contacts k on k.account_id = i.account_id and k.contact_id = i.inviter_id
    where ${waiting(accountId, now)} order by i.id desc limit ${2 * MAX_WAITING}`.execute(db);
  return rows;
}

/**
 * Accepts. Where nobody signs who is in the group, the person is in it now; otherwise its managers are told, and one of
 * them signs.
 */
export async function acceptInvitation(platform: Platform, accountId: string, invitationId: string) {
  const now = platform.now();
  const conversationId = await findWaiting(platform.db, { accountId, invitationId, now });
  let joined = false;
  const managers: { kind: 'human'; id: string }[] = [];
  await changeMembers(platform, async (trx) => {
    await lockConversation(trx, conversationId);
    await findWaiting(trx, { accountId, invitationId, now });
    const present = await readMembers(trx, conversationId);
    // Accepted on another device meanwhile.
    if (await isAccepted(trx, invitationId)) return undefined;
    if (present.length >= MAX_GROUP_MEMBERS) throw new RequestError('FORBIDDEN');
    const { length } = await findGroupEnd(trx, conversationId);
    joined = length === 0;
    if (joined) {
      await trx.deleteFrom('group_invitations').where('id', '=', invitationId).execute();
      const added = await insertMember(trx, conversationId, { kind: 'human', id: accountId, role: 'member' });
      await requireRoomInGroup(trx, platform, { conversationId, actorId: accountId });
      return added;
    }
    await trx.updateTable('group_invitations').set({ accepted_at: now }).where('id', '=', invitationId).execute();
    const payload = { conversation_id: conversationId, invitation_id: invitationId, user_id: accountId };
    for (const { member_kind, member_id, role } of present) {
      if (member_kind === 'human' && role !== 'member') managers.push({ kind: 'human', id: member_id });
    }
    await platform.events.store(trx, managers, 'group.invitation_accepted', payload, accountId);
    await platform.events.store(trx, [{ kind: 'human', id: accountId }], 'contact.changed', {}, accountId);
    return undefined;
  });
  platform.events.wake([...managers, { kind: 'human', id: accountId }]);
  return { conversation_id: conversationId, joined };
}

async function findWaiting(
  db: Db | Trx,
  { accountId, invitationId, now }: { accountId: string; invitationId: string; now: Date },
): Promise<string> {
  const { rows } = await sql<{ conversation_id: string }>`select i.conversation_id from group_invitations i
    where i.id = ${invitationId} and ${waiting(accountId, now)}`.execute(db);
  if (rows[0] === undefined) throw new RequestError('NOT_FOUND');
  return rows[0].conversation_id;
}

async function isAccepted(trx: Trx, invitationId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from group_invitations
    where id = ${invitationId} and accepted_at is not null`.execute(trx);
  return rows.length > 0;
}

/** Or takes back that it was accepted, as long as nobody has signed. The group is told nothing. */
export async function declineInvitation(platform: Platform, accountId: string, invitationId: string): Promise<void> {
  const own = [{ kind: 'human' as const, id: accountId }];
  await platform.db.transaction().execute(async (trx) => {
    await findWaiting(trx, { accountId, invitationId, now: platform.now() });
    // Whose it was: someone else of the group may invite again.
    await sql`update group_invitations set declined_at = ${platform.now()}, declined_of = inviter_id, accepted_at = null
      where id = ${invitationId}`.execute(trx);
    await platform.events.store(trx, own, 'contact.changed', {}, accountId);
  });
  platform.events.wake(own);
}

export async function pruneInvitations(db: Db, now: Date): Promise<void> {
  await sql`delete from group_invitations where created_at <= ${oldestInvitation(now)}
    and (declined_at is null or declined_at <= ${oldestInvitation(now)})`.execute(db);
}
