import { existsSync } from 'node:fs';
import { findEmbeddedPostgres, StartFailure, startEmbeddedPostgres } from '@parley/server/storage';
import type { Settings } from './environment.ts';
import { refuse } from './refusal.ts';
import { secretsFile } from './secrets.ts';

/** Has a server ever run with these settings? Nothing is made to find out. */
export function hasData({ dataDir, databaseUrl }: Settings): boolean {
  return databaseUrl !== undefined || existsSync(secretsFile(dataDir));
}

/** For work on the database beside the server: on a running one, or one that is started for it and stopped again. */
export async function withDatabase<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  const running = settings.databaseUrl ?? findEmbeddedPostgres(settings.dataDir);
  if (running !== undefined) return work(running);
  const postgres = await startEmbeddedPostgres(settings.dataDir).catch((error: unknown) => {
    throw error instanceof StartFailure ? refuse(error.code, error.params) : error;
  });
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}
