import { WEBHOOK_EVENTS, type WebhookEnvelope, type WebhookEventType } from '@parley/protocol';
import { sql } from 'kysely';
import { createId } from '../id.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Pipe } from '../storage/pipeline.ts';
import { type Bus, keyOf } from './bus.ts';

// A transactional outbox: an event is stored once with the change that causes it, and the dispatcher of the webhooks makes
// the deliveries of it afterwards (OP-4).

export interface OutboxDeps {
  readonly now: () => Date;
}

/** A delivery is attempted for this long (TR-6). */
export const DELIVERY_LIFETIME_MS = 24 * 3_600_000;

/** Of the database, whose clock says what is due; in whole milliseconds, because it is compared with what was read. */
export const deliveryEnd = sql<Date>`
  date_trunc('milliseconds', now()) + ${DELIVERY_LIFETIME_MS} * interval '1 millisecond'`;

const DELIVERED: ReadonlySet<string> = new Set(WEBHOOK_EVENTS);

/** Queues an event for those of these agents that have a webhook. Call `wakeWebhooks` once it has committed. */
export async function queueForWebhooks(
  trx: Trx,
  deps: OutboxDeps,
  agentIds: readonly string[],
  type: string,
  payload: object,
): Promise<void> {
  if (!isDelivered(type) || agentIds.length === 0) return;
  const { conversation_id = null, relation_id = null } = payload as { conversation_id?: string; relation_id?: string };
  // Its cause is whoever began the conversation or the relation, else whoever owns most of the agents.
  await sql`insert into webhook_events (account_id, event_type, payload, created_at, agent_ids, deliveries)
    select coalesce((select payer_id from conversations where id = ${conversation_id}),
      (select account_id from h2a_relations where id = ${relation_id}),
      mode() within group (order by a.owner_id)), ${type}, ${JSON.stringify(payload)}, ${deps.now()},
      array_agg(a.id), count(*)
    from webhooks w join agents a on a.id = w.agent_id
    where w.agent_id = any(${agentIds}::uuid[]) having count(*) > 0`.execute(trx);
}

export interface MessageForWebhooks {
  /** Whose message it is: its deliveries are made in turns by account (OP-3). */
  readonly account: string;
  readonly type: WebhookEventType;
  /** Everything but the envelope, as JSON. */
  readonly payload: string;
  readonly conversationId: string;
  readonly seq: number;
  readonly agentIds: readonly string[];
}

/** `wanted` is what all those of the account up to this one go to; what waits already is seen as it was before. */
const INSERT = `
  with new as (
    select *, sum(deliveries) over (partition by account order by number) as wanted
    from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::bigint[], $6::text[], $7::integer[], $8::bigint[])
      with ordinality as new (account, type, payload, conversation, seq, agents, deliveries, most, number)),
  waiting as (
    select account, (
      select coalesce(sum(e.deliveries), 0) from webhook_events e
      where e.account_id = account and e.agent_ids is not null) as deliveries
    from (select distinct account from new) as accounts)
  insert into webhook_events (account_id, event_type, payload, conversation_id, seq, agent_ids, deliveries, created_at)
  select account, type, payload, conversation, seq, agents::uuid[], new.deliveries, $9
  from new join waiting using (account)
  where waiting.deliveries + wanted - new.deliveries < most order by number
  returning conversation_id as conversation, seq`;

interface Queueing {
  readonly now: Date;
  /** How many deliveries of an account's messages may wait for being made. */
  limitOf(account: string): number;
}

/**
 * Queues messages in one statement; their envelopes are read where they are. Returns those that were queued: where too much
 * waits, the newest are not.
 */
export async function queueMessagesForWebhooks(
  pipe: Pipe,
  messages: readonly MessageForWebhooks[],
  { now, limitOf }: Queueing,
): Promise<ReadonlySet<MessageForWebhooks>> {
  if (messages.length === 0) return new Set();
  const values = [
    messages.map(({ account }) => account),
    messages.map(({ type }) => type),
    messages.map(({ payload }) => payload),
    messages.map(({ conversationId }) => conversationId),
    messages.map(({ seq }) => seq),
    messages.map(({ agentIds }) => `{${agentIds.join(',')}}`),
    messages.map(({ agentIds }) => agentIds.length),
    messages.map(({ account }) => Math.min(limitOf(account), Number.MAX_SAFE_INTEGER)),
    now,
  ];
  const rows = await pipe.query<{ conversation: string; seq: number }>({
    name: 'webhook-events-insert',
    text: INSERT,
    values,
  });
  const queued = new Set(rows.map(({ conversation, seq }) => `${conversation} ${seq}`));
  return new Set(messages.filter(({ conversationId, seq }) => queued.has(`${conversationId} ${seq}`)));
}

/** Call it after commit. If nobody does, or the node dies, the dispatchers find it within a second. */
export function wakeWebhooks(bus: Bus): void {
  bus.publishHere([keyOf.webhooks], '');
}

interface NewDelivery {
  readonly agentId: string;
  readonly type: WebhookEventType;
  readonly payload: object;
}

/** Queues one delivery of its own; returns its id. */
export async function queueDelivery(
  trx: Trx,
  deps: OutboxDeps,
  { agentId, type, payload }: NewDelivery,
): Promise<string> {
  const now = deps.now();
  const id = createId(now);
  const envelope: WebhookEnvelope = {
    type,
    delivery_id: id,
    agent_id: agentId,
    created_at: now.toISOString(),
    data: payload as Record<string, unknown>,
  };
  await trx
    .insertInto('webhook_deliveries')
    .values({
      id,
      agent_id: agentId,
      event_type: type,
      body: JSON.stringify(envelope),
      next_at: sql`now()`,
      expires_at: deliveryEnd,
      created_at: now,
    })
    .execute();
  await scheduleAgent(trx, agentId);
  return id;
}

/** The agent's deliveries are looked at as soon as possible. */
export async function scheduleAgent(trx: Db | Trx, agentId: string): Promise<void> {
  await sql`insert into webhook_queues (agent_id, due_at) values (${agentId}, now())
    on conflict (agent_id) do update set due_at = excluded.due_at
    where webhook_queues.due_at is null or webhook_queues.due_at > excluded.due_at`.execute(trx);
}

/** Deletes a webhook and gives up what waits for it; returns whether there was one. An attempt that is under way ends as it ends. */
export async function dropWebhook(trx: Trx, agentId: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('webhooks').where('agent_id', '=', agentId).executeTakeFirst();
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', last_error: 'WEBHOOK_REMOVED', next_at: null })
    .where('agent_id', '=', agentId)
    .where('status', '=', 'pending')
    .execute();
  return numDeletedRows > 0n;
}

function isDelivered(type: string): type is WebhookEventType {
  return DELIVERED.has(type);
}
