import type { EventPayload, LedgerEntry } from '@parley/protocol';
import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { appendEntry } from './ledger.ts';
import { type AfterCommit, eventBytes, notifyAgent, notifyBoth, wakePeople } from './notify.ts';
import type { LockedRelation, Relation } from './store.ts';
import { toEnding } from './wire.ts';

/** Ends a relation (RL-7). Ending it twice is not an error. */
export async function end(
  platform: Platform,
  trx: Trx,
  locked: LockedRelation,
  entry: LedgerEntry | undefined,
): Promise<AfterCommit> {
  const { relation } = locked;
  const ended = relation.status === 'ended';
  if (ended && entry === undefined) return () => {};
  const now = platform.now();
  const ledger = entry ? await appendEntry(trx, locked, entry, 'revoke') : { signed: false };
  await trx
    .updateTable('h2a_relations')
    .set({ ...ledger, ...(ended ? {} : { ...ENDED, ended_at: now }), updated_at: now })
    .where('id', '=', relation.id)
    .execute();
  if (ended) return () => {};
  await leaveConversations(trx, [relation.conversation_id], now);
  return notifyBoth(platform, trx, relation, 'relation.revoked', toEnding(relation, 'user'));
}

const ENDED = { status: 'ended', granted_scopes: '[]' } as const;

/** Ends all relations of an account that is deleted. */
export async function endRelationsOfAccount(trx: Trx, platform: Platform, accountId: string): Promise<AfterCommit> {
  const now = platform.now();
  // The agents are locked before the relations, as everywhere.
  await sql`
    select from agents where id in (
      select agent_id from h2a_relations where account_id = ${accountId} and status <> 'ended')
    order by id for share`.execute(trx);
  const ended: Relation[] = await trx
    .updateTable('h2a_relations')
    .set({ ...ENDED, signed: false, ended_at: now, updated_at: now })
    .where('account_id', '=', accountId)
    .where('status', '<>', 'ended')
    .returningAll()
    .execute();
  await leaveConversations(
    trx,
    ended.map((relation) => relation.conversation_id),
    now,
  );
  const wakes: AfterCommit[] = [];
  for (const relation of ended) {
    const payload = toEnding(relation, 'account');
    const told = { agentId: relation.agent_id, causedBy: accountId };
    wakes.push(await notifyAgent(platform, trx, told, 'relation.revoked', payload));
  }
  return () => {
    for (const wake of wakes) wake();
  };
}

/** Ends the relations that two people have with each other's agents, because the first blocked the other (AC-6). */
export async function endRelationsBetween(
  trx: Trx,
  platform: Platform,
  [one, other]: readonly [string, string],
): Promise<AfterCommit> {
  const now = platform.now();
  const between = sql<boolean>`((r.account_id = ${one} and g.owner_id = ${other})
    or (r.account_id = ${other} and g.owner_id = ${one})) and r.status <> 'ended'`;
  // The agents are locked before the relations, as everywhere.
  await sql`select from agents where id in (
      select r.agent_id from h2a_relations r join agents g on g.id = r.agent_id where ${between})
    order by id for share`.execute(trx);
  const { rows } = await sql<Relation>`
    update h2a_relations r set status = 'ended', granted_scopes = '[]', signed = false, ended_at = ${now},
      updated_at = ${now}
    from agents g where g.id = r.agent_id and ${between} returning r.*`.execute(trx);
  await leaveConversations(
    trx,
    rows.map((relation) => relation.conversation_id),
    now,
  );
  const wakes: AfterCommit[] = [];
  for (const relation of rows) {
    const reason = relation.account_id === one ? 'user' : 'agent';
    wakes.push(await notifyBoth(platform, trx, relation, 'relation.revoked', toEnding(relation, reason), one));
  }
  return () => {
    for (const wake of wakes) wake();
  };
}

