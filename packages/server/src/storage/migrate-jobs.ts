import { runMigrations } from 'graphile-worker';
import type pg from 'pg';

/** Brings the tables of the job queue up to date; they have a schema of their own. */
export function migrateJobs(pgPool: pg.Pool): Promise<void> {
  return runMigrations({ pgPool });
}
