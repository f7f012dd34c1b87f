import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MANIFEST } from '../../guard-fixtures.ts';
import { addAgent, createDisk, deviceOf, Hands, newClient, nextPrompt, type Person } from '../rig.ts';
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
  bot = await world.webhookBot({ ...MANIFEST, capability_flags: { supports_group_chat: true } });
  ({ conversationId } = await addAgent(person.device, bot.agentId));
});

const call = (level: string, where = conversationId) => bot.agent.callTool(where, `say_${level}`, { text: level });

describe('TC-8 a group', () => {
  it('TC-8 nobody is asked and nothing runs, on whoever’s device: the promise is refused', async () => {
    const friend = await world.person();
    const members = [
      { kind: 'agent', id: bot.agentId },
      { kind: 'human', id: friend.device.accountId },
    ] as const;
    const group = await person.device.conversations.startGroup('Friends', members);
    for (const level of ['low', 'high']) {
      await expect(call(level, group)).rejects.toMatchObject({
        status: 'denied',
        reason: 'tool_not_supported_in_group',
      });
    }
    for (const { device, ran } of [person, friend]) {
      expect(device.prompts.getSnapshot()).toEqual([]);
      expect(ran).toEqual([]);
    }
  });
});

describe('CG-6 the clock set by hand', () => {
  it('CG-6 nobody answers a high prompt for 30 seconds: it is refused, and a yes after that is none', async () => {
    const refused = expect(call('high')).rejects.toMatchObject({ status: 'denied', reason: 'user_timeout' });
    const prompt = await nextPrompt(person.device);
    prompt.shown();
    person.hands.advance(20_000);
    expect(person.device.prompts.getSnapshot()).toHaveLength(1);
    person.hands.advance(10_000);
    prompt.allow();
    await refused;
    expect(await call('low')).toEqual({ said: 'low' });
    expect(person.ran.map(({ tool }) => tool)).toEqual(['say_low']);
    expect(bot.answers.filter(({ call_id }) => call_id === prompt.callId)).toHaveLength(1);
  });

  it('CG-6 the device slept over its 30 seconds: the yes that wakes it is none', async () => {
    const refused = expect(call('high')).rejects.toMatchObject({ status: 'denied', reason: 'user_timeout' });
    const prompt = await nextPrompt(person.device);
    prompt.shown();
    person.hands.oversleep(30_000);
    prompt.allow();
    await refused;
    expect(person.ran).toEqual([]);
  });

  // The last one: whoever signed in before it has to sign in again.
  it('TC-2 a call that ran out while the device was away is not asked about', async () => {
    const disk = createDisk();
    const hands = new Hands();
    const away = await world.person({ store: disk.open(), hands });
    const relation = await addAgent(away.device, bot.agentId);
    await away.client.close();
    const { artifact_id: callId } = await bot.agent.sendArtifact(relation.conversationId, {
      subtype: 'tool_call',
      tool_name: 'say_high',
      arguments: { text: 'quick' },
    });
    for (const clock of [world.server.clock, hands]) clock.advance(5 * 60_000);
    const { client, ran } = await newClient(world.server, { store: disk.open(), hands });
    world.atEnd(() => client.close());
    const asked = vi.fn();
    deviceOf(client).prompts.subscribe(asked);
    await until(() => expect(bot.answers.some(({ call_id }) => call_id === callId)).toBe(true));
    expect(bot.answers).toMatchObject([{ call_id: callId, status: 'denied', reason: 'user_timeout' }]);
    expect(asked).not.toHaveBeenCalled();
    expect(ran).toEqual([]);
  });
});
