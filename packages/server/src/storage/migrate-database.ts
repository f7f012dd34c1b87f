import { migrate, openStorage } from './database.ts';
import { migrateJobs } from './migrate-jobs.ts';

/** What a server does first when it starts, as a step of its own. */
export async function migrateDatabase(url: string): Promise<void> {
  const storage = openStorage(url);
  await migrate(storage);
  await migrateJobs(storage.pool);
  await storage.close();
}
