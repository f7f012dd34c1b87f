import { sql } from 'kysely';
import { deliveryEnd } from '../events/webhook-outbox.ts';
import { createId } from '../id.ts';
import type { Platform } from '../platform.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';
import { isDue } from './due.ts';
import { createFanOutTurns, type FanOutTurns, NO_ACCOUNT, type Waiting } from './fan-out-turns.ts';
import { LONGEST_PAUSE_MS } from './schedule.ts';
import type { Guest, WaitingRoom } from './waiting-room.ts';

/** The deliveries that one round makes, at most. */
const DELIVERIES = 1_000;

/** Of one account, and of all, the most events that are looked at for one round. */
const LOOKED_AT = { ofOne: 100, ofAll: 2_000 };

interface OpenEvent extends Waiting {
  readonly event_type: string;
  readonly agent_ids: readonly string[];
}
interface NewDelivery extends Guest {
  readonly agentId: string;
  readonly event: OpenEvent;
}

/**
 * Makes the deliveries of events that wait for it, in one statement (OP-4); returns whether there may be more. Beyond its
 * owner's budget, or its sender's share of it, the newest are not made, and the owner sees how many; the agent still gets the
 * message by poll or socket.
 */
export async function fanOut(
  platform: Platform,
  waitingRoom: WaitingRoom,
  turns: FanOutTurns = createFanOutTurns(),
): Promise<boolean> {
  const { db, agentEvents, metrics, now, logRefusal } = platform;
  const { made, refused, isMore } = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.webhookFanOut})`.execute(trx);
    const taken = turns.take(await listWaiting(trx, turns.last), DELIVERIES);
    if (taken.length === 0) return { made: [], refused: [], isMore: false };
    const events = await readEvents(trx, taken);
    const owners = await findOwners(trx, [...new Set(events.flatMap(({ agent_ids }) => agent_ids))]);
    const wanted = events.flatMap((event) =>
      event.agent_ids.flatMap((agentId): NewDelivery[] => {
        const ownerId = owners.get(agentId);
        return ownerId === undefined ? [] : [{ agentId, ownerId, senderId: event.account_id, event }];
      }),
    );
    const { made, refused } = await waitingRoom.admit(trx, wanted);
    if (made.length > 0) await insertDeliveries(trx, made, now());
    await closeEvents(trx, events, new Set(made.map(({ event }) => event.id)));
    return { made, refused, isMore: true };
  });
  waitingRoom.add(made);
  for (const { agentId, ownerId } of refused) {
    agentEvents.countUndelivered(agentId, 1);
    logRefusal({ limit: 'waiting_deliveries', account: ownerId });
  }
  if (refused.length > 0) metrics.refusals.inc({ limit: 'waiting_deliveries' }, refused.length);
  return isMore;
}

/**
 * Lists the first events of each account, beginning with the one whose turn comes after `last`. They are small: whom an event
 * goes to is read when it has its turn.
 */
async function listWaiting(trx: Trx, last: string): Promise<Waiting[]> {
  const behind = await listBehind(trx, last, LOOKED_AT.ofAll);
  if (last === NO_ACCOUNT || behind.length === LOOKED_AT.ofAll) return behind;
  const others = await listBehind(trx, NO_ACCOUNT, LOOKED_AT.ofAll - behind.length);
  return [...behind, ...others.filter(({ account_id }) => account_id <= last)];
}

async function listBehind(trx: Trx, last: string, limit: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    with recursive accounts as (
      (select account_id from webhook_events where agent_ids is not null and account_id > ${last}
        order by account_id limit 1)
      union all
      select (select e.account_id from webhook_events e where e.agent_ids is not null
        and e.account_id > accounts.account_id order by e.account_id limit 1)
      from accounts where accounts.account_id is not null)
    select waiting.* from accounts cross join lateral (
      select id, account_id, deliveries from webhook_events e
      where e.agent_ids is not null and e.account_id = accounts.account_id
      order by id limit ${LOOKED_AT.ofOne}) as waiting
    limit ${limit}`.execute(trx);
  return rows;
}

/** In the order in which they were taken. */
async function readEvents(trx: Trx, taken: readonly Waiting[]): Promise<OpenEvent[]> {
  const { rows } = await sql<OpenEvent>`
    select e.id, e.account_id, e.deliveries, e.event_type, e.agent_ids
    from unnest(${taken.map(({ id }) => id)}::bigint[]) with ordinality as taken (id, number)
    join webhook_events e on e.id = taken.id order by taken.number`.execute(trx);
  return rows;
}

/** The owners of those agents that have a webhook and may use it. */
async function findOwners(trx: Trx, agentIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ agent_id: string; owner_id: string }>`
    select w.agent_id, a.owner_id from webhooks w
    join agents a on a.id = w.agent_id
    join accounts o on o.id = a.owner_id
    where w.agent_id = any(${agentIds}::uuid[]) and a.status in ('active', 'suspended') and o.status = 'active'
  `.execute(trx);
  return new Map(rows.map(({ agent_id, owner_id }) => [agent_id, owner_id]));
}

/**
 * An endpoint that failed a moment ago is left alone until its pause is over. An agent whose webhook was removed at this
 * moment is looked at, too: otherwise its deliveries would wait for ever.
 */
async function insertDeliveries(trx: Trx, deliveries: readonly NewDelivery[], now: Date): Promise<void> {
  await sql`
    with made as (
      insert into webhook_deliveries (id, agent_id, event_type, event_id, sender_id, next_at, expires_at, created_at)
      select id, agent_id, type, event_id, sender_id, now(), ${deliveryEnd}, ${now}
      from unnest(
        ${deliveries.map(() => createId(now))}::uuid[],
        ${deliveries.map(({ agentId }) => agentId)}::uuid[],
        ${deliveries.map(({ event }) => event.event_type)}::text[],
        ${deliveries.map(({ event }) => event.id)}::bigint[],
        ${deliveries.map(({ senderId }) => senderId)}::uuid[]) as new (id, agent_id, type, event_id, sender_id))
    insert into webhook_queues as q (agent_id, due_at)
    select agent, greatest(now(), w.paused_until)
    from unnest(${[...new Set(deliveries.map(({ agentId }) => agentId))]}::uuid[]) as agent
    left join webhooks w on w.agent_id = agent and not ${isDue('w.paused_until', LONGEST_PAUSE_MS)}
    order by agent
    on conflict (agent_id) do update set due_at = excluded.due_at
    where q.due_at is null or q.due_at > excluded.due_at`.execute(trx);
}

/** Those without a delivery are not needed any more. */
async function closeEvents(trx: Trx, events: readonly OpenEvent[], used: ReadonlySet<number>): Promise<void> {
  const ids = events.map(({ id }) => id);
  const unused = ids.filter((id) => !used.has(id));
  await sql`with gone as (delete from webhook_events where id = any(${unused}::bigint[]))
    update webhook_events set agent_ids = null
    where id = any(${ids.filter((id) => used.has(id))}::bigint[])`.execute(trx);
}
