import { EventEmitter } from 'node:events';
import { type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { SILENT } from './log.ts';
import { JOBS, SCHEMA } from './schema.ts';

export interface WorkersOptions {
  readonly pool: pg.Pool;
  readonly tasks: TaskList;
  readonly concurrency: number;
  /** A worker that was not heard of for so long is dead. */
  readonly leaseMs: number;
  readonly onError: (error: unknown) => void;
}

export interface Workers {
  /** Starts new ones where they were lost. */
  revive(): Promise<void>;
  /** Says that these live, and takes the jobs of dead ones back. */
  beat(): Promise<void>;
  stop(): Promise<void>;
}

/** It sets this exit code when it sees anyone's migration in the same database, also of another schema, and stops. */
const MIGRATED = 57;

/** Those of graphile-worker, replaced when they are lost: it does not do that itself. */
export async function startWorkers({ pool, tasks, concurrency, leaseMs, onError }: WorkersOptions): Promise<Workers> {
  const ids = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  events.on('worker:create', ({ worker }) => ids.add(worker.workerId));
  const start = () =>
    run({
      pgPool: pool,
      schema: JOBS,
      taskList: tasks,
      concurrency,
      events,
      logger: SILENT,
      noHandleSignals: true,
      pollInterval: 1_000,
    });
  let runner: Runner | undefined;
  let stopped = false;

  const lose = (lost: Runner) => {
    if (stopped || runner !== lost) return;
    runner = undefined;
    ids.clear();
    if (process.exitCode === MIGRATED) process.exitCode = 0;
  };
  const revive = async () => {
    if (runner !== undefined || stopped) return;
    const started = await start();
    runner = started;
    started.promise.catch(onError).finally(() => lose(started));
  };
  events.on('worker:fatalError', ({ error }) => {
    onError(error);
    const lost = runner;
    if (lost === undefined) return;
    lose(lost);
    void lost.stop().catch(() => {});
  });

  const beat = async () => {
    await pool.query(
      `insert into ${SCHEMA}.workers select unnest($1::text[]), now()
       on conflict (worker_id) do update set seen_at = excluded.seen_at`,
      [[...ids]],
    );
    await releaseDead(pool, leaseMs);
  };
  await revive();
  await beat();
  return {
    revive,
    beat,
    stop: async () => {
      stopped = true;
      await runner?.stop().catch(() => {});
      await pool.query(`delete from ${SCHEMA}.workers where worker_id = any($1::text[])`, [[...ids]]).catch(onError);
    },
  };
}

/**
 * By the database's clock. A lock younger than the lease may belong to a worker that has not been registered yet. One
 * that was merely slow finds its job done twice, which at-least-once allows; the first end counts.
 */
async function releaseDead(pool: pg.Pool, leaseMs: number): Promise<void> {
  await pool.query(
    `with lease as (select now() - $1 * interval '1 millisecond' as start),
     gone as (delete from ${SCHEMA}.workers using lease where seen_at < lease.start),
     dead as (
       select distinct locked_by from ${JOBS}._private_jobs, lease
       where locked_at < lease.start
         and not exists (select from ${SCHEMA}.workers where worker_id = locked_by and seen_at >= lease.start))
     select ${JOBS}.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`,
    [leaseMs],
  );
}
