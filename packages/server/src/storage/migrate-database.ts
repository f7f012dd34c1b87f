import { migrate, openStorage } from './database.ts';
import { migrateJobs } from './migrate-jobs.ts';

/** Does what a server does first when it starts, as a separate step. A migration may take as long as it needs. */
export async function migrateDatabase(url: string): Promise<void> {
  const storage = openStorage(url);
  try {
    await migrate(storage);
    await migrateJobs(storage.pool);
  } finally {
    await storage.close();
  }
}
