import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { serverError } from '../../errors.ts';
import { PATIENT_LIMITS, withClient } from '../client.ts';
import { openStorage } from '../database.ts';
import { migrateJobs } from '../migrate-jobs.ts';
import { MIGRATIONS } from '../migrations.ts';
import { writeMigration } from '../needs.ts';
import { isDatabaseOutage } from '../outage.ts';
import { copyIn } from './copy.ts';
import {
  CHECKSUMS,
  FORMAT,
  folderOf,
  JOBS,
  KEYSTORES,
  MANIFEST,
  type Manifest,
  SECRETS,
  tableFolder,
} from './format.ts';
import { dropAll, quote, readMigrations, readTables } from './schema.ts';
import { type Entry, unpack } from './tar.ts';

export interface Restored {
  readonly manifest: Pick<Manifest, 'created_at' | 'parley_version'>;
  /** The text of secrets.json, if it was included. */
  readonly secrets?: string;
  /** The keystores of the server's own agents, by path; none in older backups. */
  readonly keystores: Readonly<Record<string, string>>;
}

export interface RestoreOptions {
  /**
   * Puts into place what is beside the database, once the whole backup was read and checked and before the database is
   * committed. Resolves with what takes it away again.
   */
  readonly place?: (restored: Restored) => Promise<() => Promise<void>>;
}

/** Restores the whole backup or nothing, into a database that holds no data of ours. The next start migrates it. */
export async function restoreDatabase(
  url: string,
  source: Readable,
  { place = async () => async () => {} }: RestoreOptions = {},
): Promise<Restored> {
  await withClient(url, refuseOccupied, { limits: PATIENT_LIMITS });
  const storage = openStorage(url, 1, PATIENT_LIMITS);
  try {
    await migrateJobs(storage.pool);
  } finally {
    await storage.close();
  }
  return withClient(
    url,
    async (client) => {
      let takeAway = async () => {};
      try {
        await client.query('begin');
        const restored = await restoreInto(client, readEntries(source));
        takeAway = await place(restored);
        await client.query('commit');
        return restored;
      } catch (error) {
        await client.query('rollback').catch(() => {});
        // Where the answer to the commit was lost, the database may need them.
        if (!isDatabaseOutage(error)) await takeAway();
        throw explain(error);
      }
    },
    { limits: PATIENT_LIMITS },
  );
}

async function refuseOccupied(client: pg.Client): Promise<void> {
  for (const { name } of await readTables(client)) {
    const { rowCount } = await client.query(`select 1 from ${quote(name)} limit 1`);
    if (rowCount !== 0) throw serverError('DATABASE_NOT_EMPTY');
  }
}

async function restoreInto(client: pg.Client, entries: Entries): Promise<Restored> {
  const manifest = readManifest(await entries.next());
  await makeTables(client, manifest.migrations);
  const known = new Map((await readTables(client)).map(({ name, columns }) => [name, new Set(columns)]));
  const { created_at, parley_version } = manifest;
  for (const { name, columns } of manifest.tables) {
    if (!columns.every((column) => known.get(name)?.has(column))) throw serverError('BACKUP_UNREADABLE');
    const text = `copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin`;
    // What triggers count is in the backup.
    await client.query(`alter table ${quote(name)} disable trigger user`);
    await copyIn(client, text, entries.folder(tableFolder(name)));
    await client.query(`alter table ${quote(name)} enable trigger user`);
  }
  for (const { name, value } of manifest.sequences) {
    await client.query('select setval($1::regclass, $2::bigint)', [quote(name), value]);
  }
  await restoreJobs(client, entries.folder(JOBS));
  const secrets = (await entries.peek())?.path === SECRETS ? (await entries.next())?.content.toString() : undefined;
  const keystores: Record<string, string> = {};
  while ((await entries.peek())?.path.startsWith(KEYSTORES)) {
    const { path, content } = (await entries.next())!;
    keystores[path.slice(KEYSTORES.length)] = content.toString();
  }
  if ((await entries.next())?.path !== CHECKSUMS) throw serverError('BACKUP_UNREADABLE');
  return { manifest: { created_at, parley_version }, keystores, ...(secrets === undefined ? {} : { secrets }) };
}

function readManifest(entry: Entry | undefined): Manifest {
  if (entry?.path !== MANIFEST) throw serverError('BACKUP_UNREADABLE');
  const manifest: Manifest = JSON.parse(entry.content.toString());
  if (manifest.format !== FORMAT) throw serverError('BACKUP_NEWER');
  if (manifest.migrations.some((name) => !Object.hasOwn(MIGRATIONS, name))) throw serverError('BACKUP_NEWER');
  return manifest;
}

/** Replaces empty tables of another version by the tables as of the backup. */
async function makeTables(client: pg.Client, migrations: readonly string[]): Promise<void> {
  const existing = await readMigrations(client);
  if (existing.join() === migrations.join()) return;
  await dropAll(client);
  await client.query('create table migrations (name text primary key, applied_at timestamptz not null default now())');
  for (const name of migrations) {
    await client.query(writeMigration(name));
  }
}

async function restoreJobs(client: pg.Client, chunks: AsyncIterable<Buffer>): Promise<void> {
  await client.query(`create temporary table restored_jobs (identifier text, payload json, queue_name text,
    run_at timestamptz, max_attempts integer, key text, priority integer) on commit drop`);
  await copyIn(client, 'copy restored_jobs from stdin', chunks);
  await client.query(`select graphile_worker.add_job(identifier, payload := payload, queue_name := queue_name,
    run_at := run_at, max_attempts := max_attempts, job_key := key, priority := priority) from restored_jobs`);
}

interface Entries {
  peek(): Promise<Entry | undefined>;
  next(): Promise<Entry | undefined>;
  /** Yields the contents of the next entries, as long as they are in this folder. */
  folder(name: string): AsyncGenerator<Buffer>;
}

/**
 * Reads entries in order. The last one holds the checksums of all before it, so nothing is committed before it was
 * read.
 */
function readEntries(source: Readable): Entries {
  const unzipped = source.pipe(createGunzip());
  source.once('error', (error) => unzipped.destroy(error));
  const entries = unpack(unzipped);
  const sums: Record<string, string> = {};
  let ahead: Entry | undefined;
  const peek = async (): Promise<Entry | undefined> => {
    ahead ??= (await entries.next()).value ?? undefined;
    return ahead;
  };
  const next = async (): Promise<Entry | undefined> => {
    const entry = await peek();
    ahead = undefined;
    if (entry?.path === CHECKSUMS) verify(JSON.parse(entry.content.toString()), sums);
    else if (entry) sums[entry.path] = createHash('sha256').update(entry.content).digest('hex');
    return entry;
  };
  return {
    peek,
    next,
    folder: async function* (name) {
      for (let entry = await peek(); entry && folderOf(entry.path) === name; entry = await peek()) {
        await next();
        yield entry.content;
      }
    },
  };
}

function verify(expected: Record<string, string>, found: Record<string, string>): void {
  const paths = new Set([...Object.keys(expected), ...Object.keys(found)]);
  for (const path of paths) if (expected[path] !== found[path]) throw serverError('BACKUP_UNREADABLE');
}

/** What gzip, JSON or COPY cannot read is a damaged file; anything else is an unexpected error. */
function explain(error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  const isDamage = error instanceof SyntaxError || /^Z_|^ERR_STREAM_PREMATURE|^22|^23/.test(code);
  return isDamage ? serverError('BACKUP_UNREADABLE', { cause: error }) : error;
}
