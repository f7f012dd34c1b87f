import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@parley/server/storage';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
  }
}

/** One real Postgres for all test files; each makes a database of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PARLEY_TEST_DATABASE_URL;
  if (given) {
    project.provide('databaseUrl', given);
    return async () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  // Run as root, Postgres is another user, who has to get through.
  chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder);
  project.provide('databaseUrl', postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