/** The agent leaves the conversation; the person keeps it. */
async function leaveConversations(trx: Trx, conversationIds: readonly string[], now: Date): Promise<void> {
  if (conversationIds.length === 0) return;
  await trx
    .updateTable('members')
    .set({ left_at: now })
    .where('conversation_id', 'in', conversationIds)
    .where('member_kind', '=', 'agent')
    .where('left_at', 'is', null)
    .execute();
}

/** Ends all relations of an agent that is deleted. */
export async function endRelationsOf(trx: Trx, platform: Platform, agentId: string): Promise<AfterCommit> {
  const now = platform.now();
  const told = sql`told as (
      update h2a_relations
      set status = 'ended', granted_scopes = '[]', signed = false, ended_at = ${now}, updated_at = ${now}
      where agent_id = ${agentId} and status <> 'ended'
      returning id, conversation_id, account_id),
    gone as (
      update members set left_at = ${now} from told
      where members.conversation_id = told.conversation_id and member_kind = 'agent' and left_at is null)`;
  return notifyAll(trx, platform, { agentId, type: 'relation.revoked', told, since: now });
}

/** Suspends all active relations of an agent that may not act for a while. */
export function suspendRelationsOf(trx: Trx, platform: Platform, agentId: string): Promise<AfterCommit> {
  const told = moveStatus(agentId, { from: 'active', to: 'suspended', now: platform.now() });
  return notifyAll(trx, platform, { agentId, type: 'relation.suspended', told });
}

/**
 * Makes sure that there is room for telling everyone that the agent may act again (OP-1), and later that it may not: that must
 * be possible without.
 */
export async function reserveForRestoring({ db, budgets }: Platform, agentId: string): Promise<void> {
  const { rows } = await sql<{ owner_id: string; people: number }>`
    select a.owner_id, count(*)::int as people from agents a
    join h2a_relations r on r.agent_id = a.id and r.status = 'suspended'
    where a.id = ${agentId} group by a.owner_id`.execute(db);
  for (const { owner_id, people } of rows) await budgets.reserveBytes(owner_id, 2 * (people + 1) * eventBytes(0));
}

export function restoreRelationsOf(trx: Trx, platform: Platform, agentId: string): Promise<AfterCommit> {
  const told = moveStatus(agentId, { from: 'suspended', to: 'active', now: platform.now() });
  return notifyAll(trx, platform, { agentId, type: 'relation.restored', told });
}

function moveStatus(agentId: string, { from, to, now }: { from: string; to: string; now: Date }) {
  return sql`told as (
    update h2a_relations set status = ${to}, updated_at = ${now}
    where agent_id = ${agentId} and status = ${from}
    returning id, conversation_id, account_id)`;
}

interface Telling {
  readonly agentId: string;
  readonly type: 'relation.revoked' | 'relation.suspended' | 'relation.restored';
  /** A `told as (…)` clause that changes relations and returns them. */
  readonly told: ReturnType<typeof sql>;
  readonly since?: Date;
}

/**
 * Stores the change and an event for each person in one statement, however many relations there are. The agent gets one
 * event. They count for its owner.
 */
async function notifyAll(trx: Trx, platform: Platform, { agentId, type, told, since }: Telling): Promise<AfterCommit> {
  const { rows } = await sql<{ relations: number; causedBy: string }>`
    with ${told}, stored as (
      insert into events (recipient_kind, recipient_id, type, payload, account_id)
      select 'human', account_id, ${type}, jsonb_build_object('relation_id', id, 'conversation_id', conversation_id,
        'agent_id', ${agentId}::uuid, 'user_id', account_id, 'reason', 'agent'),
        (select owner_id from agents where id = ${agentId})
      from told)
    select count(*) as relations, (select owner_id from agents where id = ${agentId}) as "causedBy" from told`.execute(
    trx,
  );
  const { relations, causedBy } = rows[0]!;
  if (relations === 0) return () => {};
  const payload: EventPayload<typeof type> = { agent_id: agentId, relations, reason: 'agent' };
  const wakeAgent = await notifyAgent(platform, trx, { agentId, causedBy }, type, payload);
  return () => {
    wakeAgent();
    wakePeople(platform, agentId, since);
  };
}
