import { type GroupStatement, MAX_GROUP_MEMBERS } from '@parley/protocol';
import { sql } from 'kysely';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { type Human, type Party, partyOf, type SignedIn } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { takeAccepted } from './accepted.ts';
import { extendGroup, isNamed, isRepeated, readBefore, refuseStatement, type Signing } from './group-chain.ts';
import { findGroupEnd } from './group-statements.ts';
import type { KnownGroup } from './group-states.ts';
import { checkAgents, checkPeople, invitationRequired } from './invite.ts';
import { requireRoomInGroup, reserveInGroup, statementBytes } from './room.ts';
import { listGroups, lockConversation, type Membership, readMembers, requireMembership } from './store.ts';

interface Change {
  readonly conversationId: string;
  readonly added: readonly (Party & { readonly role: string })[];
  readonly removed: readonly Party[];
}

interface Addition {
  readonly conversationId: string;
  readonly member: Party;
  readonly role: 'admin' | 'member';
  readonly statement: GroupStatement | undefined;
}

/** Adds someone, or gives a member another role. A new member sees what is sent from now on. */
export async function addMember(
  platform: Platform,
  caller: Human,
  { conversationId, member, role, statement }: Addition,
): Promise<void> {
  const bytes = ROW_BYTES.member + statementBytes(statement);
  await reserveInGroup(platform, { conversationId, actorId: caller.accountId }, bytes);
  await changeSigned(platform, { caller, statement }, async (trx, after) => {
    const { own, present } = await lockGroup(trx, conversationId, { kind: 'human', id: caller.accountId });
    if (own.role === 'member') throw new RequestError('FORBIDDEN');
    const end = await findGroupEnd(trx, conversationId);
    if (statement === undefined && end.length > 0) throw refuseStatement('missing');
    if (statement !== undefined && (await isRepeated(trx, conversationId, { end, statement }))) return undefined;
    const before = present.find(({ member_kind, member_id }) => member_kind === member.kind && member_id === member.id);
    // Only the owner appoints and removes admins; the owner stays the owner.
    if (own.role !== 'owner' && (role === 'admin' || before !== undefined)) throw new RequestError('FORBIDDEN');
    if (before?.role === 'owner') throw new RequestError('FORBIDDEN');
    // Agents never manage a group: one that could might remove people from it.
    if (member.kind === 'agent' && role === 'admin') throw new RequestError('FORBIDDEN');
    if (before === undefined) {
      await requireAddable(trx, caller, { conversationId, member, now: platform.now() });
      if (present.length >= MAX_GROUP_MEMBERS) throw new RequestError('FORBIDDEN');
    }
    if (statement !== undefined) {
      if (!addsMember(statement, { ...member, role })) throw refuseStatement('member');
      await extendGroup(trx, { conversationId, caller, end, statement, after });
    }
    if (before === undefined) {
      const added = await insertMember(trx, conversationId, { ...member, role });
      await requireRoomInGroup(trx, platform, { conversationId, actorId: caller.accountId });
      return added;
    }
    await trx
      .updateTable('members')
      .set({ role })
      .where('conversation_id', '=', conversationId)
      .where('member_kind', '=', member.kind)
      .where('member_id', '=', member.id)
      .execute();
    return { conversationId, added: [{ ...member, role }], removed: [] };
  });
}

/** A new member sees what is sent from now on. The conversation is locked. */
export async function insertMember(
  trx: Trx,
  conversationId: string,
  member: Party & { readonly role: 'admin' | 'member' },
): Promise<Change> {
  const { kind, id, role } = member;
  // Kept, an invitation would let someone who is removed later come back.
  await sql`delete from group_invitations
    where conversation_id = ${conversationId} and account_id = ${id}`.execute(trx);
  await sql`insert into members (conversation_id, member_kind, member_id, role, joined_seq, read_seq, left_at)
    select id, ${kind}::text, ${id}::uuid, ${role}::text, last_seq, last_seq, null from conversations
    where id = ${conversationId}
    on conflict (conversation_id, member_kind, member_id) do update
      set role = excluded.role, joined_seq = excluded.joined_seq, read_seq = excluded.read_seq,
        left_at = null`.execute(trx);
  return { conversationId, added: [member], removed: [] };
}

