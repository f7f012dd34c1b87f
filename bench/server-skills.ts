import type { Server } from '@parley/server';
import { call, signUp, startServer } from './bench-server.ts';
import type { BenchRow } from './measure.ts';

const SKILLS = 100_000;
const SEARCHES = 300;
/** A search may take up to one and a half times as long as its bare statement. */
const AIM = 1 / 1.5;

const WORDS = `weather calendar mail notes music travel photo code review invoice recipe garden fitness news chess
  translate summarise search budget market legal health school science robot camera archive backup deploy monitor
  shopping ticket meeting diary poem story game puzzle map train flight hotel taxi radio video`.split(/\s+/);

/** Compares a search over HTTP (SD-8) with the statement that it needs at least. */
export async function* run(): AsyncIterable<BenchRow> {
  const server = await startServer();
  try {
    const tokens: string[] = [];
    for (let index = 0; index < 16; index++) tokens.push(await signUp(server));
    await fill(server);
    yield await measureSearch(server, tokens);
  } finally {
    await server.close();
  }
}

/** Creates skills described by six words; the first two are the name. */
async function fill({ platform }: Server): Promise<void> {
  const word = (salt: number) => `($1::text[])[1 + abs(hashint4(n * 7 + ${salt})) % ${WORDS.length}]`;
  await platform.storage.pool.query(
    `insert into skills (id, owner_id, host, access, version, name, description, capability_type, provider, tags, search,
       updated_at)
     select 'com.example.s' || n, owner, false, 'public', '1.0.0', name, description, 'api', 'Example', array[tag],
       setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', description || ' ' || tag), 'B'),
       now() - n * interval '1 second'
     from (
       select n, (select id from accounts limit 1) as owner, ${word(1)} || ' ' || ${word(2)} as name,
         ${word(3)} || ' and ' || ${word(4)} || ' with ' || ${word(6)} as description, ${word(5)} as tag
       from generate_series(1, ${SKILLS}) n) as made`,
    [WORDS],
  );
  await platform.storage.pool.query('vacuum analyze skills');
}

async function measureSearch(server: Server, tokens: readonly string[]): Promise<BenchRow> {
  const ours: number[] = [];
  const peer: number[] = [];
  for (let turn = 0; turn < SEARCHES; turn++) {
    const first = WORDS[turn % WORDS.length]!;
    const words = turn % 3 === 0 ? [first] : [first, WORDS[(turn * 13 + 5) % WORDS.length]!];
    const token = tokens[turn % tokens.length]!;
    peer.push(await time(() => searchAlone(server, words)));
    ours.push(await time(() => call(server, `GET /skills?q=${words.join('+')}&limit=20`, { token })));
  }
  const [mine, theirs] = [percentile95(ours), percentile95(peer)];
  const ratio = theirs / mine;
  return {
    name: 'search skills, p95',
    detail: `${SKILLS.toLocaleString('en')} descriptors, one and two words, its SQL alone (limit)`,
    ours: mine,
    peer: theirs,
    unit: 'ms',
    ratio,
    aim: `≥ ${AIM.toFixed(2)}×`,
    met: ratio >= AIM,
  };
}

function searchAlone({ platform }: Server, words: readonly string[]): Promise<unknown> {
  return platform.storage.pool.query(
    `select id, name, capability_type, description, access, provider, tags, version, updated_at,
       ts_rank(search, query) as rank
     from skills, to_tsquery('simple', $1) as query
     where access <> 'private' and version is not null and search @@ query
     order by rank desc, updated_at desc, id desc limit 20`,
    [words.map((word) => `${word}:*`).join(' & ')],
  );
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;
}
