import { measureGuard } from './guard.ts';
import type { BenchRow } from './measure.ts';
import { startMcp } from './tool-call-mcp.ts';
import { startParley } from './tool-call-parley.ts';
import { startParts } from './tool-call-parts.ts';

const AT_ONCE = 64;
const MANY = 2_000;
const SINGLE = 300;
const ROUNDS = 5;
const AIM = 1;
const AIM_P50 = 2;

/** One side of the comparison, in its own processes. */
export interface Contender {
  /** Returns the calls per second. */
  together(count: number, atOnce: number): Promise<number>;
  /** Returns the milliseconds of each call, one after the other. */
  oneByOne(count: number): Promise<number[]>;
  stop(): Promise<void>;
}

/**
 * Compares a whole tool call (sealed both ways, stored, guarded and audited, with agent, server and device as separate
 * processes) with a call of the MCP SDK, which is unencrypted and direct, with client and server as separate processes.
 */
export async function* run(): AsyncIterable<BenchRow> {
  const parley = await startParley();
  const mcp = await startMcp();
  const parts = await startParts();
  try {
    await parts.oneByOne(SINGLE);
    for (const one of [parley, mcp]) {
      await one.together(MANY / 2, AT_ONCE);
      await one.oneByOne(SINGLE / 2);
    }
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [ours, peer] = [await parley.together(MANY, AT_ONCE), await mcp.together(MANY, AT_ONCE)];
      const [oursMs, peerMs] = [median(await parley.oneByOne(SINGLE)), median(await mcp.oneByOne(SINGLE))];
      rounds.push({ ours, peer, oursMs, peerMs, partsMs: median(await parts.oneByOne(SINGLE)) });
    }
    yield* report(rounds);
    yield measureGuard();
  } finally {
    await parley.stop();
    await mcp.stop();
    await parts.stop();
  }
}

interface Round {
  readonly ours: number;
  readonly peer: number;
  readonly oursMs: number;
  readonly peerMs: number;
  readonly partsMs: number;
}

function report(rounds: readonly Round[]): BenchRow[] {
  const ratio = median(rounds.map(({ ours, peer }) => ours / peer));
  const slower = median(rounds.map(({ oursMs, peerMs }) => oursMs / peerMs));
  return [
    {
      name: 'whole tool call',
      detail: `${AT_ONCE} at once, MCP SDK over Streamable HTTP`,
      ours: median(rounds.map(({ ours }) => ours)),
      peer: median(rounds.map(({ peer }) => peer)),
      unit: 'ops/s',
      ratio,
      aim: `≥ ${AIM}×`,
      met: ratio >= AIM,
    },
    {
      name: 'whole tool call, p50',
      detail: 'one at a time, MCP SDK over Streamable HTTP',
      ours: median(rounds.map(({ oursMs }) => oursMs)),
      peer: median(rounds.map(({ peerMs }) => peerMs)),
      unit: 'ms',
      ratio: 1 / slower,
      aim: `≥ ${1 / AIM_P50}×`,
      met: slower <= AIM_P50,
    },
    {
      name: 'whole tool call, p50',
      detail: 'one at a time, what it is made of (limit)',
      ours: median(rounds.map(({ oursMs }) => oursMs)),
      peer: median(rounds.map(({ partsMs }) => partsMs)),
      unit: 'ms',
      ratio: median(rounds.map(({ oursMs, partsMs }) => partsMs / oursMs)),
    },
  ];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
