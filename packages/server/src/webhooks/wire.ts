import type { webhookRoutes } from '@parley/protocol';
import type { Changed } from './settings.ts';
import type { LoggedDelivery, WebhookRow } from './store.ts';

interface Described extends Changed {
  readonly webhook: WebhookRow;
  readonly unreachableSince: Date | null;
  readonly answeredAt: Date | null;
  readonly ping: LoggedDelivery | undefined;
  readonly now: Date;
}

export function toWireWebhook(described: Described): webhookRoutes.WireWebhook {
  const { webhook, secret, unreachableSince, answeredAt, ping, now } = described;
  const { previous_until: until, failing_since: failingSince } = webhook;
  return {
    agent_id: webhook.agent_id,
    url: webhook.url,
    status: unreachableSince === null ? 'active' : 'unreachable',
    unreachable_since: toTime(unreachableSince),
    failing:
      failingSince === null
        ? null
        : { since: failingSince.toISOString(), status: webhook.failing_status, error: webhook.failing_error },
    last_answered_at: toTime(answeredAt),
    last_ping: ping === undefined ? null : toWireDelivery(ping),
    previous_secret_until: toTime(until !== null && until > now ? until : null),
    created_at: webhook.created_at.toISOString(),
    updated_at: webhook.updated_at.toISOString(),
    ...(secret === undefined ? {} : { secret }),
  };
}

export function toWireDelivery(row: LoggedDelivery): webhookRoutes.WireDelivery {
  return {
    delivery_id: row.id,
    event_type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    last_status: row.last_status,
    last_error: row.last_error,
    next_attempt_at: toTime(row.next_at),
    created_at: row.created_at.toISOString(),
    delivered_at: toTime(row.delivered_at),
  };
}

function toTime(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
