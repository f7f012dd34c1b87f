import { type JobProblem, type JobRunner, releaseDeadWorkers, startJobRunner } from '@parley/base/node';
import { run, type TaskList, type WorkerEvents, Logger as WorkerLogger } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Db, Trx } from './storage/database.ts';
import { startTimetable } from './timetable.ts';

/** Runs work that survives a restart. */
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

export interface JobsOptions {
  readonly tasks: TaskList;
  /** Lines of a crontab. */
  readonly schedule: readonly string[];
  readonly log: Logger;
  readonly now: () => Date;
  /** By default more than there are cores, because most jobs wait for somebody's endpoint. */
  readonly concurrency?: number;
}

export type RunningJobs = JobRunner<WorkerEvents>;

const LEASES = { schema: 'graphile_worker', workersTable: 'job_workers', leaseMs: 30_000 };
const PROBLEMS: Readonly<Record<JobProblem, string>> = {
  lost: 'jobs: a worker was lost, starting all of them again',
  start: 'jobs: the workers cannot be started, trying again',
  heartbeat: 'jobs: the workers could not be registered',
};

/** The nodes notice a time within seconds of each other; until then, what they add is the same job. */
const GATHER_MS = 30_000;

export async function startJobs(
  pgPool: pg.Pool,
  { tasks, schedule, log, now, concurrency = 8 }: JobsOptions,
): Promise<RunningJobs> {
  const logger = new WorkerLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ job: message });
  });
  const options = { pgPool, taskList: tasks, crontab: '', logger, concurrency, noHandleSignals: true };
  const runner = await startJobRunner<WorkerEvents>({
    ...LEASES,
    database: pgPool,
    start: (events) => run({ ...options, events, pollInterval: 1_000 }),
    onProblem: (problem, error) => log.warn({ err: error }, PROBLEMS[problem]),
  });
  const timetable = startTimetable({
    lines: schedule,
    now,
    add: async (task, due) => {
      await pgPool.query(ADD_DUE, [task, `timetable:${task}`, new Date(due.getTime() + GATHER_MS)]);
    },
    onProblem: (error) => log.warn({ err: error }, 'jobs: what is due could not be added, trying again'),
  });
  return {
    events: runner.events,
    stop: async () => {
      await timetable.close();
      await runner.stop();
    },
  };
}

const ADD_DUE = 'select graphile_worker.add_job($1, job_key := $2, queue_name := $2, run_at := $3)';

export const releaseDead = (pool: pg.Pool) => releaseDeadWorkers({ ...LEASES, database: pool });
