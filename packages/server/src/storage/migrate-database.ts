import { PATIENT_LIMITS } from './client.ts';
import { openStorage } from './database.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { migrateJobs } from './migrate-jobs.ts';

/** Does what a server does first when it starts, as a separate step. Returns the migrations that were applied. */
export async function migrateDatabase(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const applied = await migrate(url, options);
  options.signal?.throwIfAborted();
  const storage = openStorage(url, 1, PATIENT_LIMITS);
  try {
    await migrateJobs(storage.pool);
    return applied;
  } finally {
    await storage.close();
  }
}
