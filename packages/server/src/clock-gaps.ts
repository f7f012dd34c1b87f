import { sql } from 'kysely';
import type { Db, Trx } from './storage/database.ts';

/**
 * Time that no clock was seen to go through: one that was behind was set right, or nobody looked. What bears a time before
 * it may be as young as its end.
 */
export interface ClockGap {
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Longer than anything is kept: a message may be for 3,650 days. */
const KEPT_DAYS = 4_000;

export async function listClockGaps(db: Db | Trx): Promise<ClockGap[]> {
  const { rows } = await sql<{ began_at: Date; ended_at: Date }>`select began_at, ended_at from clock_gaps`.execute(db);
  return rows.map((row) => ({ beganAt: row.began_at.getTime(), endedAt: row.ended_at.getTime() }));
}

/** With those that it touches it becomes one: a node says again and again that its clock is behind. */
export async function noteClockGap(db: Db | Trx, { beganAt, endedAt }: ClockGap): Promise<void> {
  const [began, ended] = [new Date(beganAt), new Date(endedAt)];
  await sql`with gone as (
      delete from clock_gaps where began_at <= ${ended} and ended_at >= ${began} returning began_at, ended_at)
    insert into clock_gaps (began_at, ended_at)
      select least(${began}::timestamptz, min(began_at)), greatest(${ended}::timestamptz, max(ended_at)) from gone`.execute(
    db,
  );
}

/** Forgets what lies ahead of a clock that was set back, and what is too old to matter. */
export async function trimClockGaps(db: Db | Trx, now: Date): Promise<void> {
  await sql`delete from clock_gaps
    where began_at >= ${now} or ended_at < ${now}::timestamptz - ${KEPT_DAYS} * interval '1 day'`.execute(db);
  await sql`update clock_gaps set ended_at = ${now} where ended_at > ${now}`.execute(db);
}

/** The time since which so much time was seen to pass. */
export function stepBack(now: number, ms: number, gaps: readonly ClockGap[]): number {
  let left = ms;
  let time = now;
  for (const { beganAt, endedAt } of [...gaps].sort((one, other) => other.endedAt - one.endedAt)) {
    const seen = Math.max(0, time - endedAt);
    if (seen >= left) break;
    left -= seen;
    time = Math.min(time, beganAt);
  }
  return time - left;
}
