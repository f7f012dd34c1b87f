import { conversationRoutes } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANIFEST } from '../guard-fixtures.ts';
import { addAgent, type Bot, makeExecutors, nextPrompt, type Person, type Ran, waitUntil } from './rig.ts';
import { World } from './world.ts';

let world: World;
let person: Person;
let bot: Bot;
let conversationId: string;
/** What the executors do next. */
let act: (signal: AbortSignal) => Promise<never> | undefined = () => undefined;

beforeAll(async () => {
  world = await World.start();
  const ran: Ran[] = [];
  const executors = makeExecutors(ran, async (args, signal) => (await act(signal)) ?? { said: args.text ?? null });
  person = await world.person({ ran, executors });
  const extra = { ...MANIFEST.tools[0]!, name: 'say_nowhere' };
  const manifest = {
    ...MANIFEST,
    tools: [...MANIFEST.tools, extra],
    capability_flags: { supports_group_chat: true },
  };
  bot = await world.bot({ manifest });
  ({ conversationId } = await addAgent(person.device, bot.agentId));
});
afterAll(() => world?.end());

describe('every row of the status and reason tables, over the socket', () => {
  it('TC-4 ok: a low tool runs without a question and the result comes back', async () => {
    const answer = await bot.call(conversationId, { tool_name: 'say_low', arguments: { text: 'hi' } });
    expect(answer).toEqual({
      subtype: 'tool_response',
      call_id: expect.any(String),
      status: 'ok',
      result: { said: 'hi' },
    });
    expect(person.ran.at(-1)).toEqual({ tool: 'say_low', args: { text: 'hi' } });
  });

  it('CG-6 ok: a medium tool is asked about once, then silent', async () => {
    const first = bot.call(conversationId, { tool_name: 'say_medium' });
    const prompt = await nextPrompt(person.device);
    expect(prompt).toMatchObject({ level: 'medium', agentName: 'Bot', canAlwaysDeny: false });
    prompt.allow();
    expect(await first).toMatchObject({ status: 'ok' });
    expect(await bot.call(conversationId, { tool_name: 'say_medium' })).toMatchObject({ status: 'ok' });
    expect(person.device.remembered.getSnapshot().windows).toMatchObject([{ tool: 'say_medium', agentName: 'Bot' }]);
  });

  it('TC-4 denied / user_refused', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high' });
    (await nextPrompt(person.device)).deny();
    expect(await answer).toMatchObject({ status: 'denied', reason: 'user_refused' });
  });

  it('TC-4 denied / user_timeout: 30 seconds by a clock set by hand', async () => {
    const answer = bot.call(conversationId, { tool_name: 'say_high' });
    (await nextPrompt(person.device)).shown();
    person.hands.advance(30_000);
    expect(await answer).toMatchObject({ status: 'denied', reason: 'user_timeout' });
  });

  it('TC-2 denied / user_timeout: a call that is over when it arrives', async () => {
    const expires_at = new Date(Date.now() - 1_000).toISOString();
    const answer = await bot.call(conversationId, { tool_name: 'say_low', expires_at });
    expect(answer).toMatchObject({ status: 'denied', reason: 'user_timeout' });
  });

  it('TC-4 denied / tool_not_declared', async () => {
    const answer = await bot.call(conversationId, { tool_name: 'format_disk', permission_scope: 'note:low' });
    expect(answer).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
  });

  it('CG-3 denied / scope_not_granted: a call that names a weaker scope', async () => {
    const answer = await bot.call(conversationId, { tool_name: 'say_high', permission_scope: 'note:low' });
    expect(answer).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
  });

  it('TC-4 denied / scope_not_granted, then permission_revoked', async () => {
    const other = await world.bot();
    const relation = await addAgent(person.device, other.agentId, ['note:low']);
    const denied = await other.call(relation.conversationId, { tool_name: 'say_medium' });
    expect(denied).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
    await person.device.relations.revokeScope(relation.relationId, 'note:low');
    const revoked = await other.call(relation.conversationId, { tool_name: 'say_low' });
    expect(revoked).toMatchObject({ status: 'denied', reason: 'permission_revoked' });
    expect(person.device.relations.history(relation.relationId).map(({ action }) => action)).toEqual([
      'grant',
      'change',
    ]);
  });

  it('TC-8 denied / tool_not_supported_in_group', async () => {
    const group = await person.device.conversations.startGroup('Friends', [{ kind: 'agent', id: bot.agentId }]);
    const answer = await bot.call(group, { tool_name: 'say_low' });
    expect(answer).toMatchObject({ status: 'denied', reason: 'tool_not_supported_in_group' });
    expect(
      await bot.api.call(conversationRoutes.readConversation, { params: { conversation_id: group } }),
    ).toMatchObject({
      kind: 'group',
    });
  });

  it('TC-5 error / TOOL_INVALID_ARGUMENTS', async () => {
    const answer = await bot.call(conversationId, { tool_name: 'say_low', arguments: { text: 7 } });
    expect(answer).toMatchObject({
      status: 'error',
      reason: 'TOOL_INVALID_ARGUMENTS',
      error_code: 'TOOL_INVALID_ARGUMENTS',
      message: expect.stringContaining('/text'),
    });
  });

  it('TC-5 error / TOOL_UNAVAILABLE', async () => {
    const answer = await bot.call(conversationId, { tool_name: 'say_nowhere', permission_scope: 'note:low' });
    expect(answer).toMatchObject({ status: 'error', reason: 'TOOL_UNAVAILABLE', error_code: 'TOOL_UNAVAILABLE' });
  });

  it('TC-5 error / TOOL_PLATFORM_ERROR', async () => {
    act = () => Promise.reject(new Error('secret detail'));
    const answer = await bot.call(conversationId, { tool_name: 'say_low' });
    act = () => undefined;
    expect(answer).toMatchObject({ status: 'error', reason: 'TOOL_PLATFORM_ERROR', error_code: 'TOOL_PLATFORM_ERROR' });
    expect(JSON.stringify(answer)).not.toContain('secret detail');
  });

  it('TC-5 error / tool_timeout', async () => {
    act = () => new Promise<never>(() => {});
    const answer = await bot.call(conversationId, { tool_name: 'say_low', timeout_ms: 1 });
    act = () => undefined;
    expect(answer).toMatchObject({ status: 'error', reason: 'tool_timeout', error_code: 'tool_timeout' });
  });

  it('CG-12 every one of them is in the audit log, which verifies', async () => {
    const records = await person.device.audit.list();
    const reasons = new Set(records.map(({ status, reason }) => reason ?? status));
    expect([...reasons].sort()).toEqual([
      'TOOL_INVALID_ARGUMENTS',
      'TOOL_PLATFORM_ERROR',
      'TOOL_UNAVAILABLE',
      'ok',
      'permission_revoked',
      'scope_not_granted',
      'tool_not_declared',
      'tool_not_supported_in_group',
      'tool_timeout',
      'user_refused',
      'user_timeout',
    ]);
    expect(await person.device.audit.verify()).toMatchObject({ ok: true });
  });

  it('CG-10 the conversation shows each call with how it ended', async () => {
    const timeline = person.device.conversations.timeline(conversationId);
    const { messages } = await waitUntil(timeline, ({ loaded }) => loaded);
    const states = messages.filter(({ call }) => call !== undefined).map(({ call }) => call!.response?.status);
    expect(states.length).toBeGreaterThan(8);
    expect(states).not.toContain(undefined);
  });
});
