import { type GroupStatement, groupStatementHash } from '@parley/protocol';
import { sql } from 'kysely';
import type { Human, Party } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { findContacts, lockPair } from '../people/contacts.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { createConversation } from './create.ts';
import { extendGroup, listGroupStatements } from './group-chain.ts';
import { compareCreation } from './group-creation.ts';
import { checkAgents, checkPeople } from './invite.ts';
import { conversationBytes, requireRoomForMembers, statementBytes } from './room.ts';
import { requireMembership } from './store.ts';

export interface Start {
  readonly kind: 'h2h' | 'group';
  readonly title?: string;
  readonly members: readonly Party[];
  readonly conversation_id?: string;
  readonly statement?: GroupStatement;
}

/** Returns the conversation's id. Two people have one conversation, whichever of them begins. */
export function startConversation(platform: Platform, caller: Human, start: Start): Promise<string> {
  const others = [...new Map(start.members.map((member) => [`${member.kind}:${member.id}`, member])).values()].filter(
    ({ id }) => id !== caller.accountId,
  );
  return start.kind === 'h2h'
    ? startPair(platform, caller, start, others)
    : startGroup(platform, caller, start, others);
}

async function startPair(platform: Platform, caller: Human, start: Start, others: readonly Party[]): Promise<string> {
  const self: Party = { kind: 'human', id: caller.accountId };
  const [other] = others;
  if (others.length !== 1 || other?.kind !== 'human') throw new RequestError('BAD_REQUEST');
  if (start.conversation_id !== undefined || start.statement !== undefined) throw new RequestError('BAD_REQUEST');
  await platform.budgets.reserveBytes(self.id, conversationBytes(2));
  const id = await platform.db.transaction().execute(async (trx) => {
    await lockPair(trx, self.id, other.id);
    const known = await findPair(trx, self.id, other.id);
    if (known !== undefined) return known;
    // Whether there is someone with this id is told to their contacts only (AC-4).
    if (!(await findContacts(trx, self.id, [other.id])).has(other.id)) throw new RequestError('CONTACT_REQUIRED');
    const members = [self, other].map((member) => ({ ...member, role: 'member' as const }));
    return (await createConversation(trx, { kind: 'h2h', members, now: platform.now() }))!;
  });
  platform.events.wake(others);
  return id;
}

/** A group whose creator signs who is in it begins with that statement (EE-20). */
async function startGroup(platform: Platform, caller: Human, start: Start, others: readonly Party[]): Promise<string> {
  const { statement, title } = start;
  if (statement !== undefined && start.conversation_id === undefined) throw new RequestError('BAD_REQUEST');
  const roled = statement
    ? compareCreation(statement, { title: title ?? null, members: others })
    : others.map((member) => ({ ...member, role: 'member' as const }));
  const members = [{ kind: 'human' as const, id: caller.accountId, role: 'owner' as const }, ...roled];
  const accountId = caller.accountId;
  const bytes = statementBytes(statement) + JSON.stringify(members).length;
  await platform.budgets.reserveBytes(accountId, conversationBytes(members.length) + bytes);
  const id = await platform.db.transaction().execute(async (trx) => {
    await checkAgents(trx, caller, others);
    await checkPeople(trx, caller, others);
    const named = { ...(title === undefined ? {} : { title }), id: start.conversation_id };
    const created = await createConversation(trx, { kind: 'group', ...named, members, now: platform.now() });
    if (created === undefined) return findAgain(trx, caller, start);
    await requireRoomForMembers(trx, platform, { accountId, added: members.length });
    if (statement !== undefined) {
      await extendGroup(trx, { conversationId: created, caller, stored: [], statement });
    }
    const payload = { conversation_id: created, added: members, removed: [] };
    const told = { conversationId: created, members: others, others: [] };
    await platform.events.storeForMembers(trx, told, 'conversation.members_changed', payload);
    return created;
  });
  await platform.events.wakeMembers(others);
  return id;
}

/** The id is taken, by this very group if a lost reply is asked for again. */
async function findAgain(trx: Trx, caller: Human, { conversation_id: id, statement }: Start): Promise<string> {
  const [first] = await listGroupStatements(trx, id!, { after: 0, limit: 1 });
  const isAgain = first && statement && groupStatementHash(first) === groupStatementHash(statement);
  if (!isAgain) throw new RequestError('ID_TAKEN');
  await requireMembership(trx, id!, { kind: 'human', id: caller.accountId });
  return id!;
}

/** Finds the conversation that they have already. */
async function findPair(trx: Trx, one: string, other: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select c.id from conversations c
    join members a on a.conversation_id = c.id and a.member_kind = 'human' and a.member_id = ${one}
    join members b on b.conversation_id = c.id and b.member_kind = 'human' and b.member_id = ${other}
    where c.kind = 'h2h' and a.left_at is null and b.left_at is null
      and exists (select from accounts where id = ${other} and status = 'active') limit 1`.execute(trx);
  return rows[0]?.id;
}
