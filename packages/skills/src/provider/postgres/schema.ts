import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { SILENT } from './log.ts';

/** The jobs have a schema of their own, so that no other worker takes these jobs and we release none of theirs. */
export const JOBS = 'parley_skill_jobs';
export const SCHEMA = 'parley_skills';

/** Two providers that start at once would otherwise both create it. */
const LOCK = 7_304_002;

const TABLES = `
  create schema if not exists ${SCHEMA};
  create table if not exists ${SCHEMA}.executions (
    id uuid primary key,
    skill_id text not null,
    caller_id text not null,
    idempotency_key text,
    digest text not null,
    status text not null default 'accepted'
      check (status in ('accepted', 'running', 'completed', 'failed', 'cancelled')),
    -- Text, not jsonb: outputs stay as they are, NUL characters included.
    work text not null,
    attempt integer not null default 0,
    progress double precision,
    message text,
    output text,
    output_bytes bytea,
    error text,
    created_at timestamptz not null default now(),
    deadline timestamptz not null,
    ended_at timestamptz,
    unique (skill_id, caller_id, idempotency_key)
  );
  create index if not exists executions_ended on ${SCHEMA}.executions (ended_at) where ended_at is not null;
  create index if not exists executions_open on ${SCHEMA}.executions (deadline) where ended_at is null;
  create table if not exists ${SCHEMA}.workers (worker_id text primary key, seen_at timestamptz not null);
`;

export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    try {
      await client.query(TABLES);
      await runMigrations({ pgPool: pool, schema: JOBS, logger: SILENT });
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK]);
    }
  } finally {
    client.release();
  }
}
