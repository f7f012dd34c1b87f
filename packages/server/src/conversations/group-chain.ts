import {
  type GroupAuthor,
  type GroupProblem,
  type GroupState,
  type GroupStatement,
  groupStatementBytes,
  groupStatementHash,
} from '@parley/protocol';
import { sql } from 'kysely';
import type { SignedIn } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { findListedDevice, lockListedDevice } from '../keys/device-list.ts';
import { isSignedBytes } from '../keys/signature.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import type { GroupEnd } from './group-statements.ts';
import { isCurrent, type KnownGroup, readAfter, rememberGroup } from './group-states.ts';

// The signed statements that say who is in a group (EE-20). Whoever relies on them verifies them again.

/** Every member reads the whole chain. */
const MAX_STATEMENTS = 10_000;
/** Each time, another device list was changed meanwhile. */
const MAX_ATTEMPTS = 3;

/** The chain was read, but it, or a device list, has changed since. */
class Outrun extends Error {}

export interface Signing {
  readonly caller: SignedIn;
  readonly statement: GroupStatement | undefined;
}

/**
 * Runs a change of a group whose chain was read before: nobody waits for a conversation that is locked while ten thousand
 * statements are read.
 */
export async function readBefore<Result>(
  { db }: Platform,
  { caller, statement }: Signing,
  change: (after: KnownGroup | undefined) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const isOwn = statement !== undefined && (await isOwnWord(db, caller, statement));
    try {
      return await change(isOwn ? await readAfter(db, statement) : undefined);
    } catch (error) {
      if (!(error instanceof Outrun)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new RequestError('UNAVAILABLE');
    }
  }
}

/** Only who signed it themselves, on a device of theirs, has anything read. */
async function isOwnWord(db: Platform['db'], caller: SignedIn, statement: GroupStatement): Promise<boolean> {
  const { by, signature } = statement;
  if (!isAuthor(caller, by)) return false;
  const device = await findListedDevice(db, by.id, by.device_id);
  return device !== undefined && isSignedBytes(groupStatementBytes(statement), signature, device.identity_key);
}

const isAuthor = (caller: SignedIn, by: GroupAuthor) =>
  caller.kind === 'human' && by.id === caller.accountId && by.device_id === caller.deviceId;

/**
 * Is it stored already, because a lost reply is asked for again with the same bytes? If it is neither that nor the next
 * one, it is refused: of two statements with the same `prev`, the second one.
 */
export async function isRepeated(
  trx: Trx,
  conversationId: string,
  { end, statement }: { end: GroupEnd; statement: GroupStatement },
): Promise<boolean> {
  const { seq, prev } = statement;
  if (seq === end.length + 1 && prev === end.head) return false;
  const there = await trx
    .selectFrom('group_statements')
    .select('hash')
    .where('conversation_id', '=', conversationId)
    .where('seq', '=', seq)
    .executeTakeFirst();
  if (there?.hash === groupStatementHash(statement)) return true;
  throw new RequestError('STATEMENT_CONFLICT', {}, { details: { head: end.head, length: end.length } });
}

/** Whom no statement ever named, nobody has to sign out. */
export async function isNamed(trx: Trx, conversationId: string, memberId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from group_statements where conversation_id = ${conversationId} and (
    statement -> 'member' ->> 'id' = ${memberId} or statement ->> 'action' = 'create' and (
      statement -> 'by' ->> 'id' = ${memberId}
      or statement -> 'members' @> jsonb_build_array(jsonb_build_object('id', ${memberId}::text)))) limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

export function refuseStatement(problem: GroupProblem | 'missing' | 'title'): RequestError {
  return new RequestError('STATEMENT_INVALID', { problem });
}

export interface Extension {
  readonly conversationId: string;
  readonly caller: SignedIn;
  readonly end: GroupEnd;
  readonly statement: GroupStatement;
  /** What the chain says with it, as it was read before. */
  readonly after: KnownGroup | undefined;
}

/**
 * Stores the next statement, if its author may make it. The conversation is locked, it is the next one, and what it says was
 * compared with the request.
 */
export async function extendGroup(trx: Trx, extension: Extension): Promise<void> {
  const { conversationId, caller, end, statement, after } = extension;
  if (statement.conversation_id !== conversationId) throw refuseStatement('conversation');
  if (end.length >= MAX_STATEMENTS) throw new RequestError('LIMIT_REACHED', { limit: MAX_STATEMENTS });
  await requireSignature(trx, caller, statement);
  if (after === undefined || !(await isCurrent(trx, after))) throw new Outrun();
  const { state } = after;
  if (typeof state === 'string') throw refuseStatement(state);
  if (!isInForce(statement, state)) throw refuseStatement('author');
  await trx
    .insertInto('group_statements')
    .values({
      conversation_id: conversationId,
      seq: statement.seq,
      hash: state.head,
      statement: JSON.stringify(statement),
    })
    .execute();
  rememberGroup(after);
}

/** Beyond a void statement, one that its author may not make breaks no chain, but it has no effect either (EE-18). */
function isInForce(statement: GroupStatement, { members }: GroupState): boolean {
  if (statement.action === 'create') return true;
  const { kind, id } = statement.member;
  const member = [...members.values()].find((one) => one.kind === kind && one.id === id);
  return statement.action === 'remove' ? member === undefined : member?.role === statement.member.role;
}

/** People sign on the device they use, while the list has it; nobody signs for someone else. */
async function requireSignature(trx: Trx, caller: SignedIn, statement: GroupStatement): Promise<void> {
  const { by, signature } = statement;
  const device = isAuthor(caller, by) ? await lockListedDevice(trx, by.id, by.device_id) : undefined;
  if (device === undefined) throw refuseStatement('author');
  if (!isSignedBytes(groupStatementBytes(statement), signature, device.identity_key))
    throw refuseStatement('signature');
}
