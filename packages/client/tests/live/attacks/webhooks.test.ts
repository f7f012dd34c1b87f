import { randomUUID } from 'node:crypto';
import { createWebhookHandler } from '@parley/agent/webhook';
import { webhookRoutes } from '@parley/protocol';
import { type Delivery, signedHeaders } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAgent, nextPrompt, type Person } from '../rig.ts';
import type { WebhookBot } from '../webhook-bot.ts';
import { World } from '../world.ts';

let world: World;
let person: Person;
let bot: WebhookBot;
let conversationId: string;

beforeAll(async () => {
  world = await World.start();
  person = await world.person();
});
afterAll(() => world?.end());
beforeEach(async () => {
  bot = await world.webhookBot();
  ({ conversationId } = await addAgent(person.device, bot.agentId));
});

const answersTaken = () => bot.deliveriesOf('artifact_response');

/** A call that was answered, and the request that brought the answer. */
async function capture(): Promise<Delivery> {
  expect(await bot.agent.callTool(conversationId, 'say_low', { text: 'once' })).toEqual({ said: 'once' });
  await until(() => expect(answersTaken()).toHaveLength(1));
  return answersTaken()[0]!;
}

async function post(to: WebhookBot, body: string, headers: Headers | Record<string, string>) {
  const kept = [...new Headers(headers)].filter(([name]) => /^(x-hashee|webhook)-/.test(name));
  const response = await fetch(to.endpoint.url, { method: 'POST', body, headers: Object.fromEntries(kept) });
  return { status: response.status, ...((await response.json()) as { outcome: string }) };
}

/** What only the server can do: a delivery of its own, in order but for what is in it. */
function forge(to: WebhookBot, body: string, change: object = {}) {
  const delivery_id = randomUUID();
  const text = JSON.stringify({ ...JSON.parse(body), delivery_id, ...change });
  return post(to, text, signedHeaders(to.secret, { deliveryId: delivery_id, at: new Date(), body: text }));
}

async function expectNothing(to = bot, told = 1): Promise<void> {
  await to.agent.idle();
  expect(to.answers).toHaveLength(told);
}

describe('replay an answer', () => {
  it('TR-6 attack: the owner’s “redeliver”, again and again: 200 each time, told once', async () => {
    const { body } = await capture();
    const { delivery_id } = JSON.parse(body);
    for (let n = 2; n < 4; n++) {
      await world.owner.call(webhookRoutes.redeliver, { params: { agent_id: bot.agentId, delivery_id } });
      await until(() => expect(answersTaken()).toHaveLength(n));
      expect(answersTaken().at(-1)).toMatchObject({ status: 200, outcome: 'repeated' });
    }
    await expectNothing();
  });

  it('SK-5 attack: whoever has seen the request sends it again, byte for byte, also to the next process', async () => {
    const { body, headers } = await capture();
    expect(await post(bot, body, headers)).toEqual({ status: 200, outcome: 'repeated' });
    await bot.boot();
    expect(await post(bot, body, headers)).toEqual({ status: 200, outcome: 'repeated' });
    await expectNothing();
  });

  it('SK-5 attack: the same request twice at once, before it was ever handled: it is handled once', async () => {
    const answer = bot.agent.callTool(conversationId, 'say_high', { text: 'once' });
    const prompt = await nextPrompt(person.device);
    bot.fail(500);
    prompt.allow();
    await until(() => expect(answersTaken()).toHaveLength(1));
    const { body, headers } = answersTaken()[0]!;
    bot.answerDeliveries();
    const outcomes = await Promise.all([post(bot, body, headers), post(bot, body, headers)]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['handled', 'repeated']);
    expect(await answer).toEqual({ said: 'once' });
    await expectNothing();
  });

  it('SK-5 attack: a signature from more than five minutes ago', async () => {
    const { body, headers } = await capture();
    const later = () => new Date(Date.now() + 301_000);
    bot.endpoint.handler = createWebhookHandler(bot.agent, { now: later });
    expect(await post(bot, body, headers)).toEqual({ status: 401, outcome: 'signature' });
    await expectNothing();
  });

  it('SK-5 attack: another timestamp over the same signature', async () => {
    const { body, headers } = await capture();
    const fresh = new Headers(headers);
    const timestamp = String(Number(headers.get('x-hashee-timestamp')) + 1);
    for (const name of ['x-hashee-timestamp', 'webhook-timestamp']) fresh.set(name, timestamp);
    expect(await post(bot, body, fresh)).toEqual({ status: 401, outcome: 'signature' });
    await expectNothing();
  });

  it('SK-5 attack: the server itself delivers it anew, signed and all, also to the next process', async () => {
    const { body } = await capture();
    expect(await forge(bot, body)).toEqual({ status: 200, outcome: 'repeated' });
    await bot.boot();
    expect(await forge(bot, body, { type: 'message.new' })).toEqual({ status: 200, outcome: 'repeated' });
    await expectNothing();
  });
});

describe('send an answer to another agent', () => {
  it('SK-5 attack: by whoever has seen the request, or by a server that signs it for the other one', async () => {
    const { body, headers } = await capture();
    const other = await world.webhookBot();
    expect(await post(other, body, headers)).toEqual({ status: 401, outcome: 'signature' });
    expect(await forge(other, body)).toEqual({ status: 400, outcome: 'agent' });
    expect(await forge(other, body, { agent_id: other.agentId })).toEqual({ status: 200, outcome: 'refused' });
    await expectNothing(other, 0);
  });
});
