import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The part of graphile-worker's runner that is used here. */
interface Runner {
  stop(): Promise<void>;
  /** Settles when the runner has ended. */
  readonly promise: Promise<void>;
}

/** The part of Node's `EventEmitter` that is used here: public types name nothing of Node (PK-2). */
interface Emitter {
  on(event: 'worker:create', listener: (created: { worker: { workerId: string } }) => void): unknown;
  on(event: 'worker:fatalError', listener: (failure: { error: unknown }) => void): unknown;
}

interface Database {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

export interface JobRunnerOptions<Events extends Emitter> {
  readonly database: Database;
  /** The schema of graphile-worker, which also has our table with `worker_id` and `seen_at`. */
  readonly schema: string;
  readonly workersTable: string;
  /** A worker without a heartbeat for this long counts as dead. */
  readonly leaseMs: number;
  /** Starts graphile-worker with these events. */
  start(events: Events): Promise<Runner>;
  onProblem(problem: JobProblem, error?: unknown): void;
}

/**
 * `lost`: a worker died and all are restarted. `start`: the restart failed. `heartbeat`: the heartbeat could not be
 * written.
 */
export type JobProblem = 'lost' | 'start' | 'heartbeat';

export interface JobRunner<Events extends Emitter> {
  readonly events: Events;
  /** Waits for the jobs that have begun. */
  stop(): Promise<void>;
}

const RESTART_MS = 1_000;
/** graphile-worker sets this exit code on the process when it stops by itself. */
const GAVE_UP = 57;

/**
 * Keeps the workers of graphile-worker running, and releases the jobs of workers that died.
 *
 * A worker that loses the database while it finishes a job dies and is not replaced; and all workers stop when any
 * queue of the database, even another program's, is migrated. So all are restarted as soon as one is lost.
 */
export async function startJobRunner<Events extends Emitter>(
  options: JobRunnerOptions<Events>,
): Promise<JobRunner<Events>> {
  const { start, onProblem } = options;
  const events = new EventEmitter() as Emitter as Events;
  const workers = new Set<string>();
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId));
  let runner!: Runner;
  let isStopping = false;
  let restarting: Promise<void> | undefined;

  const begin = async (): Promise<void> => {
    workers.clear();
    const begun = await start(events);
    runner = begun;
    const onEnd = (error?: unknown) => {
      if (runner === begun) replace(error);
    };
    begun.promise.then(() => onEnd(), onEnd);
  };
  const replace = (error?: unknown) => {
    if (isStopping || restarting !== undefined) return;
    onProblem('lost', error);
    restarting = restart().finally(() => {
      restarting = undefined;
    });
  };
  const restart = async (): Promise<void> => {
    // The runner may have stopped already.
    await runner.stop().catch(() => {});
    if (process.exitCode === GAVE_UP) process.exitCode = undefined;
    while (!isStopping) {
      // Migrations come one after the other, and each would stop the workers again.
      await sleep(RESTART_MS);
      try {
        return await begin();
      } catch (error) {
        onProblem('start', error);
      }
    }
  };

  await begin();
  events.on('worker:fatalError', ({ error }) => replace(error));
  const heartbeat = await startHeartbeat(options, workers);
  return {
    events,
    stop: async () => {
      isStopping = true;
      await restarting;
      // If a restart was given up, the runner has stopped already.
      await runner.stop().catch(() => {});
      await heartbeat.stop();
    },
  };
}

type Leases = Pick<JobRunnerOptions<Emitter>, 'database' | 'schema' | 'workersTable' | 'leaseMs'>;

/** Writes a heartbeat for these workers six times per lease, and releases the jobs of workers without one. */
async function startHeartbeat(options: Leases & Pick<JobRunnerOptions<Emitter>, 'onProblem'>, workers: Set<string>) {
  const { database, workersTable, leaseMs, onProblem } = options;
  const beat = async () => {
    await database.query(
      `insert into ${workersTable} select unnest($1::text[]), now()
       on conflict (worker_id) do update set seen_at = excluded.seen_at`,
      [[...workers]],
    );
    await releaseDeadWorkers(options);
  };
  await beat();
  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    // A slow heartbeat must not be overtaken by the next.
    beating ??= beat()
      .catch((error: unknown) => onProblem('heartbeat', error))
      .finally(() => {
        beating = undefined;
      });
  }, leaseMs / 6);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await beating;
      await database
        .query(`delete from ${workersTable} where worker_id = any($1::text[])`, [[...workers]])
        .catch((error: unknown) => onProblem('heartbeat', error));
    },
  };
}

/**
 * Without this, the jobs of a killed process and their queues stay locked for four hours. The clock is the database's,
 * so it is the same for everyone. A lock that is younger than the lease may belong to a worker that is not registered
 * yet. The job of a worker that was merely slow may run twice, which jobs must tolerate anyway.
 */
export async function releaseDeadWorkers({ database, schema, workersTable, leaseMs }: Leases): Promise<void> {
  await database.query(
    `with lease as (select now() - $1 * interval '1 millisecond' as start),
     gone as (delete from ${workersTable} using lease where seen_at < lease.start),
     locks as (
       select locked_by, locked_at from ${schema}._private_jobs
       union all select locked_by, locked_at from ${schema}._private_job_queues),
     dead as (
       select distinct locked_by from locks, lease
       where locked_at < lease.start
         and not exists (select from ${workersTable} where worker_id = locked_by and seen_at >= lease.start))
     select ${schema}.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`,
    [leaseMs],
  );
}
