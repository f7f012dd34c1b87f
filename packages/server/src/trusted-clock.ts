import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import { type ClockGap, listClockGaps, noteClockGap, stepBack, trimClockGaps } from './clock-gaps.ts';
import type { Platform } from './platform.ts';

/** How far two clocks may be apart, and how far one may go wrong between two readings. */
export const TOLERANCE_MS = 5 * 60_000;
/** Some node reads it every ten minutes. After a longer gap nobody knows whether time has passed or the clock was set. */
const MAX_GAP_MS = 60 * 60_000;
/** How long a clock that has jumped must go without another jump, so that someone can set it right. */
const STEADY_MS = 60 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * The clock of retention (OP-13). What is deleted cannot be had again, so it must not hang on a clock that is wrong for a
 * moment: it is believed while those of node and database agree and neither has jumped within the last hour.
 */
export interface TrustedClock {
  /** Notes what the clocks say, so that whatever they do from now on is noticed. */
  look(): Promise<void>;
  /** Resolves with undefined while the clock is not believed; the log and the metrics say why. */
  read(): Promise<TrustedTime | undefined>;
}

export interface TrustedTime {
  readonly now: Date;
  /** The time since which so many days were seen to pass: what was stored while a clock was behind is not old. */
  before(days: number): Date;
}

/**
 * Whether the database's clock is believed at this moment, for what needs no exact time: some node has read it within the
 * last hour, and it has gone steadily for as long.
 */
export const isClockBelieved = sql<boolean>`exists (
  select from clock_readings
  where read_at between now() - ${MAX_GAP_MS} * interval '1 millisecond' and now() + ${TOLERANCE_MS} * interval '1 millisecond'
    and steady_since <= now() - ${STEADY_MS} * interval '1 millisecond')`;

/** One look at all clocks, in milliseconds. */
export interface ClockReading {
  readonly node: number;
  readonly database: number;
  /** Of this node's monotonic clock. */
  readonly elapsed: number;
}

export interface ClockHistory {
  /** The last reading of this process, if it has made one. */
  readonly own?: ClockReading | undefined;
  /** The database's clock when some node last read it, and since when it has not jumped. */
  readonly shared?: { readonly readAt: number; readonly steadySince: number } | undefined;
}

export type ClockVerdict = { readonly steadySince: number; readonly unseen?: ClockGap | undefined } & (
  | { readonly now: Date }
  | { readonly reason: 'disagree' | 'jumped' | 'settling' }
);

export function judgeClock({ own, shared }: ClockHistory, reading: ClockReading): ClockVerdict {
  const { node, database, elapsed } = reading;
  const gap = shared === undefined ? 0 : database - shared.readAt;
  const drift = own === undefined ? 0 : database - own.database - (elapsed - own.elapsed);
  const isUnknown = own === undefined && gap > MAX_GAP_MS;
  const forward = isUnknown ? gap : drift;
  const unseen = forward > TOLERANCE_MS ? { beganAt: database - forward, endedAt: database } : undefined;
  const since = { steadySince: database, unseen };
  if (Math.abs(node - database) > TOLERANCE_MS) return { ...since, reason: 'disagree' };
  if (shared === undefined) return { ...since, reason: 'settling' };
  if (Math.abs(drift) > TOLERANCE_MS || gap < -TOLERANCE_MS || isUnknown) return { ...since, reason: 'jumped' };
  const { steadySince } = shared;
  if (database - steadySince < STEADY_MS) return { steadySince, reason: 'settling' };
  // The earlier of the two deletes less.
  return { steadySince, now: new Date(Math.min(node, database)) };
}

/**
 * Calls back when the clock was set forward since the last look. Between two readings of retention one may go back and come
 * right again, which neither of them sees.
 */
export function createJumpWatch({ now, elapsed }: Clock, onForward: (gap: ClockGap) => void): { look(): void } {
  let offset = now().getTime() - elapsed();
  return {
    look: () => {
      const time = now().getTime();
      const forward = time - elapsed() - offset;
      offset += forward;
      if (forward > TOLERANCE_MS) onForward({ beganAt: time - forward, endedAt: time });
    },
  };
}

export function createTrustedClock({ db, now, elapsed, log, metrics }: Platform): TrustedClock {
  let own: ClockReading | undefined;
  const judge = () =>
    db.transaction().execute(async (trx) => {
      await sql`lock table clock_readings in share row exclusive mode`.execute(trx);
      const { rows } = await sql<{ database: Date; read_at: Date | null; steady_since: Date | null }>`
        select clock_timestamp() as database, read_at, steady_since
        from (select 1) as one left join clock_readings on true`.execute(trx);
      const { database, read_at: readAt, steady_since: since } = rows[0]!;
      const reading = { node: now().getTime(), database: database.getTime(), elapsed: elapsed() };
      const shared =
        readAt === null || since === null ? undefined : { readAt: readAt.getTime(), steadySince: since.getTime() };
      const verdict = judgeClock({ own, shared }, reading);
      own = reading;
      await trimClockGaps(trx, database);
      if (verdict.unseen !== undefined) await noteClockGap(trx, verdict.unseen);
      await sql`insert into clock_readings (read_at, steady_since)
        values (${database}, ${new Date(verdict.steadySince)})
        on conflict (only_row) do update set read_at = excluded.read_at, steady_since = excluded.steady_since
        `.execute(trx);
      return { ...verdict, gaps: await listClockGaps(trx) };
    });
  return {
    look: async () => {
      await judge();
    },
    read: async () => {
      const verdict = await judge();
      if ('now' in verdict) {
        const { now, gaps } = verdict;
        return { now, before: (days) => new Date(stepBack(now.getTime(), days * DAY_MS, gaps)) };
      }
      metrics.distrustedClocks.inc({ reason: verdict.reason });
      const level = verdict.reason === 'settling' ? 'info' : 'warn';
      log[level]({ reason: verdict.reason }, 'retention: nothing is deleted until the clock can be believed');
      return undefined;
    },
  };
}
