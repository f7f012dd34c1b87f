import { HasheeAgent } from '@parley/agent';
import { createMemoryStore } from '@parley/messenger';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Asked, chatCompletion, type StubModel, startStubModel } from '../harness/stub-model.ts';
import { enter } from '../seeds/frame.ts';
import { Person } from './scene.ts';

// The code of the seeds, unchanged, against a live server and a live device.

const page = (url: unknown) => ({ body: `the page at ${url}`, headers: {}, status_code: 200 });
let server: TestServer;
let person: Person;
let agent: HasheeAgent;
let conversationId: string;
let model: StubModel;

beforeAll(async () => {
  server = await startTestServer();
  person = await Person.join(server);
  const account = await person.createAgent();
  ({ conversationId } = await person.add(account.agentId));
  agent = await HasheeAgent.init({
    ...account,
    baseUrl: server.url,
    connectionMode: 'websocket',
    keystore: createMemoryStore(),
  });
  enter({ agent, conversationId });
  model = await startStubModel(({ messages }: Asked) => {
    const told = messages.find(({ role }: Asked) => role === 'tool');
    if (told !== undefined) return chatCompletion(`It says: ${JSON.parse(told.content).html.body}`);
    return chatCompletion(null, [{ id: 'call_1', name: 'fetch_url', arguments: '{"url":"https://example.com"}' }]);
  });
  vi.stubEnv('OPENAI_BASE_URL', model.url);
  vi.stubEnv('OPENAI_API_KEY', 'none');
});
afterAll(async () => {
  await agent.disconnect();
  await person.messenger.close();
  await model.close();
  await server.drop();
});
beforeEach(() => {
  person.script = (call) => ({ status: 'ok', result: page(call.arguments.url) });
  person.received.length = 0;
});

describe('SK-2 seed 002', () => {
  it('SK-2 callFetchUrl, as the minimal example uses it', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await import('../seeds/002-minimal.ts');
    expect(log).toHaveBeenCalledWith(page('https://example.com'));
    log.mockRestore();
    expect(person.calls).toMatchObject([
      {
        call_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        tool_name: 'fetch_url',
        arguments: { url: 'https://example.com', method: 'GET' },
        permission_scope: 'network:http',
        timeout_ms: 10_000,
      },
    ]);
  });

  it('SK-2 a refusal rejects it', async () => {
    const { callFetchUrl } = await import('../seeds/002-call-fetch-url.ts');
    person.script = () => ({ status: 'denied', reason: 'user_refused' });
    await expect(callFetchUrl(conversationId, 'https://other.com')).rejects.toThrow('tool denied: user_refused');
  });

  it('SK-2 its time-out wrapper', async () => {
    const { callFetchUrlWithTimeout } = await import('../seeds/002-call-fetch-url.ts');
    expect(await callFetchUrlWithTimeout(conversationId, 'https://a.com')).toEqual(page('https://a.com'));
    person.script = () => undefined;
    const waiting = callFetchUrlWithTimeout(conversationId, 'https://a.com', 50);
    await expect(waiting).rejects.toThrow('tool call total timeout');
  });

  it('SK-2 one call after the other', async () => {
    const { r1, r2 } = await import('../seeds/002-serial.ts');
    expect([r1, r2]).toEqual([page('https://a.com'), page('https://b.com')]);
  });

  it('SK-2 two calls at once', async () => {
    const { r1, r2 } = await import('../seeds/002-parallel.ts');
    expect([r1, r2]).toEqual([page('https://a.com'), page('https://b.com')]);
  });

  it('SK-2 the OpenAI example, with the real package at a stub', async () => {
    await import('../seeds/002-openai.ts');
    await person.say(conversationId, 'https://example.com 上写了什么?');
    await vi.waitFor(() => expect(person.texts).toEqual(['It says: the page at https://example.com']), 20_000);
    expect(model.asked[0]).toMatchObject({
      model: 'gpt-4o-mini',
      messages: [{ content: 'https://example.com 上写了什么?' }],
    });
    person.script = () => ({ status: 'denied', reason: 'user_refused' });
    await person.say(conversationId, '再请求一次');
    await vi.waitFor(() => expect(person.texts[1]).toBe('工具调用失败:tool denied: user_refused'), 20_000);
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
    person.script = () => ({ status: 'error', reason: 'tool_timeout' });
    await expect(ask('second')).rejects.toThrow('tool error: tool_timeout');
  });
});
