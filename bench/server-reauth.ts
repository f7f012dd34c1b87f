import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '@parley/documents';
import { createServer, type Server, type ServerConfig, startEmbeddedPostgres } from '@parley/server';
import { makeManifest } from './manifests.ts';
import type { BenchRow } from './measure.ts';

const RELATIONS = 100_000;
const ROUNDS = 7;
/** As many times as long as the bare statement we may take. */
const AIM = 3;

/** RL-8: a breaking PATCH, from the request to the reply, beside the one statement that its events cannot do without. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  try {
    const server = await createServer(configure(postgres.url));
    try {
      return [await measureFanOut(server)];
    } finally {
      await server.close();
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureFanOut(server: Server): Promise<BenchRow> {
  const { pool } = server.platform.storage;
  for (const setting of ['fsync', 'synchronous_commit']) {
    const { rows } = await pool.query(`show ${setting}`);
    if (rows[0][setting] !== 'on') throw new Error(`bench: Postgres runs with ${setting} = ${rows[0][setting]}`);
  }
  const { token, user_id } = await call(server, 'POST', '/auth/register', {
    email: 'bench@example.test',
    account_password: randomBytes(16).toString('hex'),
    display_name: 'Bench',
  }).then((body) => ({ token: body.access_token as string, user_id: body.user_id as string }));
  const agent = await call(server, 'POST', '/agents', { name: 'Bench', capability_manifest: manifestOf(0) }, token);
  await fill(server, agent.agent_id as string);

  const ours: number[] = [];
  const peer: number[] = [];
  let grown = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    await reset(server);
    peer.push(await time(() => insertAlone(server, agent.agent_id as string)));
    await reset(server);
    const before = process.memoryUsage().rss;
    const manifest = manifestOf(round);
    ours.push(await time(() => call(server, 'PATCH', `/agents/${agent.agent_id}`, manifest, token)));
    grown = Math.max(grown, process.memoryUsage().rss - before);
    const { rows } = await pool.query(
      `select count(*) from events where recipient_id <> $1 and recipient_kind = 'human'`,
      [user_id],
    );
    if (rows[0].count !== RELATIONS) throw new Error(`bench: ${rows[0].count} people were told`);
  }
  const ratio = median(ours.map((ms, round) => peer[round]! / ms));
  return {
    name: 're-authorisation',
    detail: `${RELATIONS.toLocaleString('en')} relations, one INSERT … SELECT (limit); memory +${Math.round(grown / 1e6)} MB`,
    ours: median(ours),
    peer: median(peer),
    unit: 'ms',
    ratio,
    aim: `≥ ${(1 / AIM).toFixed(2)}×`,
    met: ratio >= 1 / AIM,
  };
}

function configure(databaseUrl: string): ServerConfig {
  return {
    databaseUrl,
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:8484',
    development: true,
    tokenSecret: randomBytes(32),
    storageSecret: randomBytes(32),
    trustedProxies: [],
    mailFrom: 'parley@localhost',
    allowPrivateAddresses: false,
    retention: { envelopeDays: 30, eventDays: 30, deliveryDays: 30 },
    poolSize: 8,
    logLevel: 'silent',
  };
}

/** Each has a scope that none before had, so that publishing it always breaks. */
function manifestOf(round: number) {
  const manifest = makeManifest(5) as Manifest;
  const scope = { id: `round${round}:read`, label_i18n_key: 'bench', label_fallback: 'Bench', sensitivity: 'low' };
  return { ...manifest, permission_scopes: [...manifest.permission_scopes, scope] };
}

/** People who have added the agent, and agreed to its first manifest. */
async function fill({ platform: { storage } }: Server, agentId: string): Promise<void> {
  const id = (name: string) => `md5('${name}' || n)::uuid`;
  const people = `from generate_series(1, ${RELATIONS}) n`;
  await storage.pool.query(`
    insert into accounts (id, email, display_name) select ${id('account')}, n || '@example.test', 'Someone' ${people};
    insert into conversations (id, kind) select ${id('conversation')}, 'h2a' ${people};
    insert into h2a_relations (id, account_id, agent_id, conversation_id, agreed_version, agreed_hash)
      select ${id('relation')}, ${id('account')}, '${agentId}', ${id('conversation')}, 1, (
        select hash from agent_manifests where agent_id = '${agentId}' and version = 1) ${people};`);
  await storage.pool.query('vacuum analyze');
}

/** As if nobody had been told anything yet. */
async function reset({ platform: { storage } }: Server): Promise<void> {
  await storage.pool.query('truncate events');
  await storage.pool.query('truncate pending_scopes');
  await storage.pool.query('checkpoint');
}

function insertAlone({ platform: { storage } }: Server, agentId: string): Promise<unknown> {
  const payload = {
    agent_id: agentId,
    new_manifest_version: 2,
    new_manifest_hash: 'a'.repeat(64),
    scopes_requiring_reauth: ['round1:read'],
  };
  return storage.pool.query(
    `insert into events (recipient_kind, recipient_id, type, payload)
     select 'human', account_id, 'h2a.reauth_required', $2::jsonb from h2a_relations
     where agent_id = $1 and status <> 'ended'`,
    [agentId, JSON.stringify(payload)],
  );
}

async function call(server: Server, method: string, path: string, body: object, token?: string) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  const reply = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`bench: ${method} ${path} answered ${response.status} ${JSON.stringify(reply)}`);
  return reply;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
