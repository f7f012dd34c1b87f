import type { GroupStatement } from '@parley/protocol';
import type { Human, Party } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { extendGroup, isRepeated, refuseStatement } from './group-chain.ts';
import { findGroupEnd } from './group-statements.ts';
import { changeSigned, lockGroup } from './members.ts';
import { reserveInGroup, statementBytes } from './room.ts';
import { readConversation } from './store.ts';

type Creation = Extract<GroupStatement, { action: 'create' }>;

interface Expected {
  readonly title: string | null;
  /** Besides the creator; without roles, the statement says them. */
  readonly members: readonly (Party & { readonly role?: string })[];
}

/** Returns the members of a first statement that says exactly what is expected. */
export function compareCreation(statement: GroupStatement, { title, members }: Expected): Creation['members'] {
  if (statement.action !== 'create') throw refuseStatement('action');
  if (statement.title !== title) throw refuseStatement('title');
  const roles = new Map(members.map(({ kind, id, role }) => [`${kind} ${id}`, role]));
  for (const { kind, id, role } of statement.members) {
    const key = `${kind} ${id}`;
    if (!roles.has(key) || (roles.get(key) ?? role) !== role) throw refuseStatement('member');
    roles.delete(key);
  }
  if (roles.size > 0) throw refuseStatement('member');
  return statement.members;
}

/** The owner of a group that nobody has signed yet signs who is in it: exactly those who are (EE-20). */
export async function signGroup(
  platform: Platform,
  caller: Human,
  { conversationId, statement }: { conversationId: string; statement: GroupStatement },
): Promise<void> {
  await reserveInGroup(platform, { conversationId, actorId: caller.accountId }, statementBytes(statement));
  await changeSigned(platform, { caller, statement }, async (trx, after) => {
    const { own, present } = await lockGroup(trx, conversationId, { kind: 'human', id: caller.accountId });
    if (own.role !== 'owner') throw new RequestError('FORBIDDEN');
    const end = await findGroupEnd(trx, conversationId);
    if (await isRepeated(trx, conversationId, { end, statement })) return undefined;
    const { title } = await readConversation(trx, conversationId);
    const others = present.filter(({ member_id }) => member_id !== caller.accountId);
    const members = others.map(({ member_kind: kind, member_id: id, role }) => ({ kind, id, role }));
    compareCreation(statement, { title, members });
    await extendGroup(trx, { conversationId, caller, end, statement, after });
    return { conversationId, added: [], removed: [] };
  });
}
