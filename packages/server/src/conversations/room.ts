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
  try {
    await requireRoomForMembers(trx, deps, { accountId, added: 1 });
  } catch (error) {
    if (accountId === actorId || !(error instanceof RequestError)) throw error;
    throw new RequestError('FORBIDDEN', {}, { limit: 'group_members' });
  }
}
