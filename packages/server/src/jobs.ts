import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  type Runner,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Db, Trx } from './storage/database.ts';
import { watchWorkers } from './workers.ts';

/** Work that survives a restart. */
export interface Jobs {
  add(trx: Db | Trx, task: string, payload: object, options?: JobOptions): Promise<void>;
}
interface JobOptions {
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
  /** More than there are cores, unless told: most jobs wait for somebody's endpoint. */
  readonly concurrency?: number;
}

export interface RunningJobs {
  readonly events: WorkerEvents;
  /** Waits for those that have begun. */
  stop(): Promise<void>;
}

/** Runs them, and goes on running them: see `supervise`. */
export async function startJobs(
  pgPool: pg.Pool,
  { tasks, schedule, log, concurrency = 8 }: JobsOptions,
): Promise<RunningJobs> {
  const logger = new WorkerLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ job: message });
  });
  const events: WorkerEvents = new EventEmitter();
  const workers = new Set<string>();
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId));
  const crontab = schedule.join('\n');
  const options = { pgPool, taskList: tasks, crontab, events, logger, concurrency, noHandleSignals: true };
  const runner = await supervise(events, log, () => {
    workers.clear();
    return run({ ...options, pollInterval: 1_000 });
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

const RESTART_MS = 1_000;
/** What graphile-worker leaves as the exit code of the process when it has stopped by itself. */
const GAVE_UP = 57;

/**
 * A worker of graphile-worker that loses the database while it ends a job is gone for good, and nobody takes its place;
 * and all of them stop when any queue of the database, be it another program's, is migrated. So all are replaced as soon
 * as one is lost or they have stopped; a job's lock is released by `watchWorkers`. Where it is our own queue that has
 * become too new for us, none can be started, and that is said every time.
 */
async function supervise(
  events: WorkerEvents,
  log: Logger,
  start: () => Promise<Runner>,
): Promise<{ stop(): Promise<void> }> {
  let runner!: Runner;
  let stopping = false;
  let restarting: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    const begun = await start();
    runner = begun;
    const onEnd = () => {
      if (runner === begun) replace('jobs: the workers have stopped, starting them again');
    };
    begun.promise.then(onEnd, onEnd);
  };
  const replace = (why: string) => {
    if (stopping || restarting !== undefined) return;
    log.warn(why);
    restarting = restart().finally(() => {
      restarting = undefined;
    });
  };
  const restart = async () => {
    // It may have stopped already.
    await runner.stop().catch(() => {});
    if (process.exitCode === GAVE_UP) process.exitCode = undefined;
    while (!stopping) {
      // Migrations come one after the other, and each would stop them again.
      await setTimeout(RESTART_MS);
      try {
        return await begin();
      } catch (error) {
        log.warn({ err: error }, 'jobs: no workers, trying again');
      }
    }
  };
  await begin();
  events.on('worker:fatalError', () => replace('jobs: a worker was lost, starting all of them again'));
  return {
    stop: async () => {
      stopping = true;
      await restarting;
      // A restart that was given up has stopped it already.
      await runner.stop().catch(() => {});
    },
  };
}
