import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAgent, approve, nextPrompt, type Person, waitUntil } from '../rig.ts';
import type { WebhookBot } from '../webhook-bot.ts';
import { World } from '../world.ts';

let world: World;
let person: Person;
let bot: WebhookBot;
let conversationId: string;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.end());
beforeEach(async () => {
  person = await world.person();
  bot = await world.webhookBot();
  ({ conversationId } = await addAgent(person.device, bot.agentId));
});

const call = (level: string, text: string) => bot.agent.callTool(conversationId, `say_${level}`, { text });

/** A second device, of which the agent is told when it knows the first one already. */
async function addPhone() {
  expect(await call('low', 'before')).toEqual({ said: 'before' });
  const phone = await world.secondDevice(person);
  const device = await approve(person, phone.client);
  await until(() => expect(bot.deliveriesOf('account.devices_changed')).toMatchObject([{ outcome: 'handled' }]));
  return { ...phone, device };
}

async function wrapsOfLastCall(): Promise<number> {
  const { envelope } = await world.server.platform.db
    .selectFrom('messages')
    .select('envelope')
    .where('conversation_id', '=', conversationId)
    .where('sender_kind', '=', 'agent')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return JSON.parse(envelope!).wraps.length;
}

describe('CG-11 two devices of someone whose agent is behind a webhook', () => {
  it('CG-11 exactly one of them runs a low call, and one answer reaches the agent', async () => {
    const phone = await addPhone();
    for (const text of ['1', '2', '3', '4', '5']) expect(await call('low', text)).toEqual({ said: text });
    const ran = [...person.ran, ...phone.ran].map(({ args }) => args.text);
    expect(ran.sort()).toEqual(['1', '2', '3', '4', '5', 'before']);
    expect(new Set(bot.answers.map(({ call_id }) => call_id)).size).toBe(6);
    expect(bot.answers).toHaveLength(6);
    await until(() => expect(bot.deliveriesOf('artifact_response')).toHaveLength(6));
    expect(bot.deliveriesOf('artifact_response').map(({ outcome }) => outcome)).toEqual(Array(6).fill('handled'));
  });

  it('CG-11 both ask; the answer on one closes the prompt of the other, and is the only one', async () => {
    const phone = await addPhone();
    const answer = call('high', 'which?');
    const [here, there] = await Promise.all([nextPrompt(person.device), nextPrompt(phone.device)]);
    expect(here.callId).toBe(there.callId);
    there.allow();
    expect(await answer).toEqual({ said: 'which?' });
    await waitUntil(person.device.prompts, (prompts) => prompts.length === 0);
    here.allow();
    // Deliveries keep their order: a second answer would have come before this one.
    expect(await call('low', 'after')).toEqual({ said: 'after' });
    expect(bot.answers.filter(({ call_id }) => call_id === here.callId)).toHaveLength(1);
    expect([...person.ran, ...phone.ran].filter(({ tool }) => tool === 'say_high')).toHaveLength(1);
    expect(phone.ran.map(({ tool }) => tool)).toContain('say_high');
  });

  it('CG-11 what one refuses the other is not asked about any more', async () => {
    const phone = await addPhone();
    const answer = call('high', 'no');
    const [, there] = await Promise.all([nextPrompt(person.device), nextPrompt(phone.device)]);
    there.deny();
    await expect(answer).rejects.toMatchObject({ status: 'denied', reason: 'user_refused' });
    await waitUntil(person.device.prompts, (prompts) => prompts.length === 0);
    expect([...person.ran, ...phone.ran].map(({ args }) => args.text)).toEqual(['before']);
  });

  it('EE-14 a device that was revoked gets no wrap of the next call', async () => {
    const phone = await addPhone();
    await call('low', 'both');
    expect(await wrapsOfLastCall()).toBe(2);
    await person.device.devices.revoke(phone.device.deviceId);
    await until(() => expect(bot.deliveriesOf('account.devices_changed')).toHaveLength(2));
    await call('low', 'one');
    expect(await wrapsOfLastCall()).toBe(1);
  });
});
