import type { TaskList } from 'graphile-worker';
import { wakeWebhooks } from '../events/webhook-outbox.ts';
import type { Platform } from '../platform.ts';
import { scheduleDelivery } from './store.ts';

export function createWebhookTasks(platform: Platform): TaskList {
  const { bus, db } = platform;
  return {
    // Nodes of the version before add a job for each delivery. It only hands it over, so that no worker waits for somebody's
    // endpoint (OP-4).
    deliver_webhook: async (payload) => {
      await scheduleDelivery(db, (payload as { delivery_id: string }).delivery_id);
      wakeWebhooks(bus);
    },
  };
}
