import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMessenger } from '@parley/messenger';
import { createNodePlatform, openFileStore } from '@parley/messenger/node';
import { serveTasks, startChild } from './child-process.ts';
import type { BenchRow } from './measure.ts';
import { AGENT_ID, conversationOf, MemoryWorld } from './memory-world.ts';

const SIZES = [1_000, 10_000, 100_000] as const;
const AT_ONCE = 50;
/** After everyone has written, the agent writes to so many of them, anyone at random. */
const MORE = 2_000;
/** Once its caches are full, an agent with ten times the peers has the same memory. */
const AIM = 0.95;

interface Measured {
  readonly megabytes: number;
  readonly openMs: number;
}

/**
 * The resident memory of an agent with a store on disk that has got a message from each of its peers, has answered it, and
 * has written to many of them again (EE-26). One process for each number of peers.
 */
export async function* run(): AsyncIterable<BenchRow> {
  const measured: Measured[] = [];
  for (const size of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    const child = startChild(import.meta.url, 'memory-agent');
    try {
      measured.push(await child.ask('measure', { size, folder }));
    } finally {
      await child.stop();
      rmSync(folder, { recursive: true });
    }
    if (measured.length > 1) yield toRow(measured.length - 1, measured);
  }
}

function toRow(at: number, measured: readonly Measured[]): BenchRow {
  const [before, { megabytes, openMs }] = [measured[at - 1]!.megabytes, measured[at]!];
  const [few, many] = [SIZES[at - 1]!, SIZES[at]!].map((size) => size.toLocaleString('en'));
  const row: BenchRow = {
    name: `memory of an agent with ${many} peers`,
    detail: `with ${few} peers; its store opens in ${Math.round(openMs)} ms`,
    ours: megabytes,
    peer: before,
    unit: 'MB',
    ratio: before / megabytes,
  };
  return at < SIZES.length - 1 ? row : { ...row, aim: `≥ ${AIM}×`, met: row.ratio >= AIM };
}

async function measure({ size, folder }: { size: number; folder: string }): Promise<Measured> {
  const world = new MemoryWorld();
  const store = await openFileStore(join(folder, 'store'));
  const messenger = await createMessenger({
    api: world.api,
    identity: { kind: 'agent', agentId: AGENT_ID },
    mode: 'websocket',
    platform: { ...createNodePlatform(), openSocket: world.openSocket },
    store,
    onMessage: ({ conversationId }) => void say(conversationId),
    onProblem: (problem) => console.error('bench: the agent has a problem', problem),
  });
  const say = (conversationId: string) =>
    messenger.send({ conversationId, payload: { type: 'text', text: 'Hello back' } });
  await world.opened;
  await new Promise<void>((resolve) => {
    let [written, answered] = [0, 0];
    const next = () => void (written < size && world.write(written++));
    world.onAnswer = () => {
      answered++;
      if (answered === size) resolve();
      else next();
    };
    for (let n = 0; n < AT_ONCE; n++) next();
  });
  world.onAnswer = () => {};
  for (let sent = 0; sent < MORE; sent += AT_ONCE) {
    const people = Array.from({ length: AT_ONCE }, () => Math.floor(Math.random() * size));
    await Promise.all(people.map((person) => say(conversationOf(person))));
  }
  const megabytes = await residentMegabytes();
  await messenger.close();
  const start = performance.now();
  const again = await openFileStore(join(folder, 'store'));
  const openMs = performance.now() - start;
  await again.close();
  return { megabytes, openMs };
}

/** After a collection, so that garbage does not count that nobody has had a reason to collect. */
async function residentMegabytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  if (process.env.PARLEY_BENCH_DEBUG) console.error(process.memoryUsage());
  return process.memoryUsage.rss() / 1e6;
}

serveTasks({ 'memory-agent': { measure } });
