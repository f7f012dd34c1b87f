import type pg from 'pg';
import type {
  Added,
  Execution,
  ExecutionError,
  ExecutionResult,
  InvocationRequest,
  NewExecution,
  Progress,
} from '../execution.ts';
import { JOBS, SCHEMA } from './schema.ts';

// This file has every SQL statement on executions.

const TABLE = `${SCHEMA}.executions`;
/** How often a job is tried while the database does not answer; a handler that fails is not tried again. */
const JOB_ATTEMPTS = 25;

interface Row {
  readonly id: string;
  readonly caller_id: string;
  readonly status: Execution['status'];
  readonly work: string;
  readonly attempt: number;
  readonly deadline: Date;
  readonly progress: number | null;
  readonly message: string | null;
  readonly output: string | null;
  readonly output_bytes: Buffer | null;
  readonly error: string | null;
}

/** Inserts the execution and its job, or neither. */
export async function insert(
  pool: pg.Pool,
  place: { skillId: string; task: string },
  { id, callerId, work, deadline, key, digest }: NewExecution,
): Promise<Added> {
  const { rows } = await pool.query({
    name: 'parley_skills_insert',
    text: `
      with made as (
        insert into ${TABLE} (id, skill_id, caller_id, idempotency_key, digest, work, deadline)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (skill_id, caller_id, idempotency_key) do nothing returning id)
      select made.id, (${JOBS}.add_job($8, json_build_object('id', made.id), max_attempts := ${JOB_ATTEMPTS})).id as job
      from made`,
    values: [id, place.skillId, callerId, key ?? null, digest, JSON.stringify(work), deadline, place.task],
  });
  if (rows.length > 0) return { state: 'added', id };
  const known = await pool.query<{ id: string; digest: string }>(
    `select id, digest from ${TABLE} where skill_id = $1 and caller_id = $2 and idempotency_key = $3`,
    [place.skillId, callerId, key],
  );
  const [first] = known.rows;
  // The execution was deleted between the two statements, so its key is free again.
  if (first === undefined)
    return insert(pool, place, { id, callerId, work, deadline, digest, ...(key ? { key } : {}) });
  return first.digest === digest ? { state: 'known', id: first.id } : { state: 'key_reused' };
}

export async function find(pool: pg.Pool, skillId: string, wanted: { id: string; callerId: string }) {
  const { rows } = await pool.query<Row>({
    name: 'parley_skills_find',
    text: `select * from ${TABLE} where id = $1 and skill_id = $2 and caller_id = $3`,
    values: [wanted.id, skillId, wanted.callerId],
  });
  return rows[0] === undefined ? undefined : toExecution(rows[0]);
}

/** Returns undefined if there is nothing left to do. */
export async function begin(pool: pg.Pool, id: string): Promise<Execution | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'parley_skills_begin',
    text: `update ${TABLE} set status = 'running', attempt = attempt + 1 where id = $1 and ended_at is null returning *`,
    values: [id],
  });
  return rows[0] === undefined ? undefined : toExecution(rows[0]);
}

/** Only the first result counts. */
export async function settle(pool: pg.Pool, id: string, result: ExecutionResult): Promise<void> {
  const output = result.status === 'completed' ? result.output : undefined;
  const bytes = output instanceof Uint8Array ? Buffer.from(output) : null;
  await pool.query({
    name: 'parley_skills_settle',
    text: `update ${TABLE} set status = $2, output = $3, output_bytes = $4, error = $5, ended_at = now()
      where id = $1 and ended_at is null`,
    values: [
      id,
      result.status,
      output === undefined || bytes !== null ? null : JSON.stringify(output),
      bytes,
      result.status === 'failed' ? JSON.stringify(result.error) : null,
    ],
  });
}

/** Returns false if the execution is no longer running. */
export async function report(pool: pg.Pool, id: string, { fraction, message }: Progress): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update ${TABLE} set progress = $2, message = coalesce($3, message) where id = $1 and ended_at is null`,
    [id, fraction, message ?? null],
  );
  return rowCount !== 0;
}

/** Finds those of these executions that another process or a caller has ended. */
export async function findEnded(pool: pg.Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from ${TABLE} where id = any($1::uuid[]) and ended_at is not null`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Ends executions that are overdue, and deletes those that were kept long enough. */
export async function tidy(pool: pg.Pool, skillId: string, keepMs: number): Promise<void> {
  const timeout: ExecutionError = { code: 'EXECUTION_TIMEOUT' };
  await pool.query(
    `update ${TABLE} set status = 'failed', error = $2, ended_at = now()
     where skill_id = $1 and ended_at is null and deadline < now() - interval '5 seconds'`,
    [skillId, JSON.stringify(timeout)],
  );
  await pool.query(
    `delete from ${TABLE} where id in (
       select id from ${TABLE} where skill_id = $1 and ended_at < now() - $2 * interval '1 millisecond' limit 5000)`,
    [skillId, keepMs],
  );
}

function toExecution(row: Row): Execution {
  const output = row.output_bytes ?? (row.output === null ? undefined : JSON.parse(row.output));
  return {
    id: row.id,
    callerId: row.caller_id,
    status: row.status,
    work: JSON.parse(row.work) as InvocationRequest,
    attempt: row.attempt,
    deadline: row.deadline,
    ...(row.progress === null ? {} : { progress: row.progress }),
    ...(row.message === null ? {} : { message: row.message }),
    ...(output === undefined ? {} : { output }),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as ExecutionError }),
  };
}
