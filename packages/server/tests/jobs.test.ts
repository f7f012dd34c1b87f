import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { jobs, migrateJobs, startJobs } from '../src/jobs.ts';
import { migrate, openStorage } from '../src/storage/database.ts';
import { createDatabase } from './harness/server.ts';

it('TR-6 a worker that loses the database while it ends a job is replaced, and the job is done', async () => {
  const printed = vi.spyOn(console, 'trace').mockImplementation(() => {});
  const database = await createDatabase();
  const storage = openStorage(database.url, 5);
  await migrate(storage);
  await migrateJobs(storage.pool);
  const rename = (from: string, to: string) =>
    sql.raw(`alter table graphile_worker.${from} rename to ${to}`).execute(storage.db);
  const done: string[] = [];
  const tasks = {
    // The worker cannot say that the job is done, as if the database had gone away in between.
    lose: () => rename('_private_jobs', 'lost').then(() => void done.push('lose')),
    next: async () => void done.push('next'),
  };
  const lost = vi.fn();
  const running = await startJobs(storage.pool, {
    tasks,
    schedule: [],
    log: pino({ level: 'silent' }),
    concurrency: 1,
  });
  running.events.on('worker:fatalError', lost);
  try {
    await jobs.add(storage.db, 'lose', {}, { maxAttempts: 1 });
    await vi.waitFor(() => expect(lost).toHaveBeenCalledTimes(1), 10_000);
    await rename('lost', '_private_jobs');
    await jobs.add(storage.db, 'next', {});
    await vi.waitFor(() => expect(done).toEqual(['lose', 'next']), 20_000);
  } finally {
    await running.stop();
    await storage.close();
    await database.drop();
    printed.mockRestore();
  }
});
