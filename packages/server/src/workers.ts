import type pg from 'pg';
import type { Logger } from 'pino';

const BEAT_MS = 5_000;
const DEAD_AFTER = '30 seconds';

/**
 * Says every few seconds that these workers live, and takes back the jobs of those that have stopped saying so. A node
 * that was killed would otherwise keep its jobs locked, and their queues with them, for the four hours of
 * graphile-worker. A node that was merely slow may then do a job twice, which jobs must bear anyway.
 */
export async function watchWorkers(
  pool: pg.Pool,
  workers: ReadonlySet<string>,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const beat = async () => {
    await pool.query(
      `insert into job_workers select unnest($1::text[]), now()
       on conflict (worker_id) do update set seen_at = excluded.seen_at`,
      [[...workers]],
    );
    await releaseDead(pool);
  };
  let beating = beat();
  await beating;
  const timer = setInterval(() => {
    beating = beat().catch((error: unknown) => log.warn({ err: error }, 'jobs: the workers could not be registered'));
  }, BEAT_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await beating;
      await pool
        .query('delete from job_workers where worker_id = any($1::text[])', [[...workers]])
        .catch((error: unknown) => log.warn({ err: error }, 'jobs: the workers could not be signed off'));
    },
  };
}

/** Time is the database's, the same for all nodes. A lock younger than that may be of a worker not registered yet. */
export async function releaseDead(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with gone as (delete from job_workers where seen_at < now() - interval '${DEAD_AFTER}'),
    locks as (
      select locked_by, locked_at from graphile_worker._private_jobs
      union all select locked_by, locked_at from graphile_worker._private_job_queues),
    dead as (
      select distinct locked_by from locks
      where locked_at < now() - interval '${DEAD_AFTER}' and not exists (
        select from job_workers where worker_id = locked_by and seen_at >= now() - interval '${DEAD_AFTER}'))
    select graphile_worker.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`);
}
