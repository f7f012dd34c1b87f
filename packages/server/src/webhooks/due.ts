import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a time has come, by the clock of the database that wrote it. One that is further ahead than anything is ever put
 * off was written while that clock was wrong, and has come, too (OP-13).
 */
export function isDue(column: string, longestMs: number): RawBuilder<boolean> {
  const time = sql.ref(column);
  return sql`(${time} <= now() or ${time} > now() + ${longestMs} * interval '1 millisecond')`;
}
