import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { serverError } from '../../errors.ts';
import { openClient, PATIENT_LIMITS } from '../client.ts';
import { copyOut } from './copy.ts';
import {
  CHECKSUMS,
  type Checksums,
  FORMAT,
  JOBS,
  KEYSTORES,
  MANIFEST,
  type Manifest,
  partPath,
  SECRETS,
  tableFolder,
} from './format.ts';
import { quote, readMigrations, readSequences, readTables } from './schema.ts';
import { ARCHIVE_END, packEntry } from './tar.ts';

export interface DumpOptions {
  readonly version: string;
  readonly now: Date;
  /** The text of secrets.json, if it is to be included. */
  readonly secrets?: string;
  /** Reads the keystores to be included, by path, once the database was read: it knows no newer keys than they do. */
  readonly readKeystores?: () => Promise<Readonly<Record<string, string>>>;
}

const PART_BYTES = 4 * 1024 * 1024;

/** Jobs are stored by their meaning, because the library's private tables change with its version. */
const SELECT_JOBS = `
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts - j.attempts, j.key, j.priority
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.attempts < j.max_attempts order by j.id`;

/** Dumps everything as of one moment, while the server runs: one snapshot, read in one transaction. */
export function dumpDatabase(url: string, destination: Writable, options: DumpOptions): Promise<void> {
  return pipeline(Readable.from(pack(url, options), { objectMode: false }), createGzip(), destination);
}

async function* pack(url: string, { version, now, secrets, readKeystores }: DumpOptions): AsyncGenerator<Buffer> {
  const checksums: Record<string, string> = {};
  const add = (path: string, content: Buffer): Buffer => {
    checksums[path] = createHash('sha256').update(content).digest('hex');
    return packEntry({ path, content }, now);
  };
  const { client, close } = await openClient(url, PATIENT_LIMITS);
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const manifest = await describe(client, version, now);
    yield add(MANIFEST, toJson(manifest));
    for (const { name, columns } of manifest.tables) {
      const text = `copy ${quote(name)} (${columns.map(quote).join(', ')}) to stdout`;
      for await (const [path, content] of parts(copyOut(client, text), tableFolder(name))) yield add(path, content);
    }
    if (await hasJobs(client)) {
      const rows = copyOut(client, `copy (${SELECT_JOBS}) to stdout`);
      for await (const [path, content] of parts(rows, JOBS)) yield add(path, content);
    }
    await client.query('commit');
  } finally {
    await close();
  }
  if (secrets !== undefined) yield add(SECRETS, Buffer.from(secrets));
  for (const [path, text] of Object.entries((await readKeystores?.()) ?? {})) {
    yield add(`${KEYSTORES}${path}`, Buffer.from(text));
  }
  yield packEntry({ path: CHECKSUMS, content: toJson(checksums satisfies Checksums) }, now);
  yield ARCHIVE_END;
}

async function describe(client: pg.Client, version: string, now: Date): Promise<Manifest> {
  const migrations = await readMigrations(client);
  if (migrations.length === 0) throw serverError('DATABASE_EMPTY');
  return {
    format: FORMAT,
    parley_version: version,
    created_at: now.toISOString(),
    migrations,
    tables: await readTables(client),
    sequences: await readSequences(client),
  };
}

async function hasJobs(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('graphile_worker._private_jobs') is not null as there`);
  return rows[0].there;
}

async function* parts(rows: AsyncIterable<Buffer>, folder: string): AsyncGenerator<[string, Buffer]> {
  let gathered: Buffer[] = [];
  let size = 0;
  let part = 0;
  for await (const chunk of rows) {
    gathered.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield [partPath(folder, part++), Buffer.concat(gathered)];
    gathered = [];
    size = 0;
  }
  if (size > 0) yield [partPath(folder, part), Buffer.concat(gathered)];
}

const toJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
