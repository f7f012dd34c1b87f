import type { TaskList } from 'graphile-worker';
import { pruneAuth } from './accounts/prune.ts';
import { pruneAgentEvents } from './agent-events/store.ts';
import { emptyDeletedAgents } from './agents/lifecycle.ts';
import { runBackfill } from './backfills.ts';
import { foldUsage, recountUsage } from './budgets/stored-bytes.ts';
import { pruneBlocks } from './contacts/blocks.ts';
import { pruneRequests } from './contacts/requests.ts';
import { pruneInvitations } from './conversations/invitations.ts';
import { namePayers } from './conversations/name-payers.ts';
import { deleteOldMessages, forgetDelivered } from './conversations/retention.ts';
import { pruneToolCalls } from './conversations/tool-rate.ts';
import { pruneIdempotencyKeys } from './http/idempotency.ts';
import type { Platform } from './platform.ts';
import { createTrustedClock, type TrustedTime } from './trusted-clock.ts';
import { forgetEnvelopes, pruneDeliveries } from './webhooks/store.ts';
import { createWebhookTasks } from './webhooks/tasks.ts';

/** Collects the jobs of all subjects. Whatever deletes by age gets its time from `prune`, and from nowhere else (OP-13). */
export function createTasks(platform: Platform, clock = createTrustedClock(platform)): TaskList {
  const { jobsDb: db, config } = platform;
  const { envelopeDays, eventDays, deliveryDays } = config.retention;
  const prune = (remove: (time: TrustedTime) => Promise<void>) => async (): Promise<void> => {
    const time = await clock.read();
    if (time !== undefined) await remove(time);
  };
  const deleteMessages = prune((time) => deleteOldMessages({ db, config }, time));
  return {
    ...createWebhookTasks(platform),
    count_usage: async () => {
      await namePayers(db);
      await runBackfill(db, 'count_usage', recountUsage);
    },
    empty_deleted_agents: async () => {
      await emptyDeletedAgents(db);
      await runBackfill(db, 'empty_deleted_agents', async () => {});
    },
    fold_usage: () => foldUsage(db),
    forget_messages: async () => {
      // First, because it reads the clock: what was stored while that was behind is not from before its recipient.
      try {
        await deleteMessages();
      } finally {
        await forgetDelivered(db);
        await pruneToolCalls(db);
      }
    },
    prune_contacts: prune(async ({ now, before }) => {
      await pruneRequests(db, now);
      await pruneInvitations(db, now);
      await pruneBlocks(db, before(envelopeDays + 1));
    }),
    prune_agent_events: prune(({ before }) => pruneAgentEvents(db, before(eventDays))),
    prune_auth: prune(({ now }) => pruneAuth(db, now)),
    prune_idempotency_keys: prune(({ now }) => pruneIdempotencyKeys(db, now)),
    forget_webhook_envelopes: prune(({ before }) => forgetEnvelopes(db, before(1))),
    prune_webhook_deliveries: prune(({ before }) => pruneDeliveries(db, before(deliveryDays))),
  };
}

/** Jobs that run at fixed times, as lines of a crontab; each on one node at a time. */
export const SCHEDULE: readonly string[] = [
  '*/10 * * * * forget_messages',
  '* * * * * fold_usage',
  '47 2 * * * count_usage',
  '17 * * * * prune_idempotency_keys',
  '41 * * * * prune_auth',
  '53 3 * * * prune_agent_events',
  '37 3 * * * prune_contacts',
  '13 * * * * forget_webhook_envelopes',
  '23 3 * * * prune_webhook_deliveries',
];
