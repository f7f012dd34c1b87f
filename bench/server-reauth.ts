import type { Manifest } from '@parley/documents';
import type { Server } from '@parley/server';
import { call, signUp, startServer } from './bench-server.ts';
import { makeManifest } from './manifest-fixtures.ts';
import type { BenchRow } from './measure.ts';

const RELATIONS = 100_000;
const ROUNDS = 7;
/** We may take this many times as long as the bare statement. */
const AIM = 3;

/** Compares a breaking PATCH (RL-8) with the one statement that its events need at least. */
export async function* run(): AsyncIterable<BenchRow> {
  const server = await startServer();
  try {
    yield await measureFanOut(server);
  } finally {
    await server.close();
  }
}

async function measureFanOut(server: Server): Promise<BenchRow> {
  const token = await signUp(server);
  const { agent_id: agentId } = await call(server, 'POST /agents', {
    token,
    body: { name: 'Bench', capability_manifest: manifestOf(0) },
  });
  await fill(server, agentId);

  const ours: number[] = [];
  const peer: number[] = [];
  let grown = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    await reset(server);
    peer.push(await time(() => insertAlone(server, agentId)));
    await reset(server);
    const memory = watchMemory();
    const woken = waitForLast(server, agentId);
    const body = manifestOf(round);
    ours.push(await time(() => call(server, `PATCH /agents/${agentId}`, { token, body })));
    await woken;
    grown = Math.max(grown, memory.stop());
    const { rows } = await server.platform.storage.pool.query(
      `select count(*) from events where recipient_kind = 'human'`,
    );
    if (rows[0].count !== RELATIONS) throw new Error(`bench: ${rows[0].count} people were told`);
  }
  const ratio = median(ours.map((ms, round) => peer[round]! / ms));
  return {
    name: 're-authorisation',
    detail: `${RELATIONS.toLocaleString('en')} relations, one INSERT … SELECT (limit); memory +${Math.round(grown / 1e6)} MB until all are woken`,
    ours: median(ours),
    peer: median(peer),
    unit: 'ms',
    ratio,
    aim: `≥ ${(1 / AIM).toFixed(2)}×`,
    met: ratio >= 1 / AIM,
  };
}

/** Each manifest has a new scope, so that publishing it is always a breaking change. */
function manifestOf(round: number) {
  const manifest = makeManifest(5) as Manifest;
  const scope = { id: `round${round}:read`, label_i18n_key: 'bench', label_fallback: 'Bench', sensitivity: 'low' };
  return { ...manifest, permission_scopes: [...manifest.permission_scopes, scope] };
}

/** Creates people who have added the agent and agreed to its first manifest. */
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

/** Deletes all events, as if nobody had been notified yet. */
async function reset({ platform: { storage } }: Server): Promise<void> {
  await storage.pool.query('truncate events');
  await storage.pool.query('truncate pending_scopes');
  await storage.pool.query('checkpoint');
}

/** Returns how many bytes the process grew by at most. */
function watchMemory(): { stop(): number } {
  const before = process.memoryUsage().rss;
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 5);
  return {
    stop: () => {
      clearInterval(timer);
      return highest - before;
    },
  };
}

/** People are notified in the order of their relations, after the reply. */
async function waitForLast({ platform: { bus, storage } }: Server, agentId: string): Promise<void> {
  const { rows } = await storage.pool.query(
    'select account_id from h2a_relations where agent_id = $1 order by id desc limit 1',
    [agentId],
  );
  await new Promise<void>((resolve) => {
    const stop = bus.listen(`h:${rows[0].account_id}`, () => {
      stop();
      resolve();
    });
  });
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

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
