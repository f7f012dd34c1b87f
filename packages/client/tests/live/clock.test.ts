import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAgent, type Bot, Hands, nextPrompt, type Person, waitUntil } from './rig.ts';
import { World } from './world.ts';

const HOUR = 60 * 60 * 1000;

let world: World;
let person: Person;
let bot: Bot;
const botHands = new Hands();

beforeAll(async () => {
  world = await World.start();
  person = await world.person();
  bot = await world.bot({ platform: botHands.platform });
});
afterAll(() => world?.end());

/** Time passes for everyone. */
async function pass(ms: number): Promise<void> {
  world.server.clock.advance(ms);
  person.hands.advance(ms);
  botHands.advance(ms);
  await waitUntil(person.device.connection, (status) => status === 'online');
}

describe('CG-6 the clock set by hand', () => {
  it('CG-6 a silent window slides with each use and ends 24 hours after the last', async () => {
    const { conversationId } = await addAgent(person.device, bot.agentId);
    const call = () => bot.call(conversationId, { tool_name: 'say_medium' });
    const first = call();
    (await nextPrompt(person.device)).allow();
    expect(await first).toMatchObject({ status: 'ok' });
    for (let use = 0; use < 2; use++) {
      await pass(23 * HOUR);
      expect(await call()).toMatchObject({ status: 'ok' });
    }
    expect(person.device.prompts.getSnapshot()).toEqual([]);
    await pass(24 * HOUR);
    const last = call();
    (await nextPrompt(person.device)).deny();
    expect(await last).toMatchObject({ status: 'denied', reason: 'user_refused' });
  });

  it('TC-2 a prompt that nobody answers is over after five minutes', async () => {
    const relation = person.device.relations.getSnapshot()[0]!;
    const answer = bot.call(relation.conversationId, { tool_name: 'say_high' });
    await nextPrompt(person.device);
    await pass(5 * 60_000);
    expect(await answer).toMatchObject({ status: 'denied', reason: 'user_timeout' });
  });
});
