import { randomUUID } from 'node:crypto';
import { HasheeAgent } from '@parley/agent';
import { createWebhookHandler, WebhookAgent, type WebhookHandler } from '@parley/agent/webhook';
import { createMemoryStore } from '@parley/messenger';
import { webhookRoutes } from '@parley/protocol';
import {
  type Endpoint,
  signedHeaders,
  startTestServer,
  startWebhookHost,
  type TestServer,
  type WebhookHost,
} from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Person } from './scene.ts';

const args = { url: 'https://example.com' };
let server: TestServer;
let person: Person;
let host: WebhookHost;

beforeAll(async () => {
  server = await startTestServer();
  person = await Person.join(server);
  host = await startWebhookHost();
});
afterAll(async () => {
  await person.messenger.close();
  await host.close();
  await server.drop();
});
beforeEach(() => {
  person.script = (call) => ({ status: 'ok', result: call.arguments });
});

/** Taken by the endpoint without telling the agent. */
const KEPT_BACK = 202;
const keepBack = async () => new Response(null, { status: KEPT_BACK });
const statuses = ({ deliveries }: Endpoint) =>
  deliveries.map(({ status }) => status).filter((status) => status !== KEPT_BACK);

async function prepare() {
  const { agentId, token } = await person.createAgent();
  const endpoint = host.endpoint(agentId, keepBack);
  const { secret } = await person.api.call(webhookRoutes.putWebhook, {
    params: { agent_id: agentId },
    body: { url: endpoint.url },
  });
  return { account: { agentId, token, baseUrl: server.url, webhookSecret: secret! }, endpoint };
}

/** Not before the first delivery, by which the server says that the agent has become a webhook's (EE-7). */
async function handleBy(endpoint: Endpoint, handler: WebhookHandler): Promise<void> {
  await until(() => expect(endpoint.deliveries).toHaveLength(1));
  endpoint.handler = handler;
}

type Account = Awaited<ReturnType<typeof prepare>>['account'];
const logOf = async (agentId: string) => {
  const reply = await person.api.call(webhookRoutes.listDeliveries, { params: { agent_id: agentId }, query: {} });
  return reply.deliveries;
};

describe.each([
  [
    'in Node',
    (account: Account) => HasheeAgent.init({ ...account, connectionMode: 'webhook', keystore: createMemoryStore() }),
  ],
  ['where there is only Fetch', (account: Account) => WebhookAgent.init({ ...account, keystore: createMemoryStore() })],
])('SK-5 an agent behind a webhook, %s', (_, init) => {
  it('SK-5 hears, answers and calls tools', async () => {
    const { account, endpoint } = await prepare();
    const agent = await init(account);
    await handleBy(endpoint, createWebhookHandler(agent));
    const events: string[] = [];
    agent.addEventHandler((event) => events.push(event.type));
    const { conversationId } = await person.add(account.agentId);
    agent.addMessageHandler(async (msg) => {
      const result = await agent.callTool<{ url: string }>(msg.conversation_id, 'fetch_url', args);
      await agent.send(msg.conversation_id, { type: 'text', text: `${msg.payload.text} ${result.url}` });
    });
    await person.say(conversationId, 'look at');
    await until(() => expect(person.texts).toContain('look at https://example.com'));
    // Deliveries of different kinds overtake each other.
    await until(() => expect(events.toSorted()).toEqual(['artifact_response', 'relation.established']));
    expect(person.problems).toEqual([]);
    person.received.length = 0;
    await agent.disconnect();
  });

  it('TR-6 a delivery that is sent again is answered 200 and not handled again', async () => {
    const { account, endpoint } = await prepare();
    const agent = await init(account);
    await handleBy(endpoint, createWebhookHandler(agent));
    const { conversationId } = await person.add(account.agentId);
    const heard: string[] = [];
    agent.addMessageHandler((msg) => heard.push(msg.payload.text));
    await person.say(conversationId, 'once');
    const answered = () =>
      endpoint.deliveries.filter(({ body, status }) => JSON.parse(body).type === 'message.new' && status === 200)
        .length;
    // Not before the server knows that it was delivered: until then that very attempt is the one that is asked for.
    const delivery = await until(async () => {
      const [sent] = (await logOf(account.agentId)).filter(({ event_type }) => event_type === 'message.new');
      expect(sent?.status).toBe('delivered');
      return sent!;
    });
    expect(answered()).toBeGreaterThanOrEqual(1);
    await person.api.call(webhookRoutes.redeliver, {
      params: { agent_id: account.agentId, delivery_id: delivery.delivery_id },
    });
    await until(() => answered() >= 2);
    await agent.idle();
    expect(heard).toEqual(['once']);
    await agent.disconnect();
  });
});

