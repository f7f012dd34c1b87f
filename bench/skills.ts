import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { SkillDescriptor } from '@parley/documents/skill';
import { createSkillClient } from '@parley/skills';
import { Agent, request } from 'undici';
import type { BenchRow } from './measure.ts';

const SINGLE = 1_500;
const AT_ONCE = 32;
const MANY = 6_000;
const ROUNDS = 7;
const AIM_MS = 0.3;
const AIM_RATIO = 0.7;

const INPUTS = { text: 'How do you do?', target_language: 'zh' };
const OUTPUT = JSON.stringify({ output: { translated_text: '你好', confidence: 0.9 } });

/** Compares an invocation that is answered immediately (SI-1 to SI-3) with the bare request. */
export async function* run(): AsyncIterable<BenchRow> {
  const worker = new Worker(new URL(import.meta.url));
  try {
    const port = await new Promise<number>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    const descriptor = describe(`http://127.0.0.1:${port}`);
    const client = createSkillClient({ allowLoopback: true });
    const ours = () => client.invoke(descriptor, INPUTS);
    const peer = sendBare(descriptor.endpoint.url);
    await Promise.all([together(ours), together(peer)]);

    const rounds: { ours: number; peer: number; oursMs: number; peerMs: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [first, second] = round % 2 === 0 ? [ours, peer] : [peer, ours];
      const rates = [await together(first), await together(second)];
      const times = [await oneByOne(first), await oneByOne(second)];
      if (first !== ours) [rates, times].map((pair) => pair.reverse());
      rounds.push({ ours: rates[0]!, peer: rates[1]!, oursMs: times[0]!, peerMs: times[1]! });
    }
    yield* report(rounds);
  } finally {
    await worker.terminate();
  }
}

function report(rounds: readonly { ours: number; peer: number; oursMs: number; peerMs: number }[]): BenchRow[] {
  const ratio = median(rounds.map(({ ours, peer }) => ours / peer));
  const [oursMs, peerMs] = [median(rounds.map((round) => round.oursMs)), median(rounds.map((round) => round.peerMs))];
  const extra = median(rounds.map((round) => round.oursMs - round.peerMs));
  return [
    {
      name: 'invoke a skill',
      detail: `${AT_ONCE} at once, bare undici`,
      ours: median(rounds.map(({ ours }) => ours)),
      peer: median(rounds.map(({ peer }) => peer)),
      unit: 'ops/s',
      ratio,
      aim: `≥ ${AIM_RATIO}×`,
      met: ratio >= AIM_RATIO,
    },
    {
      name: 'invoke a skill, p50',
      detail: `one at a time, bare undici; ${extra.toFixed(3)} ms more`,
      ours: oursMs,
      peer: peerMs,
      unit: 'ms',
      ratio: peerMs / oursMs,
      aim: `< ${AIM_MS} ms more`,
      met: extra < AIM_MS,
    },
  ];
}

function sendBare(url: string): () => Promise<unknown> {
  const dispatcher = new Agent();
  const body = JSON.stringify({
    caller: { id: 'anonymous', type: 'service' },
    skill_id: 'com.example.t',
    inputs: INPUTS,
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return async () => {
    const response = await request(url, { method: 'POST', headers, body, dispatcher });
    return response.body.json();
  };
}

/** Returns the invocations per second. */
async function together(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let begun = 0;
  const line = async () => {
    while (begun++ < MANY) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  return (MANY * 1_000) / (performance.now() - start);
}

/** Returns the median in milliseconds. */
async function oneByOne(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < SINGLE; n++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function describe(origin: string): SkillDescriptor {
  const text = { description: '', required: true, type: 'string' } as const;
  return {
    protocol: { version: '1.0.0' },
    id: 'com.example.t',
    name: 'Translator',
    version: '1.0.0',
    capability_type: 'api',
    description: 'Translates.',
    provider: { name: 'Example' },
    endpoint: { url: `${origin}/invoke` },
    inputs: [
      { ...text, name: 'text', schema: { minLength: 1, maxLength: 10_000 } },
      { ...text, name: 'target_language', schema: { pattern: '^[a-z]{2}$' } },
      { ...text, name: 'source_language', required: false, default: 'auto' },
    ],
    output: {
      content_type: 'application/json',
      schema: {
        type: 'object',
        properties: { translated_text: { type: 'string' }, confidence: { type: 'number' } },
        required: ['translated_text'],
      },
    },
    auth: { type: 'none' },
    access: 'public',
  };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(OUTPUT);
    });
  });
  server.listen(0, '127.0.0.1', () => port.postMessage((server.address() as AddressInfo).port));
}
