import { randomUUID } from 'node:crypto';
import { webhookRoutes } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAgent, makeExecutors, nextPrompt, type Person, type Ran, waitUntil } from '../rig.ts';
import type { WebhookBot } from '../webhook-bot.ts';
import { World } from '../world.ts';

let world: World;
let person: Person;
let bot: WebhookBot;
let conversationId: string;
/** Tools that have begun wait for it. */
let finish: () => void;
let mayFinish: Promise<void>;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.end());
beforeEach(async () => {
  mayFinish = Promise.resolve();
  const ran: Ran[] = [];
  const executors = makeExecutors(ran, async ({ text }) => {
    await mayFinish;
    return { said: text ?? null };
  });
  person = await world.person({ ran, executors });
  bot = await world.webhookBot();
  ({ conversationId } = await addAgent(person.device, bot.agentId));
});

const hold = () => {
  mayFinish = new Promise((resolve) => {
    finish = resolve;
  });
};
const call = (level: string) =>
  bot.agent.callTool(conversationId, `say_${level}`, { text: level }, { timeoutMs: 55_000 });
const answersTo = (callId: string) => bot.answers.filter(({ call_id }) => call_id === callId);

/** Whatever was to be delivered before it has been: deliveries keep their order. */
async function expectNothingMore(callId: string): Promise<void> {
  await bot.agent.callTool(conversationId, 'say_low', { text: 'the end' });
  expect(answersTo(callId)).toHaveLength(1);
  expect(person.ran.filter(({ args }) => args.text !== 'the end')).toHaveLength(1);
}

describe('TR-2 the device’s line is cut', () => {
  it('TR-2 after the call arrived, before it is answered: the answer arrives all the same, once', async () => {
    const answer = call('high');
    const prompt = await nextPrompt(person.device);
    person.hands.cut();
    await waitUntil(person.device.connection, (status) => status !== 'online');
    prompt.allow();
    expect(await answer).toEqual({ said: 'high' });
    await expectNothingMore(prompt.callId);
  });

  it('TR-2 while the tool runs', async () => {
    hold();
    const answer = call('low');
    await until(() => expect(person.ran).toHaveLength(1));
    person.hands.cut();
    await waitUntil(person.device.connection, (status) => status !== 'online');
    finish();
    expect(await answer).toEqual({ said: 'low' });
    await expectNothingMore(bot.answers[0]!.call_id);
  });
});

describe('TR-6 the endpoint fails', () => {
  it('TR-6 for a while: the answer comes again until it is taken, and the promise has waited for it', async () => {
    const answer = call('high');
    const prompt = await nextPrompt(person.device);
    bot.fail(500);
    prompt.allow();
    await until(() => expect(bot.deliveriesOf('artifact_response')).toHaveLength(1));
    bot.answerDeliveries();
    expect(await answer).toEqual({ said: 'high' });
    await until(() => expect(bot.deliveriesOf('artifact_response')).toHaveLength(2));
    const attempts = bot.deliveriesOf('artifact_response');
    expect(attempts.map(({ status }) => status)).toEqual([500, 200]);
    const [first, second] = attempts.map(({ headers }) => headers);
    expect(second!.get('x-hashee-delivery-id')).toBe(first!.get('x-hashee-delivery-id'));
    expect(second!.get('x-hashee-signature')).not.toBe(first!.get('x-hashee-signature'));
    await expectNothingMore(prompt.callId);
  });

  it('TR-6 after it took the answer: what comes again is answered 200 and settles nothing twice', async () => {
    const answer = call('high');
    const prompt = await nextPrompt(person.device);
    const take = bot.endpoint.handler!;
    bot.endpoint.handler = async (request) => {
      await take(request);
      return new Response(null, { status: 502 });
    };
    prompt.allow();
    expect(await answer).toEqual({ said: 'high' });
    await until(() => expect(bot.deliveriesOf('artifact_response')).toHaveLength(1));
    bot.answerDeliveries();
    await until(() => expect(bot.deliveriesOf('artifact_response')).toHaveLength(2));
    expect(bot.deliveriesOf('artifact_response')[1]).toMatchObject({ status: 200, outcome: 'repeated' });
    await expectNothingMore(prompt.callId);
  });
});

describe('SK-3 the agent’s process ends between call and answer', () => {
  it('SK-3 properly: the promise is given up, and the answer is told to the handlers of the next process', async () => {
    const answer = call('high');
    const given = expect(answer).rejects.toMatchObject({ status: 'error', reason: 'disconnected' });
    const prompt = await nextPrompt(person.device);
    await bot.agent.disconnect();
    await given;
    await bot.boot();
    prompt.allow();
    await until(() => expect(answersTo(prompt.callId)).toMatchObject([{ status: 'ok', result: { said: 'high' } }]));
    await expectNothingMore(prompt.callId);
  });

  it('SK-5 without a word: the next one, over the same store, takes the answer, and once', async () => {
    call('high').catch(() => {});
    const prompt = await nextPrompt(person.device);
    bot.fail(503);
    prompt.allow();
    await until(() => expect(bot.deliveriesOf('artifact_response')).toHaveLength(1));
    await bot.boot();
    await until(() => expect(answersTo(prompt.callId)).toHaveLength(1));
    // As often as it was tried while nobody was there to take it.
    const outcomes = () => bot.deliveriesOf('artifact_response').flatMap(({ outcome }) => outcome ?? []);
    // And the one after it knows what was taken.
    await bot.boot();
    const { delivery_id } = JSON.parse(bot.deliveriesOf('artifact_response')[0]!.body);
    await world.owner.call(webhookRoutes.redeliver, { params: { agent_id: bot.agentId, delivery_id } });
    await until(() => expect(outcomes()).toEqual(['handled', 'repeated']));
    await expectNothingMore(prompt.callId);
  });

  it('CG-11 and the next one asks again under the same call_id: it gets the first answer, nothing runs twice', async () => {
    const call_id = randomUUID();
    const send = () =>
      bot.agent.sendArtifact(conversationId, {
        subtype: 'tool_call',
        call_id,
        tool_name: 'say_high',
        arguments: { text: 'once' },
      });
    await send();
    const prompt = await nextPrompt(person.device);
    await bot.boot();
    await send();
    prompt.allow();
    await until(() => expect(answersTo(call_id)).toHaveLength(2));
    await bot.boot();
    await send();
    await until(() => expect(answersTo(call_id)).toHaveLength(3));
    expect(answersTo(call_id).map(({ result }) => result)).toEqual(Array(3).fill({ said: 'once' }));
    expect(person.ran).toHaveLength(1);
    expect(person.device.prompts.getSnapshot()).toEqual([]);
  });
});
