import { parseGuardedUrl } from '@parley/guarded-fetch';
import { sql } from 'kysely';
import { deliveryEnd, dropWebhook, queueDelivery, scheduleAgent, wakeWebhooks } from '../events/webhook-outbox.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { guardPolicy } from './policy.ts';
import { checkSecret, makeSecret, sealSecret } from './secret.ts';
import type { WebhookRow } from './store.ts';

/** The webhook as it is now, and its secret if the server made it: it is shown only this once. */
export interface Changed {
  readonly webhook: WebhookRow;
  readonly secret?: string;
}

/** Sets the address; the secret stays, unless another is given. */
export async function putWebhook(
  platform: Platform,
  agentId: string,
  { url, secret: given }: { readonly url: string; readonly secret?: string },
): Promise<Changed> {
  const parsed = parseGuardedUrl(guardPolicy(platform.config), url);
  if (parsed === undefined) throw new RequestError('WEBHOOK_URL_INVALID');
  parsed.hash = '';
  const { made, sealed } = prepareSecret(platform, agentId, given);
  const now = platform.now();
  const unknown = { failing_since: null, failing_status: null, failing_error: null };
  const fresh = { url: parsed.href, failures: 0, paused_until: null, ...unknown, updated_at: now };
  const replaced = given === undefined ? {} : { secret: sealed, previous_secret: null, previous_until: null };
  const webhook = await platform.db
    .insertInto('webhooks')
    .values({ agent_id: agentId, secret: sealed, created_at: now, ...fresh })
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet({ ...fresh, ...replaced }))
    .returningAll()
    .executeTakeFirstOrThrow();
  // If two requests set it for the first time at once, only one made the secret that counts.
  return { webhook, ...(made !== undefined && webhook.secret === sealed ? { secret: made } : {}) };
}

export async function rotateSecret(
  platform: Platform,
  agentId: string,
  { overlapSeconds, secret: given }: { readonly overlapSeconds: number; readonly secret?: string },
): Promise<Changed> {
  const { made, sealed } = prepareSecret(platform, agentId, given);
  const now = platform.now();
  const webhook = await platform.db
    .updateTable('webhooks')
    .set((row) => ({
      secret: sealed,
      previous_secret: row.ref('secret'),
      previous_until: new Date(now.getTime() + overlapSeconds * 1_000),
      updated_at: now,
    }))
    .where('agent_id', '=', agentId)
    .returningAll()
    .executeTakeFirst();
  if (webhook === undefined) throw new RequestError('NOT_FOUND');
  return { webhook, ...(made === undefined ? {} : { secret: made }) };
}

/** Removes the webhook; waiting deliveries are not sent any more. */
export async function removeWebhook({ db }: Platform, agentId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await dropWebhook(trx, agentId))) throw new RequestError('NOT_FOUND');
    await trx.updateTable('agents').set({ unreachable_since: null }).where('id', '=', agentId).execute();
  });
}

export async function sendPing(platform: Platform, agentId: string): Promise<string> {
  const id = await platform.db.transaction().execute(async (trx) => {
    await endPause(trx, agentId);
    return queueDelivery(trx, platform, { agentId, type: 'ping', payload: {} });
  });
  wakeWebhooks(platform.bus);
  return id;
}

/** Sends it again under the same id: a receiver that has handled it will not handle it again (TR-6). */
export async function redeliver(platform: Platform, agentId: string, deliveryId: string): Promise<void> {
  await platform.db.transaction().execute(async (trx) => {
    await endPause(trx, agentId);
    const { numUpdatedRows } = await trx
      .updateTable('webhook_deliveries')
      .set({
        status: 'pending',
        attempts: 0,
        next_at: sql`now()`,
        delivered_at: null,
        expires_at: deliveryEnd,
      })
      .where('id', '=', deliveryId)
      .where('agent_id', '=', agentId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new RequestError('NOT_FOUND');
    await scheduleAgent(trx, agentId);
  });
  wakeWebhooks(platform.bus);
}

/** Someone asked for a delivery, so it is attempted at once, whatever failed before. */
async function endPause(trx: Trx, agentId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('webhooks')
    .set({ failures: 0, paused_until: null })
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new RequestError('NOT_FOUND');
}

function prepareSecret({ config }: Platform, agentId: string, given: string | undefined) {
  // It is compared with undefined, so that an empty secret is refused.
  if (given !== undefined) checkSecret(given);
  const made = given === undefined ? makeSecret() : undefined;
  return { made, sealed: sealSecret(config.storageSecret, agentId, given ?? made!) };
}
