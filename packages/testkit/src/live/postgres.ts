import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAbandonedClusters, startEmbeddedPostgres } from '@parley/server/storage';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
  }
}

/** Of tests that start a Postgres, and kill its owner: they come back to it soon. */
const TEMPORARY = { prefixes: ['parley-test-', 'parley-embedded-', 'parley-process-'], idleMs: 30 * 60_000 };

/** One real Postgres for all test files; each makes a database of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PARLEY_TEST_DATABASE_URL;
  if (given) {
    project.provide('databaseUrl', given);
    return async () => {};
  }
  await removeAbandonedClusters(tmpdir(), TEMPORARY);
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
