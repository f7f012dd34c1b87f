import { WEBHOOK_EVENTS, type WebhookEnvelope, type WebhookEventType } from '@parley/protocol';
import { sql } from 'kysely';
import { createId } from '../id.ts';
import type { Jobs } from '../jobs.ts';
import type { Trx } from '../storage/database.ts';

// A transactional outbox: a delivery is stored with the change that causes it, and a job of the webhooks sends it later.

export interface OutboxDeps {
  readonly jobs: Jobs;
  readonly now: () => Date;
}

/** A delivery is attempted for this long (TR-6). */
export const DELIVERY_LIFETIME_MS = 24 * 3_600_000;

const DELIVERED: ReadonlySet<string> = new Set(WEBHOOK_EVENTS);

/** Queues an event for those of these agents that have a webhook and may use it. */
export async function queueForWebhooks(
  trx: Trx,
  deps: OutboxDeps,
  agentIds: readonly string[],
  type: string,
  payload: object,
): Promise<void> {
  if (!isDelivered(type) || agentIds.length === 0) return;
  for (const agentId of await findWebhookAgents(trx, agentIds))
    await queueDelivery(trx, deps, { agentId, type, payload });
}

async function findWebhookAgents(trx: Trx, agentIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ agent_id: string }>`
    select w.agent_id from webhooks w
    join agents a on a.id = w.agent_id
    join accounts o on o.id = a.owner_id
    where w.agent_id = any(${agentIds}::uuid[]) and a.status in ('active', 'suspended') and o.status = 'active'
  `.execute(trx);
  return rows.map((row) => row.agent_id);
}

interface NewDelivery {
  readonly agentId: string;
  readonly type: WebhookEventType;
  readonly payload: object;
}

/** Returns the id of the delivery. */
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
      next_at: now,
      expires_at: new Date(now.getTime() + DELIVERY_LIFETIME_MS),
      created_at: now,
    })
    .execute();
  await scheduleAttempt(trx, deps, { id, agentId });
  return id;
}

/**
 * Replaces an attempt that was scheduled before. One agent's deliveries run one at a time; those of different agents do
 * not wait for each other.
 */
export async function scheduleAttempt(
  trx: Trx,
  { jobs }: Pick<OutboxDeps, 'jobs'>,
  { id, agentId, at }: { readonly id: string; readonly agentId: string; readonly at?: Date },
): Promise<void> {
  const when = at === undefined ? {} : { runAt: at };
  await jobs.add(
    trx,
    'deliver_webhook',
    { delivery_id: id },
    { key: `webhook:${id}`, queue: `webhook:${agentId}`, ...when },
  );
}

function isDelivered(type: string): type is WebhookEventType {
  return DELIVERED.has(type);
}
