import { EventEmitter } from 'node:events';
import { run, runMigrations, type TaskList, type WorkerEvents, Logger as WorkerLogger } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Db, Trx } from './storage/database.ts';
import { watchWorkers } from './workers.ts';

/** Work that survives a restart. */
export interface Jobs {
  add(trx: Db | Trx, task: string, payload: object, options?: JobOptions): Promise<void>;
}
export interface JobOptions {
  /** One job per key: adding it again replaces one that has not begun. */
  readonly key?: string;
  readonly runAt?: Date;
  readonly maxAttempts?: number;
  readonly queue?: string;
}

export const jobs: Jobs = {
  add: async (trx, task, payload, { key, runAt, maxAttempts, queue } = {}) => {
    await sql`select graphile_worker.add_job(${task}, payload := ${JSON.stringify(payload)}::json,
      job_key := ${key ?? null}, run_at := ${runAt ?? null}, max_attempts := ${maxAttempts ?? null},
      queue_name := ${queue ?? null})`.execute(trx);
  },
};

export function migrateJobs(pgPool: pg.Pool): Promise<void> {
  return runMigrations({ pgPool });
}

export interface JobsOptions {
  readonly tasks: TaskList;
  /** Lines of a crontab. */
  readonly schedule: readonly string[];
  readonly log: Logger;
}

export interface RunningJobs {
  readonly events: WorkerEvents;
  /** Waits for those that have begun. */
  stop(): Promise<void>;
}

export async function startJobs(pgPool: pg.Pool, { tasks, schedule, log }: JobsOptions): Promise<RunningJobs> {
  const logger = new WorkerLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ job: message });
  });
  const events: WorkerEvents = new EventEmitter();
  const workers = new Set<string>();
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId));
  const runner = await run({
    pgPool,
    taskList: tasks,
    crontab: schedule.join('\n'),
    events,
    logger,
    // More than there are cores: most jobs wait for somebody's endpoint.
    concurrency: 8,
    noHandleSignals: true,
    pollInterval: 1_000,
  });
  const watch = await watchWorkers(pgPool, workers, log);
  return {
    events,
    stop: async () => {
      await runner.stop();
      await watch.stop();
    },
  };
}
