import { type FetchErrorCode, type GuardedFetch, isFetchError } from '@parley/guarded-fetch';
import { classifyNetworkFailure } from '@parley/protocol';
import { sql } from 'kysely';
import type { Recipient } from '../events/events.ts';
import { DELIVERY_LIFETIME_MS } from '../events/webhook-outbox.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { bodyOf } from './body.ts';
import { nextAttempt, pauseAfter } from './schedule.ts';
import { openWithAny } from './secret.ts';
import { signDelivery } from './sign.ts';
import { type Attemptable, type DeliveryChange, findAttemptable, updateAttempted } from './store.ts';

export interface DeliveryDeps {
  readonly platform: Platform;
  readonly fetch: GuardedFetch;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Cuts attempts off, because the server stops. They do not count, and are made by whoever looks next. */
  readonly signal: AbortSignal;
}

/** `later`: nothing is sent to this endpoint for a while. `tookMs`: how long it took to answer, if it was asked. */
export type Outcome = { readonly next: 'now' | 'later'; readonly tookMs?: number };

/**
 * Makes one attempt at a delivery (TR-5, TR-6) and notes when to make the next; it fails only if the database does. An
 * endpoint that failed a moment ago is left alone, which does not count as an attempt.
 */
export async function deliver(deps: DeliveryDeps, deliveryId: string): Promise<Outcome> {
  const { platform } = deps;
  const delivery = await findAttemptable(platform.db, deliveryId);
  if (delivery === undefined) return { next: 'now' };
  const { url, secret } = delivery;
  const body = bodyOf(delivery);
  if (url === null || secret === null || !delivery.allowed || body === undefined) {
    const last_error = !delivery.allowed ? 'AGENT_INACTIVE' : body === undefined ? 'MESSAGE_GONE' : 'WEBHOOK_REMOVED';
    await updateAttempted(platform.db, delivery, { status: 'failed', last_error, next_at: null });
    return { next: 'now' };
  }
  if (delivery.is_paused && delivery.expires_at > delivery.read_at) return { next: 'later' };
  const began = performance.now();
  const answer = await attempt(deps, delivery, { url, secret, body });
  if (answer === undefined) return { next: 'later' };
  const tookMs = Math.round(performance.now() - began);
  platform.metrics.deliveries.inc({ outcome: answer.ok ? 'delivered' : 'failed' });
  await record(deps, delivery, { ...answer, tookMs });
  return { next: answer.ok ? 'now' : 'later', tookMs };
}

interface Answer {
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: string | null;
}

/** The codes that owners read in the log of deliveries. */
const LAST_ERRORS: Readonly<Record<FetchErrorCode, string>> = {
  FETCH_BLOCKED: 'ADDRESS_BLOCKED',
  FETCH_REDIRECT_REFUSED: 'REDIRECT_REFUSED',
  FETCH_TIMEOUT: 'TIMEOUT',
  FETCH_UNREACHABLE: 'UNREACHABLE',
};

async function attempt(
  deps: DeliveryDeps,
  delivery: Attemptable,
  { url, secret, body }: { readonly url: string; readonly secret: string; readonly body: string },
): Promise<Answer | undefined> {
  const { id, agent_id: agentId } = delivery;
  const now = deps.platform.now();
  const secrets = openSecrets(deps.platform, delivery, secret, now);
  if (secrets === undefined) return { ok: false, status: null, error: 'SECRET_UNREADABLE' };
  const timestamp = Math.floor(now.getTime() / 1_000);
  const signed = signDelivery({ agentId, deliveryId: id, timestamp, body, secrets });
  const headers = { 'content-type': 'application/json', 'user-agent': 'Parley-Webhooks/1', ...signed };
  try {
    const { status } = await deps.fetch(url, { method: 'POST', headers, body, signal: deps.signal });
    const ok = status >= 200 && status < 300;
    return { ok, status, error: ok ? null : 'STATUS' };
  } catch (error) {
    if (deps.signal.aborted) return undefined;
    if (!isFetchError(error)) throw error;
    // Which of the reasons it is decides what the owner has to do: a name, a certificate, a program that is not running.
    const reason = error.code === 'FETCH_UNREACHABLE' ? classifyNetworkFailure(error) : undefined;
    return { ok: false, status: null, error: reason?.toUpperCase() ?? LAST_ERRORS[error.code] };
  }
}

/** Returns undefined if the server's storage secret is not the one they were sealed under. */
function openSecrets(
  { config, log }: Platform,
  { agent_id: agentId, previous_secret: previous, previous_until: previousUntil }: Attemptable,
  current: string,
  now: Date,
): [string, ...string[]] | undefined {
  const overlaps = previous !== null && previousUntil !== null && previousUntil > now;
  const opened = (overlaps ? [current, previous] : [current]).map((sealed) => openWithAny(config, agentId, sealed));
  const [first, ...others] = opened.filter((secret) => secret !== undefined);
  if (first !== undefined && opened[0] === first) return [first, ...others];
  log.error({ agent_id: agentId }, 'webhooks: a secret cannot be opened with this storage secret');
  return undefined;
}

