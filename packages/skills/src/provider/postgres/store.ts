import { setTimeout as pause } from 'node:timers/promises';
import { startJobRunner } from '@parley/base/node';
import { run as runJobs, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { CANCELLED, type ExecutionStore, type Executions, type RunExecution, STOPPING } from '../execution.ts';
import { WakeUps } from '../wake-ups.ts';
import { SILENT } from './log.ts';
import { createReporter } from './reporter.ts';
import { begin, find, findEnded, insert, report, settle, tidy } from './rows.ts';
import { JOBS, migrate, SCHEMA } from './schema.ts';

export interface PostgresStoreOptions {
  /** An address that starts with postgres://. */
  readonly url: string;
  /** How many executions of a skill run at a time in this process. 10 by default. */
  readonly concurrency?: number;
  /**
   * How often an execution may start. 3 by default. Only one whose process died starts again. With 1 it is reported as
   * failed instead, for handlers that must not do anything twice.
   */
  readonly attempts?: number;
  /** How long an ended execution is kept. A day by default. */
  readonly keepMs?: number;
  /** A process without a heartbeat for this long counts as dead. 30 seconds by default. */
  readonly leaseMs?: number;
  /** How long `close` waits for running executions. 5 seconds by default. */
  readonly graceMs?: number;
  readonly onError?: (error: unknown) => void;
}

const WATCH_MS = 1_000;
const DAY_MS = 86_400_000;

/** Keeps executions in Postgres and runs them with graphile-worker, so they survive the process (SI-5). */
export function createPostgresStore(options: PostgresStoreOptions): ExecutionStore {
  return { open: (skillId, run) => open(options, skillId, run) };
}

async function open(options: PostgresStoreOptions, skillId: string, run: RunExecution): Promise<Executions> {
  const { url, concurrency = 10, attempts = 3, keepMs = DAY_MS, leaseMs = 30_000, graceMs = 5_000 } = options;
  const { onError = () => {} } = options;
  const pool = new pg.Pool({ connectionString: url, max: concurrency + 6 });
  pool.on('error', onError);
  await migrate(pool);
  const task = `skill:${skillId}`;
  const wakeUps = new WakeUps();
  const running = new Map<string, AbortController>();

  const end: Executions['settle'] = async (id, result) => {
    await settle(pool, id, result);
    if (result.status === 'cancelled') running.get(id)?.abort(CANCELLED);
    wakeUps.notify(id);
  };

  const execute = async (payload: unknown) => {
    const { id } = payload as { id: string };
    const execution = await begin(pool, id);
    if (execution === undefined) return;
    if (execution.attempt > attempts) {
      return end(id, { status: 'failed', error: { code: 'EXECUTION_FAILED', details: { reason: 'interrupted' } } });
    }
    const controller = new AbortController();
    running.set(id, controller);
    const tell = createReporter(async (progress) => {
      const goesOn = await report(pool, id, progress).catch(() => true);
      if (!goesOn) controller.abort(CANCELLED);
    });
    try {
      const result = await run(execution, { signal: controller.signal, report: tell });
      // The execution has not ended: the job fails, and the next process takes it up.
      if (controller.signal.reason === STOPPING) throw STOPPING;
      await end(id, result);
    } finally {
      running.delete(id);
    }
  };

  const workers = await startJobRunner<WorkerEvents>({
    database: pool,
    schema: JOBS,
    workersTable: `${SCHEMA}.workers`,
    leaseMs,
    start: (events) =>
      runJobs({
        pgPool: pool,
        schema: JOBS,
        taskList: { [task]: execute },
        concurrency,
        events,
        logger: SILENT,
        noHandleSignals: true,
        pollInterval: 1_000,
      }),
    onProblem: (problem, error) => onError(error ?? new Error(`graphile-worker: ${problem}`)),
  });
  const watch = startWatch(onError, async (turn) => {
    if (running.size > 0) {
      for (const id of await findEnded(pool, [...running.keys()])) running.get(id)?.abort(CANCELLED);
    }
    if (turn % Math.max(1, Math.floor(leaseMs / 6 / WATCH_MS)) !== 0) return;
    await tidy(pool, skillId, keepMs);
  });

  return {
    add: (execution) => insert(pool, { skillId, task }, execution),
    find: (id, callerId) => find(pool, skillId, { id, callerId }),
    settle: end,
    ended: (id, ms) => wakeUps.wait(id, ms),
    close: async () => {
      const stopping = workers.stop();
      const grace = new AbortController();
      await Promise.race([stopping, pause(graceMs, undefined, { signal: grace.signal }).catch(() => {})]);
      grace.abort();
      for (const controller of running.values()) controller.abort(STOPPING);
      await stopping;
      await watch.stop();
      await pool.end();
    },
  };
}

function startWatch(onError: (error: unknown) => void, look: (turn: number) => Promise<void>) {
  let turn = 0;
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    // A slow query must not be overtaken by the next.
    looking ??= look(++turn)
      .catch(onError)
      .finally(() => {
        looking = undefined;
      });
  }, WATCH_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}
