import { type GroupStatement, groupStatementHash } from '@parley/protocol';
import type { Human, Party } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { findContacts, lockPair } from '../people/contacts.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { createConversation } from './create.ts';
import { extendGroup, isRepeated, readBefore } from './group-chain.ts';
import { compareCreation } from './group-creation.ts';
import { findGroupEnd, listGroupStatements } from './group-statements.ts';
import type { KnownGroup } from './group-states.ts';
import { checkAgents, checkPeople } from './invite.ts';
import { findPair } from './pair.ts';
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
  const make = async (trx: Trx, after: KnownGroup | undefined): Promise<string> => {
    await checkAgents(trx, caller, others);
    await checkPeople(trx, caller, others);
    const named = { ...(title === undefined ? {} : { title }), id: start.conversation_id };
    const created = await createConversation(trx, { kind: 'group', ...named, members, now: platform.now() });
    if (created === undefined) return findAgain(trx, caller, start);
    await requireRoomForMembers(trx, platform, { accountId, added: members.length });
    if (statement !== undefined) {
      const end = await findGroupEnd(trx, created);
      await isRepeated(trx, created, { end, statement });
      await extendGroup(trx, { conversationId: created, caller, end, statement, after });
    }
    const payload = { conversation_id: created, added: members, removed: [] };
    const told = { conversationId: created, members: others, others: [] };
    await platform.events.storeForMembers(trx, told, 'conversation.members_changed', payload);
    return created;
  };
  const id = await readBefore(platform, { caller, statement }, (after) =>
    platform.db.transaction().execute((trx) => make(trx, after)),
  );
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
