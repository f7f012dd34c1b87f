import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGuardedFetch } from '@parley/guarded-fetch';
import { sql } from 'kysely';
import { keyOf } from '../events/bus.ts';
import type { Platform } from '../platform.ts';
import { deliver } from './deliver.ts';
import { isDue } from './due.ts';
import { fanOut } from './fan-out.ts';
import { createFanOutTurns } from './fan-out-turns.ts';
import { guardPolicy } from './policy.ts';
import { LONGEST_PAUSE_MS, LONGEST_WAIT_MS } from './schedule.ts';
import { createSlots, type Route } from './slots.ts';
import { listDue } from './store.ts';
import { createWaitingRoom } from './waiting-room.ts';

/**
 * Delivers to webhooks (OP-4). What waits is in the database; each node takes a few agents at a time, in turns by their
 * owners, and makes their deliveries one after the other.
 */
export interface Dispatcher {
  /** Takes no more, and finishes the attempts that have begun; those that take long are cut off, and made later. */
  close(): Promise<void>;
}

const LOOK_MS = 1_000;
/** Longer than a node keeps an agent: what a dead node had is taken by others after this time. */
const LEASE_SECONDS = 60;
/** A lease that is longer than this was taken while the database's clock was wrong. */
const LONGEST_LEASE_MS = 3_600_000;
/** An agent is released after so many deliveries or so much time, and waits for its next turn. */
const SLICE = 50;
const SLICE_MS = 2_000;
/** Less than an endpoint may take: one that never answers must not hold up a stop (OP-10). */
const CUT_OFF_MS = 3_000;
/** After so many it is looked whose turn it is: whoever comes meanwhile does not wait for the rest of a slice. */
const LISTED = 8;
/** Of one account, the most agents that are looked at to find some whose hosts have a free slot. */
const LOOKED_AT = 50;

export function startDispatcher(platform: Platform): Dispatcher {
  const { bus, config, db, log } = platform;
  // The body of the answer is ignored, and a POST is sent only to the address that its owner set.
  const fetch = createGuardedFetch({ ...guardPolicy(config), maxBytes: 1_024, timeoutMs: 10_000, maxRedirects: 0 });
  const stopping = new AbortController();
  // Each attempt listens.
  setMaxListeners(0, stopping.signal);
  const deps = { platform, fetch, random: Math.random, signal: stopping.signal };
  const slots = createSlots();
  const waitingRoom = createWaitingRoom(platform);
  const turns = createFanOutTurns();
  const draining = new Set<Promise<void>>();
  let isClosing = false;

  const drain = async ({ agent_id: agentId }: Due, { host }: Route): Promise<void> => {
    const began = performance.now();
    for (let made = 0; made < SLICE; ) {
      const due = await listDue(db, agentId, Math.min(LISTED, SLICE - made));
      for (const id of due) {
        const { next, tookMs } = await deliver(deps, id);
        if (tookMs !== undefined) slots.note(host, tookMs);
        if (next === 'later' || isClosing || performance.now() - began > SLICE_MS) return;
      }
      made += due.length;
      if (due.length < LISTED) return;
    }
  };
  const begin = (due: Due, route: Route): void => {
    const warn = (error: unknown) => log.warn({ err: error }, 'webhooks: deliveries are tried again later');
    // If it cannot be released, its lease ends.
    const drained = drain(due, route)
      .catch(warn)
      .then(() => release(platform, due.agent_id))
      .catch(warn)
      .finally(() => {
        slots.free(route);
        draining.delete(drained);
        claims.wake();
      });
    draining.add(drained);
  };
  const claimSome = async (): Promise<void> => {
    if (slots.isFull) return;
    const chosen = new Map<string, { readonly due: Due; readonly route: Route }>();
    for (const due of await listAgents(platform)) {
      const route = { accountId: due.owner_id, host: due.url === null ? '' : new URL(due.url).host };
      if (slots.take(route)) chosen.set(due.agent_id, { due, route });
      if (slots.isFull) break;
    }
    const claimed = await claim(platform, [...chosen.keys()]).catch((error: unknown) => {
      for (const { route } of chosen.values()) slots.free(route);
      throw error;
    });
    for (const [agentId, { due, route }] of chosen) {
      if (claimed.has(agentId)) begin(due, route);
      else slots.free(route);
    }
  };
  const claims = createLoop(claimSome, platform);
  const fanOuts = createLoop(async () => {
    while (!isClosing) {
      const began = performance.now();
      if (!(await fanOut(platform, waitingRoom, turns))) return;
      claims.wake();
      // Whoever wants more deliveries than can be made has half of the time, and the messages of others the rest.
      await sleep(performance.now() - began);
    }
  }, platform);

  const look = () => {
    fanOuts.wake();
    claims.wake();
  };
  const stopListening = bus.subscribe(keyOf.webhooks, look);
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  look();
  return {
    close: async () => {
      isClosing = true;
      stopListening();
      clearInterval(timer);
      const cutOff = setTimeout(() => stopping.abort(), CUT_OFF_MS);
      await Promise.all([fanOuts.close(), claims.close()]);
      await Promise.all(draining);
      clearTimeout(cutOff);
    },
  };
}

