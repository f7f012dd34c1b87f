import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HasheeAgent } from '@parley/agent';
import { createMemoryStore } from '@parley/messenger';
import { ensureLocalAgent } from '@parley/server';
import { startHashee } from '@parley/system-agent';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MANIFEST, makeFolder, Person } from './scene.ts';

let server: TestServer;
let model: Server;
let reply: (text: string) => string;
let asked: string[];
let hashee: HasheeAgent;
let ada: Person;
/** Everything that ever reaches the agent. */
const received: unknown[] = [];

beforeAll(async () => {
  server = await startTestServer();
  model = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => (body += text));
    request.on('end', () => {
      asked.push(body);
      const content = reply(JSON.parse(body).messages[1].content);
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1/`;
  const { path: tokenFile, remove } = makeFolder();
  const account = (await ensureLocalAgent(server.platform, {
    name: 'Hashee',
    manifest: MANIFEST,
    tokenFile,
    system: true,
  }))!;
  remove();
  hashee = await startHashee({
    ...account,
    baseUrl: server.url,
    keystore: createMemoryStore(),
    model: { baseUrl, name: 'stub' },
    onError: (error) => received.push(error),
  });
  hashee.addMessageHandler((message) => received.push(message));
  hashee.addEventHandler((event) => received.push(event));
});
afterAll(async () => {
  await hashee.disconnect();
  model.close();
  await server.drop();
});
beforeEach(async () => {
  received.length = 0;
  asked = [];
  reply = () => '{"intent": "help"}';
  ada = await (await Person.join(server)).meet();
});
afterEach(() => ada.client.close());

describe('SA-2 what reaches Hashee', () => {
  it('SA-2 attack: tokens and secrets that it has made are in nothing it receives', async () => {
    const bot = await ada.own('DemoBot');
    await ada.say('轮换 DemoBot 的 token');
    await ada.answer(await ada.card(), 'go');
    expect(await ada.text()).toContain('新的令牌');
    await ada.say('create an agent called Weather');
    await ada.answer(await ada.card(), 'go', { name: 'Weather', description: 'Tells it', visibility: 'public' });
    expect(await ada.text()).toContain('I created Weather');
    await ada.say('switch DemoBot to webhook');
    await ada.answer(await ada.card(), 'go', { url: 'https://bot.example/hook' });
    await ada.answer(await ada.card(), 'go');
    expect(await ada.text()).toContain('signing secret');

    expect(ada.secrets.map(({ kind, agentName }) => [kind, agentName])).toEqual([
      ['agent_token', 'DemoBot'],
      ['agent_token', 'Weather'],
      ['webhook_secret', 'DemoBot'],
    ]);
    // The first one is real, so that what is looked for below would be there.
    const self = await server.call('GET', `/agents/${bot.agentId}`, { token: ada.secrets[0]!.secret });
    expect(self.body.warnings).toEqual([]);
    const everything = JSON.stringify([received, ada.device.conversations.timeline(ada.conversationId).getSnapshot()]);
    expect(everything).toContain('token_shown');
    for (const { secret } of ada.secrets) expect(everything).not.toContain(secret);
    expect(everything).not.toMatch(/hsk_|whsec_/);
    const kept = JSON.stringify([await ada.device.audit.list(), await ada.everythingKept()]);
    for (const { secret } of ada.secrets) expect(kept).not.toContain(secret);
  });
});

describe('SA-1 a model, where one is set', () => {
  it('SA-1 is asked only about what the patterns do not understand, and only for one of the same intents', async () => {
    await ada.own('DemoBot');
    await ada.say('list my agents');
    await ada.card();
    expect(asked).toEqual([]);
    reply = (text) => JSON.stringify({ intent: 'rotate_token', name: /DemoBot/.exec(text)?.[0], url: null });
    await ada.say('I think somebody has seen the secret of DemoBot');
    expect(await ada.card()).toMatchObject({ subtype: 'approval', title: 'New token for DemoBot' });
    expect(ada.asked).toEqual([]);
  });

  it.each(['{"intent": "delete_everything"}', 'rm -rf', '{"intent": {"toString": 1}}', 'null', ''])(
    'SA-1 attack: a model that answers %j is help at most',
    async (answer) => {
      reply = () => answer;
      await ada.say('please do something unusual for me');
      expect(await ada.text()).toContain('I didn’t understand that.');
      expect(ada.asked).toEqual([]);
    },
  );

  it('TC-7 attack: one person in a hurry leaves calls for the others', async () => {
    // All within its minute, however long it takes here.
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
    try {
      for (let count = 0; count < 12; count++) {
        await ada.say('list my agents');
        expect(await ada.text()).toContain('no agents yet');
      }
      await ada.say('列出我的 Agent');
      expect(await ada.text()).toMatch(/请求过多，请在 60 秒后再试/u);
    } finally {
      vi.useRealTimers();
    }
    const ben = await (await Person.join(server)).meet();
    await ben.say('list my agents');
    expect(await ben.text()).toContain('no agents yet');
    await ben.client.close();
  });
});