describe('SK-5 attack: a server that delivers old messages as new', () => {
  it('SK-5 refuses what it has seen, and what is older than 25 hours though it has not', async () => {
    const { account, endpoint } = await prepare();
    const errors: unknown[] = [];
    const agent = await HasheeAgent.init({
      ...account,
      connectionMode: 'webhook',
      keystore: createMemoryStore(),
      onError: (error) => errors.push(error),
    });
    const heard: string[] = [];
    agent.addMessageHandler((msg) => heard.push(msg.payload.text));
    const bodies: string[] = [];
    let isLost = false;
    const genuine = createWebhookHandler(agent);
    await handleBy(endpoint, async (request) => {
      const body = await request.clone().text();
      if (body.includes('"message.new"')) bodies.push(body);
      return isLost ? keepBack() : genuine(request);
    });
    const { conversationId } = await person.add(account.agentId);
    await person.say(conversationId, 'seen');
    await until(() => expect(statuses(endpoint)).toHaveLength(2));
    isLost = true;
    await person.say(conversationId, 'lost');
    await until(() => expect(bodies).toHaveLength(2));

    const deliver = async (body: string) => {
      const delivery_id = randomUUID();
      const text = JSON.stringify({ ...JSON.parse(body), delivery_id });
      const headers = signedHeaders(account.webhookSecret, { deliveryId: delivery_id, at: new Date(), body: text });
      const response = await genuine(new Request('https://bot.example', { method: 'POST', body: text, headers }));
      return (await response.json()).outcome;
    };
    expect(await deliver(bodies[0]!)).toBe('repeated');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25.1 * 3_600_000 });
    try {
      expect(await deliver(bodies[1]!)).toBe('refused');
    } finally {
      vi.useRealTimers();
    }
    await agent.idle();
    expect(heard).toEqual(['seen']);
    expect(errors).toMatchObject([{ code: 'UNDECRYPTABLE', params: { reason: 'stale' } }]);
    await agent.disconnect();
  });
});

describe('SK-5 life of a webhook agent', () => {
  it('SK-5 what failed comes again, and is handled once', async () => {
    const { account, endpoint } = await prepare();
    const agent = await HasheeAgent.init({ ...account, connectionMode: 'webhook', keystore: createMemoryStore() });
    const genuine = createWebhookHandler(agent);
    const heard: string[] = [];
    agent.addMessageHandler((msg) => heard.push(msg.payload.text));
    let failures = 0;
    await handleBy(endpoint, async (request) => {
      const response = await genuine(request);
      // Handled, but the answer is lost: the worst moment.
      return failures++ === 0 ? new Response(null, { status: 503 }) : response;
    });
    const { conversationId } = await person.add(account.agentId);
    await person.say(conversationId, 'hello');
    await until(() => expect(statuses(endpoint).filter((status) => status === 200).length).toBeGreaterThanOrEqual(2));
    await agent.idle();
    expect(statuses(endpoint)[0]).toBe(503);
    expect(heard).toEqual(['hello']);
    await agent.disconnect();
  });

  it('SK-5 while the secret is rotated, both are taken', async () => {
    const { account, endpoint } = await prepare();
    const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const agent = await HasheeAgent.init({
      ...account,
      webhookSecret: [next, account.webhookSecret],
      connectionMode: 'webhook',
      keystore: createMemoryStore(),
    });
    await handleBy(endpoint, createWebhookHandler(agent));
    const ping = () => person.api.call(webhookRoutes.testWebhook, { params: { agent_id: account.agentId } });
    await ping();
    await until(() => expect(statuses(endpoint)).toEqual([200]));
    await person.api.call(webhookRoutes.rotateWebhook, {
      params: { agent_id: account.agentId },
      body: { secret: next, overlap_seconds: 0 },
    });
    await ping();
    await until(() => expect(statuses(endpoint)).toEqual([200, 200]));
    await agent.disconnect();
  });
});
