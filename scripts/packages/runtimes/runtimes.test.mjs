import { fileURLToPath } from 'node:url';
import { startTestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureRuntime, RUNTIMES } from './install.mjs';
import { ANSWERS } from './person.mjs';
import { runScenario } from './scenario.mjs';

const folder = fileURLToPath(new URL('../../..', import.meta.url));
let server;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const everyMode = { websocket: ANSWERS, held: 'is in use by process', polling: ANSWERS, webhook: ANSWERS };

// At the same time: a process of Deno waits ten seconds before it believes that the one before it was killed.
describe.concurrent('PK-6 an agent receives, answers, calls a tool and gets the result', () => {
  test.for([
    ['bun', everyMode],
    ['deno', everyMode],
    ['workerd', { webhook: ANSWERS, restarted: ANSWERS }],
  ])('PK-6 on %s', async ([name, expected], { skip }) => {
    const { missing, path } = await ensureRuntime(name);
    if (missing !== undefined) skip(missing);
    const told = await runScenario({ runtime: { name, path }, folder, serverUrl: server.url });
    expect(told).toEqual(expected);
  });
});

describe('PK-6 a runtime that cannot be had', () => {
  test.each(Object.keys(RUNTIMES))('PK-6 says so, with the platform: %s', async (name) => {
    const platform = { os: 'linux', arch: 'mips', libc: 'glibc' };
    const { title } = RUNTIMES[name];
    expect(await ensureRuntime(name, { platform })).toEqual({
      missing: `${title} has no npm package for this platform (linux mips glibc).`,
    });
  });
});
