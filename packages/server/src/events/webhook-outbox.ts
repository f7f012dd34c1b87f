import { WEBHOOK_EVENTS, type WebhookEnvelope, type WebhookEventType } from '@parley/protocol';
import { createId } from '../id.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { LIFETIME_MS } from '../webhooks/schedule.ts';
import { findObserved } from '../webhooks/store.ts';

type Means = Pick<Platform, 'jobs' | 'now'>;

const DELIVERED: ReadonlySet<string> = new Set(WEBHOOK_EVENTS);

/** Delivers an event to the webhooks of these agents, where they have one: with the change that causes it, or not at all. */
export async function observeAgent(
  trx: Trx,
  means: Means,
  agentIds: readonly string[],
  type: string,
  payload: object,
): Promise<void> {
  if (!isDelivered(type) || agentIds.length === 0) return;
  for (const agentId of await findObserved(trx, agentIds)) await addDelivery(trx, means, { agentId, type, payload });
}

interface NewDelivery {
  readonly agentId: string;
  readonly type: WebhookEventType;
  readonly payload: object;
}

export async function addDelivery(trx: Trx, means: Means, { agentId, type, payload }: NewDelivery): Promise<string> {
  const now = means.now();
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
      expires_at: new Date(now.getTime() + LIFETIME_MS),
      created_at: now,
    })
    .execute();
  await scheduleAttempt(trx, means, { id, agentId });
  return id;
}

/** Replaces an attempt that was scheduled before. One agent's deliveries wait for each other, never for another's. */
export async function scheduleAttempt(
  trx: Trx,
  { jobs }: Pick<Means, 'jobs'>,
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
