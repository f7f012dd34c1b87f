import type { Socket } from 'node:net';
import pg from 'pg';
import type { DatabaseLimits } from '../config.ts';
import { DATABASE_LIMITS, destroyConnection, KEEP_ALIVE, SET_LIMITS, silenceOf } from './database.ts';

export interface ClientOptions {
  readonly limits?: DatabaseLimits;
  /** Ends the work: what the database does for it is cancelled, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * For what takes as long as there is data: migrations, backups. A `COPY` lasts while a disk takes what was read, and a
 * transaction may be idle meanwhile.
 */
export const PATIENT_LIMITS: DatabaseLimits = { connectMs: 10_000, statementMs: 0, idleTransactionMs: 0 };
/** For a word to a database that may not hear it. */
const BRIEF_LIMITS: DatabaseLimits = { connectMs: 1_000, statementMs: 1_000, idleTransactionMs: 1_000 };
const CLOSE_MS = 1_000;

export interface OpenClient {
  readonly client: pg.Client;
  /** The number of its process in Postgres. */
  readonly pid: number;
  close(): Promise<void>;
}

/** One connection, for whoever has no pool. It is given up where the database goes dark (OP-9). */
export async function openClient(url: string, limits: DatabaseLimits): Promise<OpenClient> {
  const { connectMs, statementMs, idleTransactionMs } = limits;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs, ...KEEP_ALIVE });
  // Lost between two statements, it fails the next one; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const stream = socketOf(client).setTimeout(connectMs, () => destroyConnection(client));
    // Not by the connection's parameters: a pooler between us and the database may refuse those it does not know.
    const { rows } = await client.query(SET_LIMITS, [String(statementMs), String(idleTransactionMs)]);
    stream.setTimeout(silenceOf(limits));
    return { client, pid: rows[0].pid, close: () => end(client) };
  } catch (error) {
    destroyConnection(client);
    throw error;
  }
}

/** Runs the work on one connection, which is closed afterwards. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  { limits = DATABASE_LIMITS, signal }: ClientOptions = {},
): Promise<Result> {
  const { client, pid, close } = await abortable(openClient(url, limits), signal);
  let cancelling: Promise<void> | undefined;
  const onAbort = () => {
    cancelling = cancel(url, pid).finally(() => destroyConnection(client));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(client);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await cancelling;
    await close();
  }
}

/** What comes of it later is closed. */
async function abortable(opening: Promise<OpenClient>, signal: AbortSignal | undefined): Promise<OpenClient> {
  const aborted = new Promise<never>((_, reject) => {
    const fail = () => reject(signal?.reason);
    if (signal?.aborted) fail();
    signal?.addEventListener('abort', fail, { once: true });
    void opening.catch(() => {}).then(() => signal?.removeEventListener('abort', fail));
  });
  try {
    return await Promise.race([opening, aborted]);
  } catch (error) {
    opening.then(({ close }) => close()).catch(() => {});
    throw error;
  }
}

const socketOf = (client: pg.Client) =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

async function end(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroyConnection(client), CLOSE_MS);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

/** Otherwise the database would go on with a statement that nobody waits for, and keep its locks. */
async function cancel(url: string, pid: number): Promise<void> {
  await withClient(url, (client) => client.query('select pg_cancel_backend($1)', [pid]), {
    limits: BRIEF_LIMITS,
  }).catch(() => {});
}
