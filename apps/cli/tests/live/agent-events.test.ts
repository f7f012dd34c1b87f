import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { readAgentEvent } from '@parley/protocol';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, parley, useBuiltCommand, useFolder } from '../run.ts';

useBuiltCommand();
const folder = useFolder();

let server: TestServer;
let agentId: string;
let env: Record<string, string>;
const running: ChildProcess[] = [];
const run = (args: readonly string[], input = '') => parley(args, { env, input });

beforeAll(async () => {
  server = await startTestServer();
  env = { PARLEY_HOME: join(folder.path, 'home'), PARLEY_URL: server.url };
  await run(['register', '--email', 'ada@example.org', '--name', 'Ada', '--password-stdin'], 'correct horse battery\n');
  const { stdout } = await run(['agent', 'create', 'Mine', '--json']);
  agentId = JSON.parse(stdout).agent_id;
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await server.drop();
});

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, 'agent', 'events', agentId, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  // Without what may be half a line.
  return { child, ended, lines: () => text.split('\n').slice(0, -1) };
}

describe('HS-12, HS-7 parley agent events', () => {
  test('HS-12 follows what happens, one event a line, until it is told to stop', async () => {
    const { child, ended, lines } = start(['--json']);
    await until(() => expect(lines()).toHaveLength(1));
    expect((await run(['agent', 'token', agentId])).code).toBe(0);
    await until(() => expect(lines()).toHaveLength(2));
    const events = lines().map((line) => readAgentEvent(JSON.parse(line)));
    expect(events).toMatchObject([
      { event_id: 1, type: 'token.created' },
      { event_id: 2, type: 'token.rotated', overlap_seconds: 0 },
    ]);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('HS-12 ends when nobody reads it any more', async () => {
    const { child, ended, lines } = start([]);
    await until(() => expect(lines()[0]).toContain('token.created  token_id='));
    child.stdout!.destroy();
    // The next line finds nobody.
    server.platform.agentEvents.record(agentId, { type: 'agent.resumed' });
    expect(await ended).toBe(0);
  });

  test('HS-7 what is kept can be had at once; what may not be seen is 1', async () => {
    const once = await run(['agent', 'events', agentId, '--once', '--json']);
    expect(JSON.parse(once.stdout)).toMatchObject({ events: [{ event_id: 1 }, { event_id: 2 }, { event_id: 3 }] });
    for (const args of [['--once'], []]) {
      const refused = await run(['agent', 'events', '0199a5b0-0000-7000-8000-000000000001', '--json', ...args]);
      expect([refused.code, JSON.parse(refused.stdout).error.code]).toEqual([1, 'NOT_FOUND']);
    }
  });
});
