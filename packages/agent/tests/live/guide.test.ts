import { readFileSync } from 'node:fs';
import { HasheeAgent } from '@parley/agent';
import { createMemoryStore } from '@parley/messenger';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MANIFEST } from '../harness/manifest.ts';
import { Household } from './household.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

describe('SK-3 the guide', () => {
  it('SK-3 prints the example that is tested, of at most twenty lines', () => {
    // Without the word to our linter.
    const example = read('../guide/first-agent.mjs').replace(/^\/\/.*\n/, '');
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(20);
    for (const path of [
      '../../README.md',
      '../../../../docs/guides/agent.md',
      '../../../../docs/guides/agent.zh-CN.md',
    ]) {
      expect(read(path)).toContain(`\`\`\`js\n${example}\`\`\``);
    }
  });

  it('SK-3 its example works, also where the person refuses', async () => {
    const home = await Household.move(server, [
      {
        tool: 'fetch_url',
        scope: 'network:http',
        run: async () => ({ body: 'a page', headers: {}, status_code: 200 }),
      },
    ]);
    const account = await home.createAgent(MANIFEST);
    vi.stubEnv('PARLEY_AGENT_ID', account.agentId);
    vi.stubEnv('PARLEY_AGENT_TOKEN', account.token);
    vi.stubEnv('PARLEY_URL', server.url);
    const init = HasheeAgent.init.bind(HasheeAgent);
    let agent: HasheeAgent | undefined;
    const spy = vi.spyOn(HasheeAgent, 'init').mockImplementation(async (options) => {
      agent = await init({ ...options, keystore: createMemoryStore() });
      return agent;
    });
    try {
      // @ts-expect-error: it is JavaScript, as in the guide
      await import('../guide/first-agent.mjs');
      const { conversationId } = await home.add(account.agentId);
      home.decide = (prompt) => prompt.deny();
      await home.say(conversationId, 'https://example.com');
      await until(() => expect(home.heard(conversationId)).toEqual(['Not done: user_refused']));
      home.decide = (prompt) => prompt.allow();
      await home.say(conversationId, 'https://example.com');
      await until(() => expect(home.heard(conversationId)[1]).toBe('It says: a page'));
    } finally {
      await agent?.disconnect();
      await home.client.close();
      spy.mockRestore();
      vi.unstubAllEnvs();
    }
  });

  it('TC-9 text is seen while it is written, and ends as a message', async () => {
    const home = await Household.move(server, []);
    const account = await home.createAgent(MANIFEST);
    const agent = await HasheeAgent.init({
      ...account,
      baseUrl: server.url,
      connectionMode: 'websocket',
      keystore: createMemoryStore(),
    });
    const { conversationId } = await home.add(account.agentId);
    const timeline = home.device.conversations.timeline(conversationId);
    const live: string[] = [];
    timeline.subscribe(() => live.push(...timeline.getSnapshot().streams.map(({ text }) => text)));
    await until(() => expect(agent.status).toBe('online'));
    const stream = await agent.stream(conversationId);
    await stream.write('Once ');
    await until(() => expect(live).toContain('Once '));
    await stream.write('upon a time');
    await stream.done();
    await until(() => expect(home.heard(conversationId)).toEqual(['Once upon a time']));
    await agent.disconnect();
    await home.client.close();
  });
});
