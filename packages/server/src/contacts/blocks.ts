import { contactRoutes } from '@parley/protocol';
import { sql } from 'kysely';
import { lockPairEnd } from '../conversations/pair.ts';
import { RequestError } from '../http/request-error.ts';
import { hasBlocked } from '../people/blocks.ts';
import { lockPair, met } from '../people/contacts.ts';
import { endInvitationsBetween } from '../people/invitations.ts';
import type { Platform } from '../platform.ts';
import { endRelationsBetween } from '../relations/end.ts';
import type { Db, Trx } from '../storage/database.ts';
import { type Person, refuse, withdraw } from './requests.ts';

const MAX_BLOCKED = 1_000;

export type Blocked = Person & { readonly since: Date; readonly agent_ids: readonly string[] };

/**
 * Blocks someone whom the account has met; for all others there is nobody with this id (AC-7). Their relations with each
 * other's agents end, and so does what either has asked or offered the other.
 */
export async function block(platform: Platform, accountId: string, otherId: string): Promise<Blocked> {
  const now = platform.now();
  const own = [{ kind: 'human' as const, id: accountId }];
  if (otherId === accountId) throw new RequestError('BAD_REQUEST');
  const wake = await platform.db.transaction().execute(async (trx) => {
    await lockPair(trx, accountId, otherId);
    const asked = await trx
      .selectFrom('contact_requests')
      .select('id')
      .where('asker_id', '=', otherId)
      .where('account_id', '=', accountId)
      .where('heard', '=', true)
      .executeTakeFirst();
    if (asked === undefined && !(await met(trx, accountId, otherId))) {
      throw new RequestError('NOT_FOUND');
    }
    const { rows } = await sql<{ blocked: number }>`
      select count(*)::int as blocked from blocks where account_id = ${accountId} and until is null`.execute(trx);
    if (rows[0]!.blocked >= MAX_BLOCKED) throw new RequestError('LIMIT_REACHED', { limit: MAX_BLOCKED });
    if (await hasBlocked(trx, accountId, otherId)) return () => {};
    await refuse(trx, { accountId, askerId: otherId, now });
    await withdraw(trx, { accountId: otherId, askerId: accountId, now });
    await endInvitationsBetween(trx, { blockerId: accountId, otherId, now });
    const wakeRelations = await endRelationsBetween(trx, platform, [accountId, otherId]);
    await platform.events.store(trx, own, 'contact.changed', {}, accountId);
    // Last, because nobody can send until this ends.
    await insertBlock(trx, { accountId, otherId, now });
    return () => {
      wakeRelations();
      // There is nothing to tell the other; but their sockets remember for a while who hears that they type.
      platform.events.wake([...own, { kind: 'human', id: otherId }]);
    };
  });
  wake();
  return (await listBlocked(platform.db, accountId)).find(({ user_id }) => user_id === otherId)!;
}

/** One of the same pair has always begun before, even if the clock says otherwise. */
async function insertBlock(
  trx: Trx,
  { accountId, otherId, now }: { accountId: string; otherId: string; now: Date },
): Promise<void> {
  const sinceSeq = await lockPairEnd(trx, accountId, otherId);
  await sql`insert into blocks (account_id, blocked_id, since, since_seq)
    select ${accountId}::uuid, ${otherId}::uuid,
      greatest(${now}::timestamptz, max(since) + interval '1 millisecond'), ${sinceSeq}::bigint
    from blocks where account_id = ${accountId} and blocked_id = ${otherId}`.execute(trx);
}

/** What they wrote meanwhile does not come. */
export async function unblock(platform: Platform, accountId: string, otherId: string): Promise<void> {
  const own = [{ kind: 'human' as const, id: accountId }];
  await platform.db.transaction().execute(async (trx) => {
    await lockPair(trx, accountId, otherId);
    const untilSeq = await lockPairEnd(trx, accountId, otherId);
    const { rows } = await sql`update blocks set until = ${platform.now()}, until_seq = ${untilSeq}
      where account_id = ${accountId} and blocked_id = ${otherId} and until is null returning 1`.execute(trx);
    if (rows.length === 0) throw new RequestError('NOT_FOUND');
    await platform.events.store(trx, own, 'contact.changed', {}, accountId);
  });
  platform.events.wake([...own, { kind: 'human', id: otherId }]);
}

/** With their agents in conversations with the account, also those that left: what they wrote may still come. */
export async function listBlocked(db: Db, accountId: string): Promise<Blocked[]> {
  const { rows } = await sql<Blocked>`
    select b.blocked_id as user_id, a.display_name, b.since, array(
      select g.id::text from agents g where g.owner_id = b.blocked_id and exists (
        select from members mine join members theirs on theirs.conversation_id = mine.conversation_id
        where mine.member_kind = 'human' and mine.member_id = b.account_id
          and theirs.member_kind = 'agent' and theirs.member_id = g.id)
      order by g.status = 'deleted', g.id desc limit ${contactRoutes.MAX_BLOCKED_AGENTS}) as agent_ids
    from blocks b join accounts a on a.id = b.blocked_id
    where b.account_id = ${accountId} and b.until is null order by a.display_name, b.blocked_id`.execute(db);
  return rows;
}

/** Whom the account has unblocked, as long as messages of that time are kept. */
export async function listUnblocked(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select blocked_id as id from blocks where account_id = ${accountId} and until is not null
    group by blocked_id order by max(until) desc limit ${contactRoutes.MAX_UNBLOCKED}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes blocks that ended when no message of that time is kept any more, whatever the clock says. */
export async function pruneBlocks(db: Db, before: Date): Promise<void> {
  await sql`delete from blocks where until < ${before} and not exists (
    select from members m join conversations c on c.id = m.conversation_id and c.kind = 'h2h'
    join messages x on x.conversation_id = c.id
    where m.member_kind = 'human' and m.member_id = blocks.account_id
      and x.sender_kind = 'human' and x.sender_id = blocks.blocked_id
      and x.seq > blocks.since_seq and x.seq <= blocks.until_seq)`.execute(db);
}
