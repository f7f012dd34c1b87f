import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase, removeAbandonedClusters, startEmbeddedPostgres } from '@parley/server/storage';
import type { TestProject } from 'vitest/node';
import { addDatabase, runStatement } from './database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
    /** The name of a migrated database that nobody is connected to, as a template for copies. */
    templateDatabase: string;
  }
}

/** Folders of tests that start a Postgres and kill its owner, and soon use the folder again. */
const TEMPORARY = { prefixes: ['parley-test-', 'parley-embedded-', 'parley-process-'], idleMs: 30 * 60_000 };

/** Starts one real Postgres for all test files; each creates a database of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PARLEY_TEST_DATABASE_URL;
  const postgres = given ? { url: given, stop: async () => {} } : await startPostgres();
  project.provide('databaseUrl', postgres.url);
  const name = `test_template_${randomBytes(6).toString('hex')}`;
  const template = await addDatabase(postgres.url, name);
  await migrateDatabase(template.url);
  project.provide('templateDatabase', name);
  return async () => {
    await template.drop();
    await postgres.stop();
  };
}

async function startPostgres() {
  await removeAbandonedClusters(tmpdir(), TEMPORARY);
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  // If we run as root, Postgres is another user, who needs access to the folder.
  chmodSync(folder, 0o711);
  const { url, stop } = await startEmbeddedPostgres(folder);
  // Nobody needs this data after a crash, so nothing has to wait for the disk: creating and dropping a database did, for a
  // second each.
  for (const statement of [
    'alter role current_user set synchronous_commit = off',
    'alter system set fsync = off',
    'alter system set full_page_writes = off',
    'select pg_reload_conf()',
  ])
    await runStatement(url, statement);
  return { url, stop: () => stop().finally(() => rmSync(folder, { recursive: true, force: true })) };
}
