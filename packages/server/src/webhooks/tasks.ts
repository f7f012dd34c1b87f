import { createGuardedFetch } from '@parley/guarded-fetch';
import type { TaskList } from 'graphile-worker';
import type { Platform } from '../platform.ts';
import { deliver } from './deliver.ts';
import { guardPolicy } from './policy.ts';
import { pruneDeliveries } from './store.ts';

const DAY_MS = 24 * 3_600_000;

export function createWebhookTasks(platform: Platform): TaskList {
  const { config, db, now } = platform;
  // The body of the answer is ignored, and a POST is sent only to the address that its owner set.
  const fetch = createGuardedFetch({ ...guardPolicy(config), maxBytes: 1_024, timeoutMs: 10_000, maxRedirects: 0 });
  const deps = { platform, fetch, random: Math.random };
  return {
    deliver_webhook: (payload) => deliver(deps, (payload as { delivery_id: string }).delivery_id),
    prune_webhook_deliveries: () =>
      pruneDeliveries(db, new Date(now().getTime() - config.retention.deliveryDays * DAY_MS)),
  };
}