/** Runs something one at a time, and once more if it was woken meanwhile. */
function createLoop(run: () => Promise<void>, { log }: Platform) {
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;
  const loop = async (): Promise<void> => {
    while (isWoken && !isClosed) {
      isWoken = false;
      try {
        await run();
      } catch (error) {
        log.warn({ err: error }, 'webhooks: the database did not answer, trying again');
      }
    }
    running = undefined;
  };
  return {
    wake: (): void => {
      isWoken = true;
      if (!isClosed) running ??= loop();
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await running;
    },
  };
}

interface Due {
  readonly agent_id: string;
  readonly owner_id: string;
  readonly url: string | null;
}

/** Lists the agents whose deliveries are due: the first of each owner, then the second of each, and so on. */
async function listAgents({ db }: Platform): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select agent_id, owner_id, url from (
      select q.agent_id, a.owner_id, w.url, q.due_at,
        row_number() over (partition by a.owner_id order by q.due_at) as turn
      from webhook_queues q
      join agents a on a.id = q.agent_id
      left join webhooks w on w.agent_id = q.agent_id
      where ${isDue('q.due_at', LONGEST_WAIT_MS)}
        and (q.leased_until is null or ${isDue('q.leased_until', LONGEST_LEASE_MS)})) as due
    where turn <= ${LOOKED_AT} order by turn, due_at limit 1000`.execute(db);
  return rows;
}

/** Returns those that no other node has taken. */
async function claim({ db }: Platform, agentIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (agentIds.length === 0) return new Set();
  const { rows } = await sql<{ agent_id: string }>`
    update webhook_queues set leased_until = now() + ${LEASE_SECONDS} * interval '1 second'
    where agent_id in (
      select agent_id from webhook_queues where agent_id = any(${agentIds}::uuid[])
        and ${isDue('due_at', LONGEST_WAIT_MS)}
        and (leased_until is null or ${isDue('leased_until', LONGEST_LEASE_MS)}) order by agent_id for update skip locked)
    returning agent_id`.execute(db);
  return new Set(rows.map(({ agent_id }) => agent_id));
}

/**
 * Gives the agent back. If more of its deliveries are due, it waits behind the others. The row is locked first: a delivery
 * that is made at the same time is then either seen, or made after this and schedules the agent again.
 */
async function release({ db }: Platform, agentId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select 1 from webhook_queues where agent_id = ${agentId} for update`.execute(trx);
    await sql`
      update webhook_queues set leased_until = null, due_at = (
        select greatest(first.next_at, now(), (
          select paused_until from webhooks
          where agent_id = ${agentId} and not ${isDue('paused_until', LONGEST_PAUSE_MS)}))
        from (select min(next_at) as next_at from webhook_deliveries
          where agent_id = ${agentId} and status = 'pending') as first
        where first.next_at is not null)
      where agent_id = ${agentId}`.execute(trx);
  });
}
