import { webhookRoutes as routes } from '@parley/protocol';
import { findAllowed } from '../agents/access.ts';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { requireRoomForDelivery } from '../budgets/waiting-deliveries.ts';
import type { Caller } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { type Changed, putWebhook, redeliver, removeWebhook, rotateSecret, sendPing } from './settings.ts';
import { findOutcomes, findWebhook, listDeliveries } from './store.ts';
import { toWireDelivery, toWireWebhook } from './wire.ts';

export function registerWebhooks(router: Router, platform: Platform): void {
  const { db } = platform;
  const findOwn = (caller: Caller, params: { agent_id: string }) =>
    findAllowed(db, { caller, agentId: params.agent_id, roles: ['owner'] });
  const own = async (caller: Caller, params: { agent_id: string }): Promise<string> =>
    (await findOwn(caller, params)).agentId;

  const describe = async (changed: Changed) => {
    const { unreachable_since: unreachableSince } = await db
      .selectFrom('agents')
      .select('unreachable_since')
      .where('id', '=', changed.webhook.agent_id)
      .executeTakeFirstOrThrow();
    const outcomes = await findOutcomes(db, changed.webhook);
    return toWireWebhook({ ...changed, ...outcomes, unreachableSince, now: platform.now() });
  };

  router.add(routes.putWebhook, async ({ caller, params, body }) =>
    describe(await putWebhook(platform, await own(caller, params), body)),
  );

  router.add(routes.getWebhook, async ({ caller, params }) => {
    const webhook = await findWebhook(db, await own(caller, params));
    if (webhook === undefined) throw new RequestError('NOT_FOUND');
    return describe({ webhook });
  });

  router.add(routes.deleteWebhook, async ({ caller, params }) => {
    await removeWebhook(platform, await own(caller, params));
    return null;
  });

  router.add(routes.rotateWebhook, async ({ caller, params, body: { overlap_seconds = 0, ...body } }) => {
    const agentId = await own(caller, params);
    return describe(await rotateSecret(platform, agentId, { ...body, overlapSeconds: overlap_seconds }));
  });

  router.add(routes.testWebhook, async ({ caller, params }) => {
    const { agentId, ownerId } = await findOwn(caller, params);
    await requireRoomForDelivery(platform, ownerId);
    await platform.budgets.reserveBytes(ownerId, ROW_BYTES.delivery);
    return { delivery_id: await sendPing(platform, agentId) };
  });

  router.add(routes.listDeliveries, async ({ caller, params, query }) => {
    const { rows, last } = await listDeliveries(db, { ...query, agentId: await own(caller, params) });
    return { deliveries: rows.map(toWireDelivery), next_cursor: last?.id ?? null };
  });

  router.add(routes.redeliver, async ({ caller, params }) => {
    const { agentId, ownerId } = await findOwn(caller, params);
    await requireRoomForDelivery(platform, ownerId);
    await redeliver(platform, agentId, params.delivery_id);
    return { delivery_id: params.delivery_id };
  });
}
