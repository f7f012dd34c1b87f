import type { Duplex } from 'node:stream';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { DatabaseLimits } from '../config.ts';
import { judgeSchema, type SchemaState } from './needs.ts';
import type { Database } from './tables.ts';

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

/** By default (OP-9). */
export const DATABASE_LIMITS: DatabaseLimits = { connectMs: 10_000, statementMs: 15_000, idleTransactionMs: 30_000 };

/** An idle connection whose other end is gone ends within half a minute: Node then asks ten times, once a second. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** In seconds, except the last, which is in milliseconds and counts while something has been sent. */
const SERVER_KEEP_ALIVE = {
  tcp_keepalives_idle: '2',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '5000',
};

/**
 * Asks the database to give this session up within five seconds, and its locks with it, when our machine has died or is cut
 * off. By default it would wait for hours. Each one on its own, since not every system has all of them.
 */
export async function askToKeepAlive(client: pg.Client): Promise<void> {
  for (const setting of Object.entries(SERVER_KEEP_ALIVE))
    await client.query('select set_config($1, $2, false)', setting).catch((error: { code?: string }) => {
      // Refused by the database is one thing, a connection that does not answer another.
      if (error.code === undefined) throw error;
    });
}

/** Answers with the process of the connection, too. */
export const SET_LIMITS = `select set_config('statement_timeout', $1, false),
  set_config('idle_in_transaction_session_timeout', $2, false), pg_backend_pid() as pid`;

/** The server ends a statement that takes too long; only if it says nothing for longer, this end gives its connection up. */
export const silenceOf = ({ statementMs }: DatabaseLimits) => (statementMs === 0 ? SILENT_MS : statementMs + DARK_MS);

/** Ends a connection without a word to the other end, which may not hear it. */
export function destroyConnection(client: pg.PoolClient | pg.Client): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection;
  stream.destroy();
}

export interface Storage {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly url: string;
  close(): Promise<void>;
}

const INT8 = 20;
const DARK_MS = 1_000;
/**
 * For statements without a limit. An index is built, and a large backup is checked, without a word; a host that has died is
 * noticed by KEEP_ALIVE long before.
 */
const SILENT_MS = 6 * 3_600_000;
const CLOSE_MS = 2_000;

/** Opens the pool. It does not ask the database anything yet. Without limits it waits for as long as it takes. */
export function openStorage(url: string, poolSize = 10, limits?: DatabaseLimits): Storage {
  const types = {
    getTypeParser: ((oid: number, format?: 'text') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    pipeline: true,
    ...KEEP_ALIVE,
    ...(limits && {
      connectionTimeoutMillis: limits.connectMs,
      // In a pipeline it closes the connection, so that nobody else gets one that is dark.
      query_timeout: silenceOf(limits),
    }),
  });
  // An idle connection that the server closes is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  // The same holds for one in use that is lost between two queries of a transaction: the next query fails.
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', () => {});
    client.once('end', () => clients.delete(client));
    // Not by the connection's parameters: a pooler between us and the database may refuse those it does not know.
    if (limits !== undefined) {
      client.query(SET_LIMITS, [String(limits.statementMs), String(limits.idleTransactionMs)]).catch(() => {});
    }
  });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    // Kysely ends only a pool that it has used.
    const closed = db.destroy().then(() => (pool.ending ? undefined : pool.end()));
    // A connection that has gone dark does not answer to a good-bye either.
    const timer = setTimeout(() => clients.forEach(destroyConnection), CLOSE_MS);
    await closed.finally(() => clearTimeout(timer));
  };
  return { db, pool, url, close };
}

export async function checkSchema(db: Db): Promise<SchemaState> {
  const { rows } = await sql<{ name: string; needs: string | null }>`select name, needs from migrations`.execute(db);
  return judgeSchema(rows);
}
