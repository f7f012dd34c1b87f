import type { StoredBudget } from '@parley/protocol';
import { sql } from 'kysely';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { NOTHING_USED, readUsage } from '../budgets/stored-bytes.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';

type Deps = Pick<Platform, 'budgets'>;

/** What a conversation of so many costs whoever begins it (OP-1). */
export const conversationBytes = (members: number) => ROW_BYTES.conversation + members * ROW_BYTES.member;

/**
 * Was there room for so many more members of groups that this account began (OP-1)? Call it when they are in the
 * database. Groups that it begins at the same time are counted one after the other.
 */
export async function requireRoomForMembers(
  trx: Trx,
  { budgets }: Deps,
  { accountId, added }: { readonly accountId: string; readonly added: number },
): Promise<void> {
  if (budgets.limitOf(accountId, 'group_members') === Number.POSITIVE_INFINITY) return;
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.ownGroupMembers}, hashtext(${accountId}))`.execute(trx);
  const { groupMembers } = (await readUsage(trx, [accountId])).get(accountId) ?? NOTHING_USED;
  budgets.requireRoom(accountId, 'group_members', { used: groupMembers - added, adding: added });
}

/**
 * Makes sure that whoever began the group has room for what a manager of it is about to store there (OP-1). How much someone
 * else has used is nobody's business. Whoever is no manager is refused later, and reserves nothing.
 */
export async function reserveInGroup(
  { db, budgets }: Pick<Platform, 'db' | 'budgets'>,
  { conversationId, actorId }: { readonly conversationId: string; readonly actorId: string },
  bytes: number,
): Promise<void> {
  const { rows } = await sql<{ payer_id: string }>`
    select c.payer_id from conversations c join members m on m.conversation_id = c.id
    where c.id = ${conversationId} and c.payer_id is not null and m.member_kind = 'human' and m.member_id = ${actorId}
      and m.left_at is null and m.role <> 'member'`.execute(db);
  for (const { payer_id: accountId } of rows) {
    await hideFrom(actorId, accountId, 'bytes_stored', () => budgets.reserveBytes(accountId, bytes));
  }
}

/** The same for one who was added to a group. How much someone else has used is nobody's business. */
export async function requireRoomInGroup(
  trx: Trx,
  deps: Deps,
  { conversationId, actorId }: { readonly conversationId: string; readonly actorId: string },
): Promise<void> {
  const { payer_id: accountId } = await trx
    .selectFrom('conversations')
    .select('payer_id')
    .where('id', '=', conversationId)
    .executeTakeFirstOrThrow();
  if (accountId === null) return;
  await hideFrom(actorId, accountId, 'group_members', () => requireRoomForMembers(trx, deps, { accountId, added: 1 }));
}

/** Refuses someone else without figures. */
async function hideFrom(
  actorId: string,
  accountId: string,
  limit: StoredBudget,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (accountId === actorId || !(error instanceof RequestError)) throw error;
    throw new RequestError('FORBIDDEN', {}, { limit });
  }
}

/** What a statement costs with what the members are told of it. */
export const statementBytes = (statement: object | undefined): number =>
  ROW_BYTES.event + CHANGE + (statement === undefined ? 0 : ROW_BYTES.statement + JSON.stringify(statement).length);
/** What members are told of a change. */
const CHANGE = 300;
