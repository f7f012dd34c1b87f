import { createHash } from 'node:crypto';
import type { JsonObject } from '@parley/documents';
import type { Server } from '@parley/server';
import { call, signUp, startServer } from './bench-server.ts';
import { makeManifest } from './manifest-fixtures.ts';
import type { BenchRow } from './measure.ts';

const AGENTS = 100_000;
const SEARCHES = 300;
const WRITERS = 16;
const TURNS = 32;
const ROUNDS = 3;
/** A search may take up to twice as long as its bare statement. */
const AIM_SEARCH = 0.5;

const WORDS = `weather calendar mail notes music travel photo code review invoice recipe garden fitness news chess
  translate summarise search budget market legal health school science robot camera archive backup deploy monitor
  shopping ticket meeting diary poem story game puzzle map train flight hotel taxi radio video`.split(/\s+/);

interface Agent {
  readonly id: string;
  readonly token: string;
}

/** Compares pushes and searches over HTTP (RL-4, RL-5) with the statements that they need at least. */
export async function* run(): AsyncIterable<BenchRow> {
  const server = await startServer();
  try {
    const owner = await signUp(server);
    const agents: Agent[] = [];
    for (let index = 0; index < WRITERS; index++) {
      const body = { name: `Bench ${index}`, capability_manifest: makeManifest(5) };
      const { agent_id, token } = await call(server, 'POST /agents', { token: owner, body });
      agents.push({ id: agent_id, token });
    }
    yield await measurePatches(server, agents);
    await fill(server);
    yield await measureSearch(server, agents);
  } finally {
    await server.close();
  }
}

async function measurePatches(server: Server, agents: readonly Agent[]): Promise<BenchRow> {
  const manifests = [1, 2].map((minor) => ({ ...(makeManifest(5) as JsonObject), agent_version: `1.${minor}.0` }));
  const patch = ({ id, token }: Agent, turn: number) =>
    call(server, `PATCH /agents/${id}`, { token, body: manifests[turn % 2] });
  const write = ({ id }: Agent, turn: number) => writeAlone(server, id, JSON.stringify(manifests[turn % 2]));
  const rates: { ours: number; peer: number }[] = [];
  await rate(agents, 5, patch);
  for (let round = 0; round < ROUNDS; round++) {
    rates.push({ peer: await rate(agents, TURNS, write), ours: await rate(agents, TURNS, patch) });
  }
  return {
    name: 'PATCH a manifest',
    detail: `5 tools, ${WRITERS} at once, its SQL alone (limit)`,
    ours: median(rates.map(({ ours }) => ours)),
    peer: median(rates.map(({ peer }) => peer)),
    unit: 'ops/s',
    ratio: median(rates.map(({ ours, peer }) => ours / peer)),
  };
}

/** Returns the calls per second, one at a time for each agent. */
async function rate(agents: readonly Agent[], each: number, work: (agent: Agent, turn: number) => Promise<unknown>) {
  const start = performance.now();
  await Promise.all(
    agents.map(async (agent) => {
      for (let turn = 0; turn < each; turn++) await work(agent, turn);
    }),
  );
  return (agents.length * each) / ((performance.now() - start) / 1_000);
}

/** Runs one transaction that stores a version: lock, new row, new state. It does not validate, compare or notify. */
async function writeAlone({ platform }: Server, id: string, manifest: string): Promise<void> {
  const client = await platform.storage.pool.connect();
  const hash = createHash('sha256').update(manifest).digest('hex');
  try {
    await client.query('begin');
    const { rows } = await client.query('select capability_manifest_version v from agents where id = $1 for update', [
      id,
    ]);
    const version = rows[0].v + 1;
    await client.query(
      'insert into agent_manifests (agent_id, version, manifest, hash, breaking) values ($1, $2, $3, $4, false)',
      [id, version, manifest, hash],
    );
    await client.query(
      `update agents set capability_manifest = $2, capability_manifest_version = $3, capability_manifest_hash = $4
       where id = $1`,
      [id, manifest, version, hash],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Creates agents described by four words; the first two are the name. */
async function fill({ platform }: Server): Promise<void> {
  const word = (salt: number) => `($1::text[])[1 + abs(hashint4(n * 7 + ${salt})) % ${WORDS.length}]`;
  await platform.storage.pool.query(
    `insert into agents (id, owner_id, name, description, tool_names, search)
     select md5('agent' || n)::uuid, owner, name, description, array[tool],
       setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', description || ' ' || tool), 'B')
     from (
       select n, (select id from accounts limit 1) as owner, ${word(1)} || ' ' || ${word(2)} as name,
         ${word(3)} || ' and ' || ${word(4)} as description, ${word(5)} || '_tool' as tool
       from generate_series(1, ${AGENTS}) n) as made`,
    [WORDS],
  );
  await platform.storage.pool.query('vacuum analyze agents');
}

async function measureSearch(server: Server, agents: readonly Agent[]): Promise<BenchRow> {
  const ours: number[] = [];
  const peer: number[] = [];
  for (let turn = 0; turn < SEARCHES; turn++) {
    const words = [WORDS[turn % WORDS.length]!, WORDS[(turn * 13 + 5) % WORDS.length]!].slice(
      0,
      1 + (turn % 3 ? 1 : 0),
    );
    const { token } = agents[turn % agents.length]!;
    peer.push(await time(() => searchAlone(server, words)));
    ours.push(await time(() => call(server, `GET /agents?q=${words.join('+')}&limit=20`, { token })));
  }
  const [mine, theirs] = [percentile95(ours), percentile95(peer)];
  const ratio = theirs / mine;
  return {
    name: 'search agents, p95',
    detail: `${AGENTS.toLocaleString('en')} agents, one and two words, its SQL alone (limit)`,
    ours: mine,
    peer: theirs,
    unit: 'ms',
    ratio,
    aim: `≥ ${AIM_SEARCH}×`,
    met: ratio >= AIM_SEARCH,
  };
}

function searchAlone({ platform }: Server, words: readonly string[]): Promise<unknown> {
  return platform.storage.pool.query(
    `select id, name, description, tool_names, ts_rank(search, query) as rank
     from agents, to_tsquery('simple', $1) as query
     where visibility = 'public' and status = 'active' and search @@ query
     order by rank desc, id desc limit 20`,
    [words.map((word) => `${word}:*`).join(' & ')],
  );
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function percentile95(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)]!;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
