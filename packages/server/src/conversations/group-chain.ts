import {
  foldGroup,
  type GroupAuthor,
  type GroupMembers,
  type GroupProblem,
  type GroupStatement,
  groupStatementHash,
  listedSigner,
  type Signer,
} from '@parley/protocol';
import type { SignedIn } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { lockListedDevice, readDeviceList } from '../keys/device-list.ts';
import { isSignedBytes } from '../keys/signature.ts';
import type { Db, Trx } from '../storage/database.ts';

// The signed statements that say who is in a group (EE-20). Whoever relies on them verifies them again.

/** Every member reads the whole chain. */
const MAX_STATEMENTS = 10_000;

/** Oldest first. */
export async function listGroupStatements(
  db: Db | Trx,
  conversationId: string,
  page?: { readonly after: number; readonly limit: number },
): Promise<GroupStatement[]> {
  const rows = await db
    .selectFrom('group_statements')
    .select('statement')
    .where('conversation_id', '=', conversationId)
    .$if(page !== undefined, (query) => query.where('seq', '>', page!.after).limit(page!.limit))
    .orderBy('seq')
    .execute();
  return rows.map(({ statement }) => statement as GroupStatement);
}

export async function findGroupEnd(db: Db | Trx, conversationId: string) {
  const last = await db
    .selectFrom('group_statements')
    .select(['seq', 'hash'])
    .where('conversation_id', '=', conversationId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { length: last?.seq ?? 0, head: last?.hash ?? null };
}

/**
 * Is it stored already, because a lost reply is asked for again with the same bytes? If it is neither that nor the next
 * one, it is refused: of two statements with the same `prev`, the second one.
 */
export function isRepeated(stored: readonly GroupStatement[], statement: GroupStatement): boolean {
  const { seq, prev } = statement;
  const there = stored[seq - 1];
  if (there !== undefined && groupStatementHash(there) === groupStatementHash(statement)) return true;
  const last = stored.at(-1);
  const head = last ? groupStatementHash(last) : null;
  if (seq === stored.length + 1 && prev === head) return false;
  throw new RequestError('STATEMENT_CONFLICT', {}, { details: { head, length: stored.length } });
}

/** Whom no statement ever named, nobody has to sign out. */
export function isNamed(stored: readonly GroupStatement[], memberId: string): boolean {
  return stored.some((statement) => {
    const members = statement.action === 'create' ? [statement.by, ...statement.members] : [statement.member];
    return members.some(({ id }) => id === memberId);
  });
}

export function refuseStatement(problem: GroupProblem | 'missing' | 'title'): RequestError {
  return new RequestError('STATEMENT_INVALID', { problem });
}

export interface Extension {
  readonly conversationId: string;
  readonly caller: SignedIn;
  readonly stored: readonly GroupStatement[];
  readonly statement: GroupStatement;
}

/**
 * Stores the next statement, if its author may make it. The conversation is locked, and what the statement says was
 * compared with the request.
 */
export async function extendGroup(trx: Trx, extension: Extension): Promise<void> {
  const { conversationId, caller, stored, statement } = extension;
  if (isRepeated(stored, statement)) return;
  if (statement.conversation_id !== conversationId) throw refuseStatement('conversation');
  if (stored.length >= MAX_STATEMENTS) throw new RequestError('LIMIT_REACHED', { limit: MAX_STATEMENTS });
  await requireAuthor(trx, caller, statement.by);
  const statements = [...stored, statement];
  const group = foldGroup(statements, {
    conversationId,
    signerOf: await readSigners(trx, conversationId, statements),
    // The others were verified when they were stored.
    verify: (key, bytes, signature) => signature !== statement.signature || isSignedBytes(bytes, signature, key),
  });
  if (!group.ok) throw refuseStatement(group.problem);
  if (!isInForce(statement, group)) throw refuseStatement('author');
  await trx
    .insertInto('group_statements')
    .values({
      conversation_id: conversationId,
      seq: statement.seq,
      hash: group.head,
      statement: JSON.stringify(statement),
    })
    .execute();
}

/** Beyond a void statement, one that its author may not make breaks no chain, but it has no effect either (EE-18). */
function isInForce(statement: GroupStatement, { members }: GroupMembers): boolean {
  if (statement.action === 'create') return true;
  const { kind, id } = statement.member;
  const member = members.find((one) => one.kind === kind && one.id === id);
  return statement.action === 'remove' ? member === undefined : member?.role === statement.member.role;
}

/** People sign on the device they use, while the list has it; nobody signs for someone else. */
async function requireAuthor(trx: Trx, caller: SignedIn, by: GroupAuthor): Promise<void> {
  const isOwn = caller.kind === 'human' && by.id === caller.accountId && by.device_id === caller.deviceId;
  if (!isOwn || (await lockListedDevice(trx, by.id, by.device_id)) === undefined) throw refuseStatement('author');
}

/** By device lists only: members who come later find an author's keys nowhere else. */
async function readSigners(
  trx: Trx,
  conversationId: string,
  statements: readonly GroupStatement[],
): Promise<(author: GroupAuthor) => Signer | undefined> {
  const people = new Set(statements.map(({ by }) => by.id));
  const lists = new Map<string, Awaited<ReturnType<typeof readDeviceList>>>();
  for (const id of people) lists.set(id, await readDeviceList(trx, id));
  return (author) => {
    const list = lists.get(author.id);
    return list && listedSigner(list, author.device_id, { kind: 'group', id: conversationId });
  };
}
