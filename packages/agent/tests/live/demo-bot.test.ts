import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HasheeAgent } from '@parley/agent';
import { nodeExecutors } from '@parley/client/node';
import { startDemoBot } from '@parley/demo-bot';
import { type Manifest, validateManifest } from '@parley/documents';
import { createMemoryStore } from '@parley/messenger';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Asked, chatCompletion, startStubModel } from '../harness/stub-model.ts';
import { Household } from './household.ts';

const file = new URL('../../../../examples/demo-bot/manifest.json', import.meta.url);
const MANIFEST = JSON.parse(readFileSync(file, 'utf8')) as Manifest;

let server: TestServer;
let site: Server;
let url: string;
let home: Household;
let bot: HasheeAgent;
let conversationId: string;
let shown: string[];
let errors: unknown[];

beforeAll(async () => {
  server = await startTestServer();
  site = createServer((_, response) => response.end('<html><h1>An example</h1> of a page</html>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const executors = nodeExecutors({
    network: { allowPrivate: true },
    notify: ({ title }) => void shown.push(title),
    location: { latitude: 31.2304, longitude: 121.4737 },
  });
  home = await Household.move(server, executors);
});
afterAll(async () => {
  await home.client.close();
  site.close();
  await server.drop();
});
beforeEach(async () => {
  shown = [];
  errors = [];
  home.asked.length = 0;
  home.decide = (prompt) => prompt.allow();
  const account = await home.createAgent(MANIFEST);
  const options = {
    baseUrl: server.url,
    keystore: createMemoryStore(),
    onError: (error: unknown) => errors.push(error),
  };
  bot = await startDemoBot({ ...account, ...options });
  ({ conversationId } = await home.add(account.agentId));
});
afterEach(async () => {
  await bot.disconnect();
  vi.unstubAllEnvs();
  expect(errors).toEqual([]);
});

/** What the bot says to this. */
async function ask(text: string): Promise<string> {
  const before = home.heard(conversationId).length;
  await home.say(conversationId, text);
  await until(() => expect(home.heard(conversationId).length).toBe(before + 1));
  return home.heard(conversationId).at(-1)!;
}

describe('SK-3 DemoBot', () => {
  it('CM-15 its manifest has nothing wrong with it, in either language', () => {
    expect(validateManifest(MANIFEST).findings).toEqual([]);
    const texts = [...MANIFEST.tools, ...MANIFEST.permission_scopes].map((one) =>
      Object.keys(('label_fallback' in one ? one.label_fallback : one.description_fallback) as object),
    );
    for (const locales of texts) expect(locales).toEqual(['en', 'zh-CN']);
  });

  it('CG-6 low: shows a notification without asking', async () => {
    expect(await ask('notify me to drink water')).toBe('Done.');
    expect(await ask('提醒我喝水')).toBe('已通知。');
    expect(shown).toEqual(['drink water', '喝水']);
    expect(home.asked).toEqual([]);
  });

  it('CG-6 medium: reads a page, asking once', async () => {
    expect(await ask(`what is on ${url}?`)).toBe(`${url} (200): An example of a page`);
    expect(await ask(`${url} 上写了什么？`)).toContain('An example');
    expect(home.asked).toHaveLength(1);
  });

  it('CG-6 high: asks each time where the person is, and takes no for an answer', async () => {
    expect(await ask('where am I?')).toBe('You are at 31.230, 121.474');
    home.decide = (prompt) => prompt.deny();
    expect(await ask('我在哪里')).toBe('好的，那就不做了。');
    expect(home.asked).toHaveLength(2);
  });

  it('SK-3 WC-71 says in words what went wrong, and what it can do', async () => {
    expect(await ask('http://127.0.0.1:1/')).toBe('Your device tried, but it didn’t work. Ask me again in a moment.');
    expect(await ask('hello')).toContain('https://example.com');
    expect(await ask('你好')).toContain('提醒我喝水');
  });

  it('SK-4 lets a model decide where one is set', async () => {
    const model = await startStubModel(({ messages }: Asked) => {
      const told = messages.find(({ role }: Asked) => role === 'tool');
      if (told !== undefined) return chatCompletion(`The model read: ${JSON.parse(told.content).body}`);
      return chatCompletion(null, [{ id: 'call_1', name: 'fetch_url', arguments: JSON.stringify({ url }) }]);
    });
    vi.stubEnv('OPENAI_BASE_URL', model.url);
    try {
      expect(await ask('is it a page?')).toBe('The model read: <html><h1>An example</h1> of a page</html>');
      expect(model.asked[0].tools).toHaveLength(3);
    } finally {
      await model.close();
    }
  });

  it('SK-4 attack: a model that redirects does not send what a person wrote elsewhere', async () => {
    const elsewhere = await startStubModel(() => chatCompletion('I read it.'));
    const redirecting = createServer((_, response) =>
      response.writeHead(307, { location: `${elsewhere.url}/chat/completions` }).end(),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('OPENAI_BASE_URL', `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`);
    try {
      expect(await ask('a secret')).toBe('The model answered with the error 307.');
      expect(elsewhere.asked).toEqual([]);
    } finally {
      redirecting.close();
      await elsewhere.close();
    }
  });
});
