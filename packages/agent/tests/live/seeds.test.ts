import { HasheeAgent } from '@parley/agent';
import { type Executor, ExecutorError } from '@parley/client';
import type { Json, JsonObject } from '@parley/documents';
import { createMemoryStore } from '@parley/messenger';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MANIFEST } from '../harness/manifest.ts';
import { type Asked, chatCompletion, type StubModel, startStubModel } from '../harness/stub-model.ts';
import { enter } from '../seeds/frame.ts';
import { Household } from './household.ts';

// The code of the seeds, unchanged, against a live server and a live client.

const page = (url: Json | undefined) => ({ body: `the page at ${url}`, headers: {}, status_code: 200 });
let server: TestServer;
let home: Household;
let run: Executor['run'];
let ran: JsonObject[];
let agent: HasheeAgent;
let conversationId: string;
let model: StubModel;

beforeAll(async () => {
  server = await startTestServer();
  const fetchUrl: Executor = { tool: 'fetch_url', scope: 'network:http', run: (args, context) => run(args, context) };
  home = await Household.move(server, [fetchUrl]);
  const account = await home.createAgent(MANIFEST);
  agent = await HasheeAgent.init({
    ...account,
    baseUrl: server.url,
    connectionMode: 'websocket',
    keystore: createMemoryStore(),
  });
  ({ conversationId } = await home.add(account.agentId));
  enter({ agent, conversationId });
  model = await startStubModel(({ messages }: Asked) => {
    const told = messages.find(({ role }: Asked) => role === 'tool');
    if (told !== undefined) return chatCompletion(`It says: ${JSON.parse(told.content).html.body}`);
    return chatCompletion(null, [{ id: 'call_1', name: 'fetch_url', arguments: '{"url":"https://example.com"}' }]);
  });
});
afterAll(async () => {
  await agent.disconnect();
  await home.client.close();
  await model.close();
  await server.drop();
});
beforeEach(async () => {
  vi.stubEnv('OPENAI_BASE_URL', model.url);
  vi.stubEnv('OPENAI_API_KEY', 'none');
  home.decide = (prompt) => prompt.allow();
  await home.endSilence();
  home.asked.length = 0;
  ran = [];
  run = async (args) => {
    ran.push(args);
    return page(args.url);
  };
});

afterEach(() => vi.unstubAllEnvs());

describe('SK-2 seed 002', () => {
  it('SK-2 callFetchUrl, as the minimal example uses it', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await import('../seeds/002-minimal.ts');
    expect(log).toHaveBeenCalledWith(page('https://example.com'));
    log.mockRestore();
    expect(ran).toEqual([{ url: 'https://example.com', method: 'GET' }]);
    expect(home.asked).toMatchObject([
      { callId: expect.stringMatching(/^[0-9A-Z]{26}$/), tool: { name: 'fetch_url' }, level: 'medium' },
    ]);
  });

  it('SK-2 a refusal rejects it', async () => {
    const { callFetchUrl } = await import('../seeds/002-call-fetch-url.ts');
    home.decide = (prompt) => prompt.deny();
    await expect(callFetchUrl(conversationId, 'https://other.com')).rejects.toThrow('tool denied: user_refused');
    expect(ran).toEqual([]);
  });

  it('SK-2 its time-out wrapper', async () => {
    const { callFetchUrlWithTimeout } = await import('../seeds/002-call-fetch-url.ts');
    expect(await callFetchUrlWithTimeout(conversationId, 'https://a.com')).toEqual(page('https://a.com'));
    let finish = () => {};
    run = () =>
      new Promise((resolve) => {
        finish = () => resolve(null);
      });
    const waiting = callFetchUrlWithTimeout(conversationId, 'https://a.com', 50);
    await expect(waiting).rejects.toThrow('tool call total timeout');
    finish();
  });

  it('SK-2 one call after the other', async () => {
    const { r1, r2 } = await import('../seeds/002-serial.ts');
    expect([r1, r2]).toEqual([page('https://a.com'), page('https://b.com')]);
    expect(home.asked).toHaveLength(1);
  });

  it('SK-2 two calls at once', async () => {
    const { r1, r2 } = await import('../seeds/002-parallel.ts');
    expect([r1, r2]).toEqual([page('https://a.com'), page('https://b.com')]);
  });

  it('SK-2 the OpenAI example, with the real package at a stub', async () => {
    await import('../seeds/002-openai.ts');
    await home.say(conversationId, 'https://example.com 上写了什么?');
    await until(() => expect(home.heard(conversationId)).toEqual(['It says: the page at https://example.com']));
    expect(model.asked[0]).toMatchObject({
      model: 'gpt-4o-mini',
      messages: [{ content: 'https://example.com 上写了什么?' }],
    });
    await home.endSilence();
    home.decide = (prompt) => prompt.deny();
    await home.say(conversationId, '再请求一次');
    await until(() => expect(home.heard(conversationId)[1]).toBe('工具调用失败:tool denied: user_refused'));
  });
});

describe('SK-2 seed 000', () => {
  it('SK-2 its event handler, with a call in the flat form of its drawing', async () => {
    const { pendingCalls } = await import('../seeds/000-event-handler.ts');
    const ask = async (call_id: string) => {
      const answer = new Promise<unknown>((resolve, reject) => {
        pendingCalls.set(call_id, { resolve, reject });
      });
      await agent.sendArtifact(conversationId, {
        subtype: 'tool_call',
        call_id,
        tool_name: 'fetch_url',
        arguments: { url: 'https://a.com' },
      });
      return answer;
    };
    expect(await ask('first')).toEqual(page('https://a.com'));
    run = async () => {
      throw new ExecutorError('It took too long.', { code: 'tool_timeout' });
    };
    await expect(ask('second')).rejects.toThrow('tool error: tool_timeout');
  });
});
