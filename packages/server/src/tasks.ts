import type { TaskList } from 'graphile-worker';
import { pruneAuth } from './accounts/prune.ts';
import { pruneAgentEvents } from './agent-events/store.ts';
import { forgetMessages } from './conversations/retention.ts';
import { pruneIdempotencyKeys } from './http/idempotency.ts';
import type { Platform } from './platform.ts';
import { createWebhookTasks } from './webhooks/tasks.ts';

/** Collects the jobs of all subjects. */
export function createTasks(platform: Platform): TaskList {
  return {
    ...createWebhookTasks(platform),
    forget_messages: () => forgetMessages(platform),
    prune_agent_events: () => pruneAgentEvents(platform.db, daysAgo(platform, platform.config.retention.eventDays)),
    prune_auth: () => pruneAuth(platform.db, platform.now()),
    prune_idempotency_keys: () => pruneIdempotencyKeys(platform.db, platform.now()),
  };
}

const DAY_MS = 24 * 3_600_000;

function daysAgo({ now }: Platform, days: number): Date {
  return new Date(now().getTime() - days * DAY_MS);
}

/** Jobs that run at fixed times, as lines of a crontab; each on one node at a time. */
export const SCHEDULE: readonly string[] = [
  '*/10 * * * * forget_messages',
  '17 * * * * prune_idempotency_keys',
  '41 * * * * prune_auth',
  '53 3 * * * prune_agent_events',
  '23 3 * * * prune_webhook_deliveries',
];
