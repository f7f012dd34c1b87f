import type { WebhookEnvelope } from '@parley/protocol';
import type { Attemptable } from './store.ts';

type Head = Omit<WebhookEnvelope, 'data'>;

/**
 * The body of a delivery, the same bytes at each attempt. Payload and envelope are inserted as they are, without parsing
 * them. Undefined if the event or its message is no longer stored.
 */
export function bodyOf(delivery: Attemptable): string | undefined {
  const { body, payload, envelope, is_message: isMessage, event_created_at: createdAt } = delivery;
  if (body !== null) return body;
  if (payload === null || createdAt === null || (isMessage && envelope === null)) return undefined;
  const head = JSON.stringify({
    type: delivery.event_type as Head['type'],
    delivery_id: delivery.id,
    agent_id: delivery.agent_id,
    created_at: createdAt.toISOString(),
  } satisfies Head);
  const data = isMessage ? `${payload.slice(0, -1)},"envelope":${envelope}}` : payload;
  return `${head.slice(0, -1)},"data":${data}}`;
}
