import { existsSync } from 'node:fs';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@parley/server/storage';
import type { Settings } from './environment.ts';
import { secretsFile } from './secrets.ts';

/** Has a server ever run with these settings? Creates nothing to find out. */
export function hasData({ dataDir, databaseUrl }: Settings): boolean {
  return databaseUrl !== undefined || existsSync(secretsFile(dataDir));
}

/**
 * Runs `work` on the database of a server: that of a running server, or one that is started for it and stopped
 * afterwards.
 */
export async function withDatabase<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  const running = settings.databaseUrl ?? findEmbeddedPostgres(settings.dataDir);
  if (running !== undefined) return work(running);
  const postgres = await startEmbeddedPostgres(settings.dataDir);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}
