import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SkillDescriptor } from '@parley/documents/skill';
import { startEmbeddedPostgres } from '@parley/server';
import { type ServedSkill, serveSkill } from '@parley/skills/provider';
import { createPostgresStore } from '@parley/skills/provider/node';
import { Logger, runMigrations, run as runWorkers } from 'graphile-worker';
import pg from 'pg';
import type { BenchRow } from './measure.ts';

const EXECUTIONS = 1_000;
const AT_ONCE = 32;
const WORKERS = 10;
const ROUNDS = 3;
const TASK = 'bench';
const ORIGIN = 'http://127.0.0.1:8790';

const DESCRIPTOR: SkillDescriptor = {
  protocol: { version: '1.0.0' },
  id: 'com.example.bench',
  name: 'Bench',
  version: '1.0.0',
  capability_type: 'api',
  description: 'Counts words.',
  provider: { name: 'Example' },
  endpoint: {
    url: `${ORIGIN}/invoke`,
    status_url: `${ORIGIN}/status/{execution_id}`,
    result_url: `${ORIGIN}/result/{execution_id}`,
  },
  inputs: [{ name: 'text', type: 'string', description: '', required: true }],
  output: {
    content_type: 'application/json',
    schema: { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] },
  },
  auth: { type: 'none' },
  access: 'public',
};

/** Compares executions from the request to the stored result (SI-5) with empty jobs of the queue alone. */
export async function* run(): AsyncIterable<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  try {
    const skill = await serveSkill(DESCRIPTOR, ({ text }) => ({ words: String(text).split(' ').length }), {
      store: createPostgresStore({ url: postgres.url, concurrency: WORKERS }),
      callsPerMinute: 1_000_000_000,
      waitMs: 30_000,
    });
    // The skill starts first: its workers survive the migration of another queue, but bare workers do not.
    const queue = await startQueue(postgres.url);
    try {
      yield await compare(skill, queue.push);
    } finally {
      await queue.close();
      await skill.close();
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(skill: ServedSkill, push: () => Promise<void>): Promise<BenchRow> {
  const invoke = () => invokeOnce(skill);
  await together(invoke, 200);
  await together(push, 200);
  const rates: { ours: number; peer: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rates.push({ peer: await together(push, EXECUTIONS), ours: await together(invoke, EXECUTIONS) });
  }
  return {
    name: 'durable execution',
    detail: `${AT_ONCE} at once, graphile-worker alone (limit)`,
    ours: median(rates.map(({ ours }) => ours)),
    peer: median(rates.map(({ peer }) => peer)),
    unit: 'ops/s',
    ratio: median(rates.map(({ ours, peer }) => ours / peer)),
  };
}

async function invokeOnce({ fetch }: ServedSkill): Promise<void> {
  const body = { caller: { id: 'bench', type: 'service' }, skill_id: DESCRIPTOR.id, inputs: { text: 'one two three' } };
  const response = await fetch(
    new Request(`${ORIGIN}/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(body),
    }),
  );
  const { output } = (await response.json()) as { output?: { words: number } };
  if (output?.words !== 3) throw new Error(`bench: the skill answered ${response.status}`);
}

/** Adds a job and waits until it has run. */
async function startQueue(url: string): Promise<{ push(): Promise<void>; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: WORKERS + 6 });
  // Postgres may stop before the last connection is closed.
  pool.on('error', () => {});
  const logger = new Logger(() => () => {});
  await runMigrations({ pgPool: pool, logger });
  const waiting = new Map<string, () => void>();
  const runner = await runWorkers({
    pgPool: pool,
    concurrency: WORKERS,
    noHandleSignals: true,
    logger,
    taskList: { [TASK]: (payload) => waiting.get((payload as { id: string }).id)?.() },
  });
  return {
    push: () => {
      const id = crypto.randomUUID();
      return new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        pool.query('select graphile_worker.add_job($1, $2::json)', [TASK, JSON.stringify({ id })]).catch(reject);
      });
    },
    close: async () => {
      await runner.stop();
      await pool.end();
    },
  };
}

/** Returns the executions per second. */
async function together(work: () => Promise<void>, count: number): Promise<number> {
  const start = performance.now();
  let begun = 0;
  const line = async () => {
    while (begun++ < count) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  return (count * 1_000) / (performance.now() - start);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
