import { expect, it } from 'vitest';
import { createRedactor } from '../http/redact.ts';
import { pollExecution, readState } from './poll-execution.ts';
import type { Answer, Call } from './send.ts';

/** How long is waited before each of 20 questions to a provider that says `running`, then ends. */
async function watch(running: object, advice: object = {}): Promise<number[]> {
  const waits: number[] = [];
  const call = {
    skill: { descriptor: { endpoint: { url: 'https://a.example/', status_url: 'https://a.example/status' } } },
    deadline: { remaining: () => 1e9, ending: () => undefined, sleep: async (ms: number) => void waits.push(ms) },
    redact: createRedactor(),
    report: () => {},
    authoriser: { authorise: async () => ({}) },
    http: {
      fetch: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(waits.length < 20 ? running : { status: 'completed', output: 1 })),
        truncated: false,
      }),
    },
  } as unknown as Call;
  await pollExecution(call, 'e1', { body: running, advice } as unknown as Answer);
  return waits;
}

it('SI-1 without advice of the provider the interval grows, up to a bound', async () => {
  const waits = await watch({ status: 'running' });
  expect(waits.slice(0, 3)).toEqual([100, 150, 225]);
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
  expect(waits.at(-1)).toBe(5_000);
});

it.each(['.', '..', '', 'x'.repeat(257), 5])('SI-1 attack: the execution id %j leads to no other address', (id) => {
  expect(readState({ status: 'accepted', execution_id: id })).toBeUndefined();
  expect(readState({ status: 'accepted', execution_id: '...' })).toEqual({ status: 'accepted', executionId: '...' });
});

it('SI-3 attack: a provider that says to come back at once is not asked without a pause', async () => {
  const waits = await watch({ status: 'running', retry: { suggested_delay_ms: 0 } }, { delayMs: 0 });
  expect(new Set(waits)).toEqual(new Set([50]));
});
