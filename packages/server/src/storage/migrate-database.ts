import { migrate, openStorage } from './database.ts';
import { migrateJobs } from './migrate-jobs.ts';

/** Does what a server does first when it starts, as a separate step. */
export async function migrateDatabase(url: string): Promise<void> {
  const storage = openStorage(url);
  await migrate(storage);
  await migrateJobs(storage.pool);
  await storage.close();
}