const GONE = 410;

async function record(
  { platform, random }: DeliveryDeps,
  delivery: Attemptable,
  answer: Answer & { readonly tookMs: number },
): Promise<void> {
  const { id, agent_id: agentId, expires_at: expiresAt, is_clock_believed: believed } = delivery;
  const now = new Date(delivery.read_at.getTime() + answer.tookMs);
  const attempts = delivery.attempts + 1;
  const change = { attempts, last_status: answer.status, last_error: answer.error, next_at: null };
  const next = answer.status === GONE ? undefined : nextAttempt({ attempts, now, expiresAt, believed }, random());

  const told = answer.ok
    ? await noteSuccess(platform, delivery, answer.status!)
    : await platform.db.transaction().execute(async (trx): Promise<Recipient[]> => {
        const finish = (end: DeliveryChange) => updateAttempted(trx, delivery, { ...change, ...end });
        const isPresent = await noteFailure(trx, delivery, { now, answer });
        if (next !== undefined) {
          await finish({ next_at: next, ...(believed ? { expires_at: endOf(expiresAt, now) } : {}) });
          return [];
        }
        if (!(await finish({ status: 'failed' })) || !isPresent) return [];
        if (!(await markUnreachable(trx, agentId, now))) return [];
        const owner: Recipient[] = [{ kind: 'human', id: delivery.owner_id }];
        const payload = { agent_id: agentId, since: now.toISOString() };
        await platform.events.store(trx, owner, 'agent.unreachable', payload, delivery.owner_id);
        return owner;
      });
  platform.events.wake(told);
  const attempted = {
    delivery_id: id,
    event_type: delivery.event_type,
    attempt: attempts,
    status: answer.status,
    error: answer.error,
    took_ms: answer.tookMs,
  };
  if (answer.ok) platform.agentEvents.record(agentId, { type: 'webhook.delivered', ...attempted });
  else if (next === undefined) platform.agentEvents.record(agentId, { type: 'webhook.given_up', ...attempted });
  else
    platform.agentEvents.record(agentId, { type: 'webhook.failed', ...attempted, next_attempt_at: next.toISOString() });
}

/** An end that is further ahead than a delivery lives was written while the database's clock was wrong. */
function endOf(expiresAt: Date, now: Date): Date {
  return new Date(Math.min(expiresAt.getTime(), now.getTime() + DELIVERY_LIFETIME_MS));
}

/** Is the webhook still the one that was asked? What an earlier one answered says nothing about it. */
const isSame = ({ agent_id: agentId, url, webhook_updated_at: updatedAt }: Attemptable) =>
  sql<boolean>`webhooks.agent_id = ${agentId} and webhooks.url = ${url} and webhooks.updated_at = ${updatedAt}`;

/**
 * One statement, because most attempts succeed. Nobody is told of it. The webhook first, as whoever deletes it locks them: what
 * a statement refers to is carried out before the row is. What ends after the webhook was changed counts as before it.
 */
async function noteSuccess({ db, now }: Platform, delivery: Attemptable, status: number): Promise<Recipient[]> {
  const { id, agent_id: agentId, attempts, expires_at: expiresAt } = delivery;
  const at = now();
  await sql`with calm as (
      update webhooks set failures = 0, paused_until = null,
        failing_since = null, failing_status = null, failing_error = null
      where ${isSame(delivery)} and (failures > 0 or paused_until is not null or failing_since is not null)
      returning 1),
    reached as (
      update agents set unreachable_since = null where id = ${agentId} and unreachable_since is not null
        and exists (select 1 from webhooks where ${isSame(delivery)}))
    update webhook_deliveries set status = 'delivered', attempts = attempts + 1,
      delivered_at = coalesce((select least(${at}::timestamptz, updated_at - interval '1 millisecond')
        from webhooks where agent_id = ${agentId} and not (${isSame(delivery)})), ${at}),
      last_status = ${status}, last_error = null, next_at = null
    where id = ${id} and attempts = ${attempts} and expires_at = ${expiresAt} and status = 'pending'
      and (select count(*) from calm) >= 0`.execute(db);
  return [];
}

/** Returns false if the webhook was changed meanwhile. */
async function noteFailure(
  trx: Trx,
  delivery: Attemptable,
  { now, answer }: { readonly now: Date; readonly answer: Answer },
): Promise<boolean> {
  const { rows } = await sql<{ failures: number }>`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${now}),
      failing_status = ${answer.status}, failing_error = ${answer.error}
    where ${isSame(delivery)} returning failures`.execute(trx);
  const [row] = rows;
  if (row === undefined) return false;
  const until = new Date(now.getTime() + pauseAfter(row.failures));
  await trx.updateTable('webhooks').set({ paused_until: until }).where('agent_id', '=', delivery.agent_id).execute();
  return true;
}

/** Returns false if it is known already. */
async function markUnreachable(trx: Trx, agentId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('agents')
    .set({ unreachable_since: now })
    .where('id', '=', agentId)
    .where('unreachable_since', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
