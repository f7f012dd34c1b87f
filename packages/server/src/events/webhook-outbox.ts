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
  await sql`insert into webhook_events (event_type, payload, created_at, agent_ids)
    select ${type}, ${JSON.stringify(payload)}, ${deps.now()}, array_agg(agent_id) from webhooks
    where agent_id = any(${agentIds}::uuid[]) having count(*) > 0`.execute(trx);
}

export interface MessageForWebhooks {
  readonly type: WebhookEventType;
  /** Everything but the envelope, as JSON. */
  readonly payload: string;
  readonly conversationId: string;
  readonly seq: number;
  readonly agentIds: readonly string[];
}

const INSERT = `
  insert into webhook_events (event_type, payload, conversation_id, seq, agent_ids, created_at)
  select type, payload, conversation, seq, agents::uuid[], $6
  from unnest($1::text[], $2::text[], $3::uuid[], $4::bigint[], $5::text[]) with ordinality
    as new (type, payload, conversation, seq, agents, number)
  order by number`;

/** Queues messages in one statement; their envelopes are read where they are. */
export async function queueMessagesForWebhooks(
  pipe: Pipe,
  messages: readonly MessageForWebhooks[],
  now: Date,
): Promise<void> {
  const values = [
    messages.map(({ type }) => type),
    messages.map(({ payload }) => payload),
    messages.map(({ conversationId }) => conversationId),
    messages.map(({ seq }) => seq),
    messages.map(({ agentIds }) => `{${agentIds.join(',')}}`),
    now,
  ];
  await pipe.query({ name: 'webhook-events-insert', text: INSERT, values });
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

function isDelivered(type: string): type is WebhookEventType {
  return DELIVERED.has(type);
}
