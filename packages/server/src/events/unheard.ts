import { toTimedId } from '@parley/base';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../storage/database.ts';
import { type Bus, keyOf, type Wake } from './bus.ts';

/** How often it looks whether or not a node was lost. */
const EVERY_MS = 10_000;
/** What the lost node was committing at that moment can be seen a little later. */
export const AGAIN_MS = 1_000;
const TICK_MS = 500;
/** How far back it looks: what is older was looked at before. */
const BACK_MS = 20_000;
const OVERLAP_MS = 10_000;
/** A node whose clock is less behind is looked for with all others. */
const NEAR_MS = 60_000;
/** The other keys are woken in portions, because each of them asks the database. */
const PORTION = 100;
const PAUSE_MS = 50;

interface Deps {
  readonly db: Db;
  readonly bus: Bus;
  readonly log: Logger;
  readonly elapsed: () => number;
}

/**
 * Wakes whoever waits on this node for something that was stored but never told, because its node died in between (TR-3):
 * when a node is lost, and now and then anyway. One query serves all of them, and it reads what is recent, so neither the
 * number of sockets nor that of conversations matters.
 */
export function watchForUnheard({ db, bus, log, elapsed }: Deps): { close(): Promise<void> } {
  let looked = elapsed();
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let closed = false;

  const look = async (): Promise<void> => {
    const began = elapsed();
    const back = Math.max(BACK_MS, began - looked + OVERLAP_MS);
    try {
      const keys = bus.keys();
      bus.wakeHere([...(await findRecent(db, keys, back)), ...(await findEndedSessions(db, keys))]);
      looked = began;
    } catch (error) {
      log.warn({ err: error }, 'unheard messages could not be looked for, trying again');
    }
  };
  const start = (): void => {
    if (running !== undefined) isAskedAgain = true;
    else if (!closed) {
      running = look().finally(() => {
        running = undefined;
        if (!isAskedAgain) return;
        isAskedAgain = false;
        start();
      });
    }
  };
  /** Agents are watched by their owners, and budgets may have changed. */
  const wakeOthers = async (): Promise<void> => {
    const others = bus.keys().filter((key) => recipientOf(key) === undefined && sessionOf(key) === undefined);
    for (let from = 0; from < others.length && !closed; from += PORTION) {
      bus.wakeHere(others.slice(from, from + PORTION).map((key) => ({ key })));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const stopListening = bus.onNodeLost(() => {
    start();
    setTimeout(start, AGAIN_MS).unref();
    void wakeOthers();
  });
  let wokeOthers = elapsed();
  const timer = setInterval(() => {
    if (elapsed() - looked >= EVERY_MS) start();
    if (elapsed() - wokeOthers < EVERY_MS) return;
    wokeOthers = elapsed();
    void wakeOthers();
  }, TICK_MS);
  timer.unref();
  return {
    close: async () => {
      closed = true;
      clearInterval(timer);
      stopListening();
      await running;
    },
  };
}

interface Found {
  readonly kind: 'human' | 'agent';
  readonly id: string;
  /** Absent for events. */
  readonly conversation: string | null;
  readonly up_to: number | null;
}

/** Finds what came within the last `back` milliseconds for these keys. */
async function findRecent(db: Db, keys: readonly string[], back: number): Promise<Wake[]> {
  const recipients = keys.map(recipientOf).filter((one) => one !== undefined);
  if (recipients.length === 0) return [];
  const idsOf = (kind: 'human' | 'agent') => recipients.filter((one) => one.kind === kind).map(({ id }) => id);
  const { rows: clocks } = await sql<{ now: Date; behind: number[] }>`
    select clock_timestamp() as now, coalesce(array_agg(distinct clock_behind_ms::float8), '{}') as behind
    from socket_nodes`.execute(db);
  const { now, behind } = clocks[0]!;
  const since = new Date(now.getTime() - back);
  // The ids of messages begin with the time at which their node made them, and have an index. Where a node's clock is far
  // behind, only as much is read around its time as around ours: what is between the two was looked at before.
  const idAt = (ms: number) => toTimedId(new Date(ms), new Uint8Array(16));
  const far = behind.filter((ms) => ms > NEAR_MS);
  const near = idAt(since.getTime() - Math.max(0, ...behind.filter((ms) => ms <= NEAR_MS)));
  const froms = far.map((ms) => idAt(since.getTime() - ms - OVERLAP_MS));
  const untils = far.map((ms) => idAt(now.getTime() - ms + OVERLAP_MS));
  const { rows } = await sql<Found>`
    with fresh as (
        select conversation_id, seq from messages where id >= ${near}
      union all
        select m.conversation_id, m.seq from unnest(${froms}::uuid[], ${untils}::uuid[]) as span (from_id, until_id)
        join messages m on m.id >= span.from_id and m.id <= span.until_id),
      recent as (select conversation_id, max(seq) as seq from fresh group by conversation_id)
    select m.member_kind as kind, m.member_id as id, r.conversation_id as conversation, r.seq as up_to
    from recent r join members m on m.conversation_id = r.conversation_id and m.left_at is null
    where m.member_kind = 'human' and m.member_id = any(${idsOf('human')}::uuid[])
      or m.member_kind = 'agent' and m.member_id = any(${idsOf('agent')}::uuid[])
    union all
    select distinct e.recipient_kind, e.recipient_id, null::uuid, null::bigint from events e
    where e.created_at >= ${since} and (
      e.recipient_kind = 'human' and e.recipient_id = any(${idsOf('human')}::uuid[])
      or e.recipient_kind = 'agent' and e.recipient_id = any(${idsOf('agent')}::uuid[]))
    union all
    select distinct m.member_kind, m.member_id, null::uuid, null::bigint from conversation_events e
    join members m on m.conversation_id = e.conversation_id and m.left_at is null
    where e.created_at >= ${since} and (
      m.member_kind = 'human' and m.member_id = any(${idsOf('human')}::uuid[])
      or m.member_kind = 'agent' and m.member_id = any(${idsOf('agent')}::uuid[]))`.execute(db);
  return rows.map(({ kind, id, conversation, up_to }) => {
    const key = keyOf[kind](id);
    return conversation === null ? { key, about: 'events' } : { key, about: conversation, upTo: up_to! };
  });
}

/** Finds the login sessions that have ended, of those in whose name a connection is still open here. */
async function findEndedSessions(db: Db, keys: readonly string[]): Promise<Wake[]> {
  const sessions = keys.map(sessionOf).filter((id) => id !== undefined);
  if (sessions.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${sessions}::uuid[]) as open (id)
    where not exists (select from sessions s where s.id = open.id and s.revoked_at is null)`.execute(db);
  return rows.map(({ id }) => ({ key: keyOf.session(id) }));
}

function sessionOf(key: string): string | undefined {
  const id = key.slice(2);
  return keyOf.session(id) === key ? id : undefined;
}

function recipientOf(key: string): { readonly kind: 'human' | 'agent'; readonly id: string } | undefined {
  const id = key.slice(2);
  for (const kind of ['human', 'agent'] as const) if (keyOf[kind](id) === key) return { kind, id };
  return undefined;
}
