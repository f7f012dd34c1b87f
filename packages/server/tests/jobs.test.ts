import { until } from '@parley/testkit/until';
import { runMigrations } from 'graphile-worker';
import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeEach, expect, it, vi } from 'vitest';
import { type JobsOptions, jobs, type RunningJobs, startJobs } from '../src/jobs.ts';
import { openStorage, type Storage } from '../src/storage/database.ts';
import { migrate } from '../src/storage/migrate.ts';
import { migrateJobs } from '../src/storage/migrate-jobs.ts';
import { createDatabase } from './harness/server.ts';

let storage: Storage;
let running: RunningJobs | undefined;
let done: string[];
beforeEach(async () => {
  const printed = vi.spyOn(console, 'trace').mockImplementation(() => {});
  const database = await createDatabase();
  storage = openStorage(database.url, 5);
  await migrate(storage.url);
  await migrateJobs(storage.pool);
  done = [];
  return async () => {
    await running?.stop();
    running = undefined;
    await storage.close();
    await database.drop();
    printed.mockRestore();
  };
});

const start = async (tasks: JobsOptions['tasks']): Promise<RunningJobs> => {
  const now = () => new Date();
  running = await startJobs(storage.pool, { tasks, schedule: [], log: pino({ level: 'silent' }), now, concurrency: 1 });
  return running;
};
const next = async () => void done.push('next');

it('TR-6 a worker that loses the database while it ends a job is replaced, and the job is done', async () => {
  const rename = (from: string, to: string) =>
    sql.raw(`alter table graphile_worker.${from} rename to ${to}`).execute(storage.db);
  const lost = vi.fn();
  // The worker cannot say that the job is done, as if the database had gone away in between.
  const lose = () => rename('_private_jobs', 'lost').then(() => void done.push('lose'));
  (await start({ lose, next })).events.on('worker:fatalError', lost);
  await jobs.add(storage.db, 'lose', {}, { maxAttempts: 1 });
  await until(() => expect(lost).toHaveBeenCalled());
  await rename('lost', '_private_jobs');
  await jobs.add(storage.db, 'next', {});
  await until(() => expect(done).toEqual(['lose', 'next']));
});

it('TR-6 another queue of the same database is migrated: the workers stop, and are started again', async () => {
  const stopped = vi.fn();
  const { exitCode } = process;
  (await start({ next })).events.on('pool:gracefulShutdown', stopped);
  await jobs.add(storage.db, 'next', {});
  await until(() => expect(done).toEqual(['next']));
  await runMigrations({ pgPool: storage.pool, schema: 'another_queue' });
  await until(() => expect(stopped).toHaveBeenCalled());
  await jobs.add(storage.db, 'next', {});
  await until(() => expect(done).toEqual(['next', 'next']));
  expect(process.exitCode ?? 0).toBe(exitCode ?? 0);
});

it('OP-9 a job at a fixed time is the same job for all nodes until it runs', async () => {
  let time = new Date();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const options = { tasks: { next }, schedule: ['* * * * * next'], log: pino({ level: 'silent' }), now: () => time };
  const nodes = [await startJobs(storage.pool, options), await startJobs(storage.pool, options)];
  try {
    time = new Date(time.getTime() + 60_000);
    vi.advanceTimersByTime(10_000);
    const list = () => sql<{ key: string; revision: number }>`select key, revision from graphile_worker.jobs`;
    const once = { key: 'timetable:next', revision: 1 };
    await until(async () => expect((await list().execute(storage.db)).rows).toEqual([once]));
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    vi.useRealTimers();
  }
});