/** Contacts and agents can be added, and whoever has accepted an invitation. Leaving is final until then (AC-5). */
async function requireAddable(
  trx: Trx,
  caller: Human,
  { conversationId, member, now }: { conversationId: string; member: Party; now: Date },
): Promise<void> {
  if (member.kind === 'agent') return checkAgents(trx, caller, [member]);
  if (await takeAccepted(trx, { conversationId, accountId: member.id, signerId: caller.accountId, now })) return;
  await checkPeople(trx, caller, [member]);
  if (await wasMember(trx, conversationId, member.id)) throw invitationRequired([member.id]);
}

export async function wasMember(trx: Trx, conversationId: string, accountId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('members')
    .select('member_id')
    .where('conversation_id', '=', conversationId)
    .where('member_kind', '=', 'human')
    .where('member_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Does the statement say what the request says? */
function addsMember(statement: GroupStatement, { kind, id, role }: Party & { role: string }): boolean {
  if (statement.action !== 'set') return false;
  const { member } = statement;
  return member.kind === kind && member.id === id && member.role === role;
}

interface Removal {
  readonly conversationId: string;
  readonly memberId: string;
  readonly statement: GroupStatement | undefined;
}

/**
 * Removes a member; everyone may remove themselves. Those who stay must make a new key (EE-12), so all are told. Without
 * a statement, someone who leaves is only taken out by the server's word, which is enough to take something away
 * (EE-15).
 */
export async function removeMember(
  platform: Platform,
  caller: SignedIn,
  { conversationId, memberId, statement }: Removal,
): Promise<void> {
  const self = partyOf(caller);
  await changeSigned(platform, { caller, statement }, async (trx, after) => {
    const { own, present } = await lockGroup(trx, conversationId, self);
    if (memberId !== self.id && own.role === 'member') throw new RequestError('FORBIDDEN');
    const end = await findGroupEnd(trx, conversationId);
    const isOther = memberId !== self.id;
    if (statement === undefined && isOther && (await isNamed(trx, conversationId, memberId)))
      throw refuseStatement('missing');
    if (statement !== undefined && (await isRepeated(trx, conversationId, { end, statement }))) return undefined;
    const target = present.find(({ member_id }) => member_id === memberId);
    if (target === undefined && statement === undefined) throw new RequestError('NOT_FOUND');
    if (memberId !== self.id && own.role !== 'owner' && (target?.role ?? 'member') !== 'member') {
      throw new RequestError('FORBIDDEN');
    }
    if (statement !== undefined) {
      requireRemoval(statement, { id: memberId, kind: target?.member_kind });
      await extendGroup(trx, { conversationId, caller, end, statement, after });
    }
    // Someone who left without a statement is still named by the chain, until one takes them out.
    if (target === undefined) return { conversationId, added: [], removed: [] };
    const heir = end.length === 0 ? findHeir(present, target) : findNextOwner(present, statement);
    return takeOut(trx, { conversationId, target, heir, now: platform.now() });
  });
}

/** It takes out exactly whom the request names. */
function requireRemoval(statement: GroupStatement, { id, kind }: { id: string; kind: string | undefined }): void {
  const isSame = statement.action === 'remove' && statement.member.id === id;
  if (!isSame || (kind !== undefined && kind !== statement.member.kind)) throw refuseStatement('member');
}

/**
 * Removes a deleted account or agent from all groups; those who stay must make new keys (EE-12). Returns whom to wake.
 */
export async function leaveGroups(trx: Trx, platform: Platform, party: Party): Promise<readonly Party[]> {
  const told = new Map<string, Party>();
  for (const conversationId of await listGroups(trx, party)) {
    await lockConversation(trx, conversationId);
    const present = await readMembers(trx, conversationId);
    const target = present.find(({ member_kind, member_id }) => member_kind === party.kind && member_id === party.id);
    if (target === undefined) continue;
    const { length } = await findGroupEnd(trx, conversationId);
    const heir = length === 0 ? findHeir(present, target) : undefined;
    const change = await takeOut(trx, { conversationId, target, heir, now: platform.now() });
    for (const member of await notifyMembers(trx, platform, change)) told.set(member.id, member);
  }
  return [...told.values()];
}

type Present = Awaited<ReturnType<typeof readMembers>>;

interface Leaving {
  readonly conversationId: string;
  readonly target: Present[number];
  /** The next owner. */
  readonly heir: Party | undefined;
  readonly now: Date;
}

async function takeOut(trx: Trx, { conversationId, target, heir, now }: Leaving): Promise<Change> {
  const set = (party: Party, change: { left_at?: Date; role: 'owner' | 'member' }) =>
    trx
      .updateTable('members')
      .set(change)
      .where('conversation_id', '=', conversationId)
      .where('member_kind', '=', party.kind)
      .where('member_id', '=', party.id)
      .execute();
  const leaver: Party = { kind: target.member_kind, id: target.member_id };
  await set(leaver, { left_at: now, role: 'member' });
  if (heir !== undefined) await set(heir, { role: 'owner' });
  return { conversationId, added: heir ? [{ ...heir, role: 'owner' }] : [], removed: [leaver] };
}

/** A group whose owner leaves goes to an admin, else to whoever has been in it longest, but never to an agent. */
function findHeir(present: Present, leaving: Present[number]): Party | undefined {
  if (leaving.role !== 'owner') return undefined;
  const people = present.filter((member) => member.member_kind === 'human' && member.member_id !== leaving.member_id);
  const heir = people.find(({ role }) => role === 'admin') ?? people[0];
  return heir && { kind: 'human', id: heir.member_id };
}

/** Where members are signed, only the owner's own statement names the next one. */
function findNextOwner(present: Present, statement: GroupStatement | undefined): Party | undefined {
  if (statement?.action !== 'remove' || statement.next_owner === undefined) return undefined;
  const heir = present.find(({ member_id }) => member_id === statement.next_owner);
  return heir && { kind: heir.member_kind, id: heir.member_id };
}

export async function lockGroup(trx: Trx, conversationId: string, party: Party) {
  await lockConversation(trx, conversationId);
  const own: Membership = await requireMembership(trx, conversationId, party);
  if (own.kind !== 'group') throw new RequestError('FORBIDDEN');
  return { own, present: await readMembers(trx, conversationId) };
}

/** Changes who is in a group, or nothing, and tells those whom it concerns. */
export async function changeMembers(
  platform: Platform,
  change: (trx: Trx) => Promise<Change | undefined>,
): Promise<void> {
  const told = await platform.db.transaction().execute(async (trx) => {
    const done = await change(trx);
    return done === undefined ? [] : notifyMembers(trx, platform, done);
  });
  await platform.events.wakeMembers(told);
}

/** The same for a change that someone may have signed: the chain is read before the group is locked. */
export function changeSigned(
  platform: Platform,
  signing: Signing,
  change: (trx: Trx, after: KnownGroup | undefined) => Promise<Change | undefined>,
): Promise<void> {
  return readBefore(platform, signing, (after) => changeMembers(platform, (trx) => change(trx, after)));
}

/** Tells all members from before and after the change. */
async function notifyMembers(trx: Trx, platform: Platform, change: Change): Promise<readonly Party[]> {
  const { conversationId, added, removed } = change;
  const present = await readMembers(trx, conversationId);
  const members = present.map(({ member_kind, member_id }) => ({ kind: member_kind, id: member_id }));
  const payload = { conversation_id: conversationId, added, removed };
  const told = { conversationId, members, others: removed };
  await platform.events.storeForMembers(trx, told, 'conversation.members_changed', payload);
  return [...members, ...removed];
}
