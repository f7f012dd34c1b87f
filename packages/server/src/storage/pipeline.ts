import type { Writable } from 'node:stream';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Trx } from './database.ts';
import type { Database } from './tables.ts';

/** A statement that is prepared once on each connection, under its name. */
interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs statements; each is sent without waiting for the answers to those before it. */
export interface Pipe {
  query<Row>(statement: Statement): Promise<Row[]>;
}

/** A transaction that costs as many round trips as it has decisions, not statements. */
export interface PipedTransaction extends Pipe {
  /** Returns the same transaction for code that uses Kysely. */
  trx(): Trx;
  /** Sent right after the statements; without it they are rolled back. */
  commit(): Promise<void>;
}

export async function pipeTransaction<Result>(
  pool: pg.Pool,
  work: (transaction: PipedTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let isDone = false;
  let error: unknown;
  gather(client);
  const begun = client.query('begin');
  begun.catch(() => {});
  try {
    return await work({
      query: (statement) => {
        gather(client);
        return run(client, statement);
      },
      trx: () => speakKysely(client),
      commit: async () => {
        gather(client);
        // Postgres answers a commit of a failed transaction with a rollback.
        const [, { command }] = await Promise.all([begun, client.query('commit')]);
        isDone = true;
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
      },
    });
  } finally {
    if (!isDone) {
      await client.query('rollback').catch((reason: unknown) => {
        error = reason;
      });
    }
    client.release(error !== undefined);
  }
}

/**
 * Waits for statements of one transaction that were sent together. Fails as the first of them did: those behind it fail only
 * because of it.
 */
export async function settleInOrder<Results extends readonly unknown[]>(
  sent: Results,
): Promise<{ -readonly [At in keyof Results]: Awaited<Results[At]> }> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
  return Promise.all(sent);
}

/** Sends the statements of one turn as one packet: waking the database for each costs as much as the statement. */
function gather(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Returns a pipe for statements outside of a transaction. */
export function pipeOf(pool: pg.Pool): Pipe {
  return { query: (statement) => run(pool, statement) };
}

async function run<Row>(client: pg.Pool | pg.PoolClient, { name, text, values }: Statement): Promise<Row[]> {
  const { rows } = await client.query({ name, text, values: [...values] });
  return rows as Row[];
}

function speakKysely(client: pg.PoolClient): Trx {
  const held = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient;
  const dialect = new PostgresDialect({ pool: { connect: async () => held, end: async () => {} } });
  return new Kysely<Database>({ dialect }) as Trx;
}
