import { waitUntil } from '@parley/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAgent } from '../rig.ts';
import { World } from '../world.ts';

const YEAR_9999 = '9999-12-31T23:59:59Z';
const FIFTEEN_MINUTES = 15 * 60_000;

describe('CG-14 an agent that floods a person with questions', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world?.end());

  it('CG-14 attack: 12 questions until the year 9999: ten wait, for fifteen minutes; another agent comes second; all stop at one answer', async () => {
    const { device } = await world.person();
    const [eager, patient] = [await world.bot(), await world.bot()];
    const loud = await addAgent(device, eager.agentId);
    const quiet = await addAgent(device, patient.agentId);
    const started = Date.now();
    const calls = Array.from({ length: 12 }, (_, at) =>
      eager.call(loud.conversationId, {
        tool_name: 'say_medium',
        arguments: { text: `${at}` },
        expires_at: YEAR_9999,
      }),
    );
    const full = await Promise.race(calls);
    expect(full).toMatchObject({ status: 'denied', reason: 'user_timeout', retry_after_ms: expect.any(Number) });
    const other = patient.call(quiet.conversationId, { tool_name: 'say_medium' });
    const queue = await waitUntil(device.prompts, (all) => all.some(({ agentId }) => agentId === patient.agentId));
    expect(queue.filter(({ agentId }) => agentId === eager.agentId)).toHaveLength(10);
    expect(queue[1]).toMatchObject({ agentId: patient.agentId, canStopAsking: false });
    expect(queue.every(({ expiresAt }) => expiresAt <= Date.now() + FIFTEEN_MINUTES)).toBe(true);
    expect(queue[0]).toMatchObject({ canStopAsking: true, canAlwaysDeny: false });
    expect(queue[0]!.expiresAt).toBeGreaterThan(started);
    queue[0]!.stopAsking();
    const answers = await Promise.all(calls);
    expect(answers.every(({ status, retry_after_ms: wait }) => status === 'denied' && wait !== undefined)).toBe(true);
    expect(device.remembered.getSnapshot().questionStops).toMatchObject([{ agentId: eager.agentId }]);
    device.prompts.getSnapshot()[0]!.allow();
    expect(await other).toMatchObject({ status: 'ok' });
    expect(await device.audit.list()).toHaveLength(13);
  });
});
