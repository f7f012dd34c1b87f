import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Database } from './tables.ts';

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export interface Storage {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly url: string;
  close(): Promise<void>;
}

const INT8 = 20;

/** Opens the pool. It does not ask the database anything yet. */
export function openStorage(url: string, poolSize = 10): Storage {
  const types = {
    getTypeParser: ((oid: number, format?: 'text') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({ connectionString: url, max: poolSize, types, pipeline: true });
  // An idle connection that the server closes is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  // The same holds for one in use that is lost between two queries of a transaction: the next query fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, url, close: () => db.destroy() };
}

/** Brings the schema up to date. If several nodes start at once, one does it and the others wait. */
export async function migrate({ db }: Storage): Promise<string[]> {
  const applied: string[] = [];
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migrate})`.execute(trx);
    await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
      trx,
    );
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(trx);
    const done = new Set(rows.map((row) => row.name));
    for (const [name, text] of Object.entries(MIGRATIONS)) {
      if (done.has(name)) continue;
      await sql.raw(text).execute(trx);
      await sql`insert into migrations (name) values (${name})`.execute(trx);
      applied.push(name);
    }
  });
  return applied;
}

/** Were all migrations that this server knows applied? A node of a newer version may have applied more. */
export async function isMigrated(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const done = new Set(rows.map((row) => row.name));
  return Object.keys(MIGRATIONS).every((name) => done.has(name));
}
