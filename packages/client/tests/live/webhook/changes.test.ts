import { agentRoutes } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describedAs, withRequired } from '../../guard-fixtures.ts';
import { addAgent, nextPrompt, type Person, waitUntil } from '../rig.ts';
import type { WebhookBot } from '../webhook-bot.ts';
import { World } from '../world.ts';

let world: World;
let person: Person;
let bot: WebhookBot;
let conversationId: string;
let relationId: string;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.end());
beforeEach(async () => {
  person = await world.person();
  bot = await world.webhookBot();
  ({ conversationId, relationId } = await addAgent(person.device, bot.agentId));
});

const call = (level: string, signal?: AbortSignal) =>
  bot.agent.callTool(conversationId, `say_${level}`, { text: level }, signal && { signal });
const told = (type: string) => bot.events.filter((event) => event.type === type);
const view = () => person.device.relations.getSnapshot().find((one) => one.relationId === relationId)!;
const when = (fits: () => boolean) => waitUntil(person.device.relations, fits);

describe('while a call waits for its person', () => {
  it('CG-3 its scope is taken back: the prompt closes, the promise is refused, nothing runs', async () => {
    const answer = call('high');
    const refused = expect(answer).rejects.toMatchObject({ status: 'denied', reason: 'permission_revoked' });
    const prompt = await nextPrompt(person.device);
    await person.device.relations.revokeScope(relationId, 'note:high');
    await refused;
    expect(person.device.prompts.getSnapshot()).toEqual([]);
    prompt.allow();
    expect(await call('low')).toEqual({ said: 'low' });
    expect(person.ran.map(({ tool }) => tool)).toEqual(['say_low']);
  });

  it('RL-7 the relation is ended: nothing runs, and the agent is told of the end', async () => {
    const patience = new AbortController();
    const answer = call('high', patience.signal);
    const ended = expect(answer).rejects.toThrow();
    const prompt = await nextPrompt(person.device);
    await person.device.relations.end(relationId);
    expect(person.device.prompts.getSnapshot()).toEqual([]);
    prompt.allow();
    await until(() => expect(told('relation.revoked')).toMatchObject([{ agent_id: bot.agentId }]));
    // Whether the refusal was on its way before the end or not, there is nothing to wait for.
    patience.abort();
    await ended;
    await expect(call('low')).rejects.toMatchObject({ status: 'error', reason: 'NOT_FOUND' });
    expect(person.ran).toEqual([]);
  });

  it('RL-11 the agent is suspended: a yes is none any more; once it is restored it may ask again', async () => {
    const patience = new AbortController();
    const given = expect(call('high', patience.signal)).rejects.toThrow();
    const prompt = await nextPrompt(person.device);
    const params = { agent_id: bot.agentId };
    await world.owner.call(agentRoutes.suspendAgent, { params });
    await when(() => view().status === 'suspended');
    expect(person.device.prompts.getSnapshot()).toEqual([]);
    prompt.allow();
    await until(() => expect(told('relation.suspended')).toHaveLength(1));
    patience.abort();
    await given;
    // The device asks the server once more before it refuses (EE-24): the agent comes back after that.
    await until(async () => expect(await person.device.audit.list()).toHaveLength(1));
    await world.owner.call(agentRoutes.resumeAgent, { params });
    await when(() => view().status === 'active');
    await until(() => expect(told('relation.restored')).toHaveLength(1));
    expect(person.ran).toEqual([]);
    const again = call('high');
    (await nextPrompt(person.device)).allow();
    expect(await again).toEqual({ said: 'high' });
    expect(person.ran).toHaveLength(1);
  });

  it('RL-1 the agent’s token is changed: the answer is taken, and the next call needs the new one', async () => {
    const answer = call('high');
    const prompt = await nextPrompt(person.device);
    const { token } = await world.owner.call(agentRoutes.rotateToken, {
      params: { agent_id: bot.agentId },
      body: { overlap_seconds: 0 },
    });
    prompt.allow();
    expect(await answer).toEqual({ said: 'high' });
    await expect(call('low')).rejects.toMatchObject({ status: 'error', reason: 'UNAUTHENTICATED' });
    bot.token = token;
    await bot.boot();
    expect(await call('low')).toEqual({ said: 'low' });
    // What was said to have failed is not sent by the next process after all (TR-3).
    expect(person.ran.map(({ tool }) => tool)).toEqual(['say_high', 'say_low']);
  });
});

describe('the manifest changes while a prompt is open', () => {
  it('CG-7 and the tool is as it was: the prompt stays, and its answer counts', async () => {
    const answer = call('high');
    const { id } = await nextPrompt(person.device);
    await bot.publish(describedAs('low', 'Other words', '1.1.0'));
    await when(() => view().currentVersion === 2);
    const prompt = await nextPrompt(person.device);
    expect(prompt.id).toBe(id);
    prompt.allow();
    expect(await answer).toEqual({ said: 'high' });
  });

  it('CG-7 and the tool is described otherwise: it is asked again, and what was allowed before is not', async () => {
    const answer = call('high');
    const before = await nextPrompt(person.device);
    await bot.publish(describedAs('high', 'Something else', '1.1.0'));
    const [prompt] = await waitUntil(person.device.prompts, ([first]) => first !== undefined && first.id !== before.id);
    before.allow();
    expect(person.ran).toEqual([]);
    expect(prompt!.tool.description).toBe('Something else');
    prompt!.allow();
    expect(await answer).toEqual({ said: 'high' });
    expect(person.ran).toHaveLength(1);
  });

  it('RL-9 in a breaking way: the call is refused, the agent is told why, and works again once it is agreed to', async () => {
    const refused = expect(call('high')).rejects.toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
    const prompt = await nextPrompt(person.device);
    await bot.publish(withRequired('high', '2.0.0'));
    await refused;
    prompt.allow();
    expect(person.device.prompts.getSnapshot()).toEqual([]);
    await until(() => expect(told('h2a.reauth_required')).toMatchObject([{ scopes_requiring_reauth: ['note:high'] }]));
    expect(await call('low')).toEqual({ said: 'low' });
    const { manifestHash } = await person.device.relations.review(relationId);
    await person.device.relations.answer(relationId, ['note:high'], manifestHash);
    await until(() => expect(told('agent.capability_changed').length).toBeGreaterThan(0));
    const again = bot.agent.callTool(conversationId, 'say_high', { text: 'a', to: 'b' });
    (await nextPrompt(person.device)).allow();
    expect(await again).toEqual({ said: 'a' });
    expect(person.ran.map(({ tool }) => tool)).toEqual(['say_low', 'say_high']);
  });
});
