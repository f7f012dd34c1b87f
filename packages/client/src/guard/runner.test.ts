import { ParleyError } from '@parley/base';
import { ApiError, createMemoryStore, MESSENGER_ERRORS } from '@parley/messenger';
import { until } from '@parley/testkit/until';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AGENT, CONVERSATION, held, MANIFEST, makeExecutor, RELATION } from '../../tests/guard-fixtures.ts';
import { GuardRig } from '../../tests/guard-rig.ts';
import { createHistory } from '../conversations/history.ts';
import { ExecutorError } from '../executors/types.ts';
import { isMarkedSent, listRecords, unmarkSent } from './call-record.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LONG = '2027-01-01T00:00:00Z';

let rig: GuardRig;
beforeEach(async () => {
  rig = await new GuardRig().start();
});

const withText = (level: string, text: string) => ({
  ...MANIFEST,
  tools: MANIFEST.tools.map((tool) => (tool.name === `say_${level}` ? { ...tool, description_fallback: text } : tool)),
});

describe('CG-9 CG-12 the way of a call', () => {
  it('CG-9 a low call is claimed, run, audited and answered, in this order', async () => {
    const order: string[] = [];
    rig.executors = [makeExecutor('say_low', 'note:low', { run: async () => void order.push('run') as never })];
    rig.beforeClaim = () => void order.push('claim');
    const message = await rig.receive('low');
    expect(order).toEqual(['claim', 'run']);
    expect(rig.answers).toEqual([{ subtype: 'tool_response', call_id: 'call-1', status: 'ok', result: null }]);
    expect(rig.claims).toEqual([message.messageId]);
    expect(rig.audited).toHaveLength(1);
    expect(rig.calls.map(({ state }) => state)).toEqual(['waiting', 'running', 'answered']);
  });

  it('CG-12 the entry holds digests and no arguments or results, for refusals too', async () => {
    await rig.receive('low', { arguments: { text: 'the secret' } });
    await rig.receive('low', { call_id: 'call-2', tool_name: 'undeclared' });
    expect(rig.audited).toEqual([
      expect.objectContaining({
        call_id: 'call-1',
        agent_id: AGENT,
        tool_name: 'say_low',
        scope: 'note:low',
        status: 'ok',
        approval: 'none',
        manifest_hash: held().hash,
        arguments_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        timestamp: '2026-03-01T12:00:00.000Z',
      }),
      expect.objectContaining({ call_id: 'call-2', scope: null, status: 'denied', reason: 'tool_not_declared' }),
    ]);
    expect(JSON.stringify(rig.audited)).not.toContain('the secret');
  });

  it('CG-9 a call that cannot be recorded is not answered with its result', async () => {
    rig.auditFails = true;
    await rig.receive('low');
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'error', reason: 'TOOL_PLATFORM_ERROR' })]);
    expect(rig.problems).toHaveLength(1);
  });

  it('CG-2 a stale manifest is fetched again before refusing', async () => {
    rig.current = held({ ...MANIFEST, tools: [...MANIFEST.tools, { ...MANIFEST.tools[0]!, name: 'say_new' }] });
    rig.executors = [makeExecutor('say_new', 'note:low')];
    await rig.receive('low', { tool_name: 'say_new' });
    expect(rig.refreshed).toBe(1);
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'ok' })]);
    await rig.receive('low', { call_id: 'call-2', tool_name: 'say_nothing' });
    expect(rig.answers[1]).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
  });

  it('EE-24 attack: one lie lasts: what an old answer takes away while the call is claimed is asked about again', async () => {
    const lie = () => {
      rig.announced = 'f'.repeat(64);
    };
    lie();
    rig.current = held();
    rig.beforeClaim = lie;
    await rig.receive('low');
    expect([rig.refreshed, rig.answers]).toMatchObject([2, [{ status: 'ok' }]]);
  });

  it('EE-24 attack: a server that changes its mind again and again is asked three times', async () => {
    rig.current = held();
    const get = () => {
      rig.announced = 'f'.repeat(64);
    };
    get();
    Object.defineProperty(rig, 'hearing', { get });
    await rig.receive('low');
    expect([rig.refreshed, rig.answers]).toMatchObject([3, [{ status: 'denied', reason: 'tool_not_declared' }]]);
  });

  it('WC-21 TC-8 in a group each device shows its own refusal, whoever was the first to answer the agent', async () => {
    rig.taken.add('theirs');
    await rig.receive('low', {}, { conversationKind: 'group', messageId: 'theirs' });
    expect(rig.calls.at(-1)).toMatchObject({
      state: 'answered',
      response: { status: 'denied', reason: 'tool_not_supported_in_group' },
    });
    // The agent got the answer of the one that was first.
    expect([rig.answers, rig.audited.length]).toEqual([[], 1]);
    expect(await isMarkedSent(rig.store, { conversationId: CONVERSATION, callId: 'call-1' })).toBe(true);
  });

  it('WC-21 a device that hears that another one has the call of a group refuses it all the same', async () => {
    rig.beforeClaim = () => rig.runner.claimedElsewhere({ conversationId: CONVERSATION, messageId: 'theirs' });
    rig.taken.add('theirs');
    await rig.receive('low', {}, { conversationKind: 'group', messageId: 'theirs' });
    expect(rig.calls.at(-1)).toMatchObject({ state: 'answered', response: { reason: 'tool_not_supported_in_group' } });
  });

  it('CG-1 TC-8 in a group the call is denied without looking at anything else', async () => {
    await rig.receive('low', {}, { conversationKind: 'group' });
    expect(rig.answers).toEqual([expect.objectContaining({ reason: 'tool_not_supported_in_group', status: 'denied' })]);
  });
});

describe('CG-8 execution', () => {
  it('CG-8 TC-5 ends after the shorter time, and aborts the executor', async () => {
    let aborted = false;
    const run = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>(() => signal.addEventListener('abort', () => (aborted = true)));
    rig.executors = [makeExecutor('say_low', 'note:low', { run })];
    await rig.receive('low', { timeout_ms: 500 });
    await rig.advance(499);
    expect(rig.answers).toEqual([]);
    await rig.advance(1);
    expect(aborted).toBe(true);
    expect(rig.answers).toEqual([
      expect.objectContaining({ status: 'error', reason: 'tool_timeout', error_code: 'tool_timeout' }),
    ]);
  });

  it('CG-8 TC-5 leak local detail through an error: only what the executor chose to say is told', async () => {
    const fail = (error: Error) => [makeExecutor('say_low', 'note:low', { run: () => Promise.reject(error) })];
    rig.executors = fail(new Error('/srv/ada/.ssh/id_ed25519: EACCES'));
    await rig.receive('low');
    rig.executors = fail(new ExecutorError('The file is too large.'));
    await rig.receive('low', { call_id: 'call-2' });
    rig.executors = fail(new ExecutorError('No such device.', { code: 'TOOL_UNAVAILABLE' }));
    await rig.receive('low', { call_id: 'call-3' });
    expect(rig.answers.map(({ reason, message }) => [reason, message])).toEqual([
      ['TOOL_PLATFORM_ERROR', 'The tool failed on this device.'],
      ['TOOL_PLATFORM_ERROR', 'The file is too large.'],
      ['TOOL_UNAVAILABLE', 'No such device.'],
    ]);
  });

  it('CG-8 an executor that throws instead of rejecting answers like any other', async () => {
    const run = () => {
      throw new Error('at once');
    };
    rig.executors = [makeExecutor('say_low', 'note:low', { run })];
    await rig.receive('low');
    expect(rig.answers[0]).toMatchObject({ reason: 'TOOL_PLATFORM_ERROR' });
  });

  it('TC-10 a result of more than 64 KB becomes an error that says so', async () => {
    const results = ['a'.repeat(65_000), 'a'.repeat(70_000), '字'.repeat(22_000)];
    for (const [index, result] of results.entries()) {
      rig.executors = [makeExecutor('say_low', 'note:low', { run: async () => result })];
      await rig.receive('low', { call_id: `call-${index}` });
    }
    expect(rig.answers.map(({ status }) => status)).toEqual(['ok', 'error', 'error']);
    expect(rig.answers[1]!.message).toMatch(/64 KB/);
  });

  it('EE-26 a result that is nested too deep to be sent becomes an error that says so', async () => {
    for (const [index, depth] of [62, 63].entries()) {
      const result = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
      rig.executors = [makeExecutor('say_low', 'note:low', { run: async () => result })];
      await rig.receive('low', { call_id: `call-${index}` });
    }
    expect(rig.answers.map(({ status }) => status)).toEqual(['ok', 'error']);
    expect(rig.answers[1]!.message).toMatch(/64 levels/);
  });
});

describe('CG-6 CG-10 prompts', () => {
  it('CG-10 shows what was agreed on, in words that hide nothing', async () => {
    rig.executors = [makeExecutor('say_high', 'note:high', { privacyNote: () => 'The server sees\u202e it.' })];
    await rig.receive('high', { arguments: { text: 'a\u202eb\nc' } });
    expect(rig.prompt).toMatchObject({
      callId: 'call-1',
      agentName: 'Bot[U+202E]',
      tool: { name: 'say_high', description: 'Does say_high' },
      scope: { id: 'note:high', label: 'note:high' },
      level: 'high',
      argumentViews: [{ name: 'text', kind: 'string', text: 'a[U+202E]b␊c' }],
      note: 'The server sees[U+202E] it.',
      canAlwaysDeny: true,
      answerMs: 30_000,
    });
  });

  it('CG-6 denied: user_refused', async () => {
    await rig.receive('medium');
    rig.prompt!.deny();
    await rig.settle();
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'denied', reason: 'user_refused' })]);
  });

  it('CG-6 high: 30 seconds without an answer is a refusal, from when the prompt is visible', async () => {
    await rig.receive('high', { expires_at: LONG });
    await rig.advance(10 * MINUTE);
    expect(rig.answers).toEqual([]);
    rig.prompt!.shown();
    expect(rig.prompt!.deadline).toBe(rig.clock.now().getTime() + 30_000);
    await rig.advance(29_999);
    expect(rig.answers).toEqual([]);
    await rig.advance(1);
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'denied', reason: 'user_timeout' })]);
    expect(rig.prompt).toBeUndefined();
  });

  it('CG-6 showing it twice does not start the 30 seconds again, and a late yes is none', async () => {
    await rig.receive('high', { expires_at: LONG });
    const { prompt } = rig;
    prompt!.shown();
    await rig.advance(20_000);
    prompt!.shown();
    await rig.advance(10_000);
    prompt!.allow();
    await rig.settle();
    expect(rig.answers).toEqual([expect.objectContaining({ reason: 'user_timeout' })]);
  });

  it('CG-6 the 30 seconds stand still while nobody can see the prompt, and go on where they were', async () => {
    await rig.receive('high', { expires_at: LONG });
    rig.prompt!.shown();
    await rig.advance(20_000);
    rig.prompt!.hidden();
    expect(rig.prompt!.deadline).toBeUndefined();
    await rig.advance(5 * MINUTE);
    expect(rig.answers).toEqual([]);
    rig.prompt!.shown();
    expect(rig.prompt!.deadline).toBe(rig.clock.now().getTime() + 10_000);
    await rig.advance(9_999);
    expect(rig.answers).toEqual([]);
    await rig.advance(1);
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'denied', reason: 'user_timeout' })]);
  });

  it('CG-6 CG-14 hidden for good, it ends with the call; hidden when its time is over, it takes no late yes', async () => {
    await rig.receive('high', { expires_at: LONG });
    rig.prompt!.shown();
    rig.prompt!.hidden();
    await rig.advance(15 * MINUTE);
    expect(rig.answers).toEqual([expect.objectContaining({ reason: 'user_timeout' })]);
    await rig.receive('high', { call_id: 'call-2', expires_at: LONG });
    const { prompt } = rig;
    prompt!.shown();
    // The machine slept: no timer has run yet.
    rig.clock.putBack(-31_000);
    prompt!.hidden();
    prompt!.allow();
    await rig.settle();
    expect(rig.answers[1]).toMatchObject({ reason: 'user_timeout' });
  });

  it('CG-6 high asks every time; medium once, then for 24 hours from the last use not', async () => {
    for (const id of ['h1', 'h2']) {
      await rig.receive('high', { call_id: id });
      rig.prompt!.allow();
      await rig.settle();
    }
    await rig.receive('medium', { call_id: 'm1' });
    rig.prompt!.allow();
    await rig.settle();
    for (const id of ['m2', 'm3', 'm4']) {
      await rig.advance(DAY - 1);
      await rig.receive('medium', { call_id: id });
      expect(rig.prompt).toBeUndefined();
    }
    await rig.advance(DAY);
    await rig.receive('medium', { call_id: 'm5' });
    expect(rig.prompt).toMatchObject({ callId: 'm5' });
    expect(rig.answers.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
    expect(rig.audited.map(({ approval }) => approval)).toEqual([
      'prompt',
      'prompt',
      'prompt',
      'window',
      'window',
      'window',
    ]);
  });

  it('CG-6 a window outlives the program, and does not outlive its day', async () => {
    await rig.receive('medium');
    rig.prompt!.allow();
    await rig.settle();
    const again = await new GuardRig(rig.store).start();
    await again.receive('medium', { call_id: 'call-2' });
    expect(again.answers).toEqual([expect.objectContaining({ status: 'ok' })]);
    const later = new GuardRig(rig.store);
    later.clock.advance(2 * DAY);
    await later.start();
    await later.receive('medium', { call_id: 'call-3' });
    expect(later.prompt).toMatchObject({ callId: 'call-3' });
  });

  it('EE-25 a clock that is ahead at start ends a window and removes nothing: put right, it is open again', async () => {
    await rig.receive('medium');
    rig.prompt!.allow();
    await rig.settle();
    const ahead = new GuardRig(rig.store);
    ahead.clock.advance(40 * DAY);
    await ahead.start();
    const again = await new GuardRig(rig.store).start();
    await again.receive('medium', { call_id: 'call-2' });
    expect(again.answers).toEqual([expect.objectContaining({ status: 'ok' })]);
    await again.permissions.prune(new Date(again.clock.now().getTime() + 2 * DAY));
    expect(await rig.store.list('client/window/')).toEqual([]);
  });

  it('CG-6 always deny is offered for high, remembered, and removable', async () => {
    await rig.receive('high');
    rig.prompt!.alwaysDeny();
    await rig.settle();
    await rig.receive('high', { call_id: 'call-2' });
    expect(rig.answers.map(({ reason }) => reason)).toEqual(['user_refused', 'user_refused']);
    const again = await new GuardRig(rig.store).start();
    expect([...again.permissions.getSnapshot().denials.values()]).toMatchObject([
      { agentId: AGENT, toolName: 'say_high' },
    ]);
    await again.permissions.removeDenial({ agentId: AGENT, toolName: 'say_high' }, again.clock.now().getTime());
    await again.receive('high', { call_id: 'call-3' });
    expect(again.prompt).toMatchObject({ callId: 'call-3' });
  });

  it('CG-10 parallel calls queue: one yes for a medium tool settles those behind it, one always deny all of them', async () => {
    for (const id of ['m1', 'm2', 'm3']) await rig.receive('medium', { call_id: id });
    for (const id of ['h1', 'h2']) await rig.receive('high', { call_id: id });
    expect(rig.prompts.getSnapshot().map(({ callId }) => callId)).toEqual(['m1', 'm2', 'm3', 'h1', 'h2']);
    rig.prompt!.allow();
    await rig.settle();
    expect(rig.answers.map(({ call_id, status }) => [call_id, status]).sort()).toEqual([
      ['m1', 'ok'],
      ['m2', 'ok'],
      ['m3', 'ok'],
    ]);
    rig.prompt!.alwaysDeny();
    await rig.settle();
    expect(rig.prompts.getSnapshot()).toEqual([]);
    expect(rig.answers.slice(3).map(({ reason }) => reason)).toEqual(['user_refused', 'user_refused']);
  });

  it('CG-10 a prompt that waits behind another does not start its 30 seconds', async () => {
    await rig.receive('high', { call_id: 'h1', expires_at: LONG });
    await rig.receive('high', { call_id: 'h2', expires_at: LONG });
    rig.prompts.getSnapshot()[1]!.shown();
    await rig.advance(MINUTE);
    expect(rig.prompts.getSnapshot()).toHaveLength(2);
  });

  it('CG-10 a program that answers as soon as it is asked leaves no timer behind', async () => {
    rig.prompts.subscribe(() => rig.prompt?.allow());
    await rig.receive('high');
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'ok' })]);
    expect(rig.clock.waiting).toBe(0);
  });

  it('TC-2 a call ends five minutes after it was written, or when it says so itself', async () => {
    await rig.receive('medium');
    await rig.advance(5 * MINUTE - 1);
    expect(rig.answers).toEqual([]);
    await rig.advance(1);
    expect(rig.answers).toEqual([expect.objectContaining({ reason: 'user_timeout' })]);
    const expires_at = new Date(rig.clock.now().getTime() + 6_000).toISOString();
    await rig.receive('high', { call_id: 'call-2', expires_at });
    rig.prompt!.shown();
    expect(rig.prompt!.deadline).toBe(Date.parse(expires_at));
    await rig.advance(6_000);
    expect(rig.answers[1]).toMatchObject({ reason: 'user_timeout' });
    await rig.receive('low', { call_id: 'call-3', expires_at });
    expect(rig.answers[2]).toMatchObject({ reason: 'user_timeout' });
  });
});

describe('CG-7 what changes while someone decides', () => {
  it('CG-3 revocation while a prompt is open: it closes, and the agent is told', async () => {
    await rig.receive('high');
    rig.relation = { ...RELATION, granted: new Map() };
    rig.runner.recheck(AGENT);
    await rig.settle();
    expect(rig.prompt).toBeUndefined();
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'denied', reason: 'permission_revoked' })]);
  });

  it('CG-7 revocation between yes and execution: nothing is run', async () => {
    const ran: unknown[] = [];
    rig.executors = [makeExecutor('say_high', 'note:high', { run: async (args) => void ran.push(args) as never })];
    await rig.receive('high');
    rig.beforeClaim = () => {
      rig.relation = { ...RELATION, granted: new Map() };
    };
    rig.prompt!.allow();
    await rig.settle();
    expect(ran).toEqual([]);
    expect(rig.answers).toEqual([expect.objectContaining({ reason: 'permission_revoked' })]);
  });

  it('CG-3 revocation while it runs: it is aborted', async () => {
    rig.executors = [makeExecutor('say_low', 'note:low', { run: () => new Promise(() => {}) })];
    await rig.receive('low');
    rig.relation = { ...RELATION, granted: new Map() };
    rig.runner.recheck(AGENT);
    await rig.settle();
    expect(rig.answers).toEqual([expect.objectContaining({ reason: 'permission_revoked' })]);
  });

  it('CG-7 a manifest that leaves tool and scope as they were keeps the prompt and its approval', async () => {
    await rig.receive('high');
    const { id } = rig.prompt!;
    rig.publish({ ...withText('low', 'Other words'), agent_version: '1.1.0' });
    rig.runner.recheck(AGENT);
    await rig.settle();
    expect(rig.prompt!.id).toBe(id);
    rig.beforeClaim = () => rig.publish({ ...withText('low', 'Others again'), agent_version: '1.2.0' });
    rig.prompt!.allow();
    await rig.settle();
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it('CG-7 change the tool under an open prompt: the person is asked again, with the new words', async () => {
    await rig.receive('high');
    const { id } = rig.prompt!;
    rig.publish(withText('high', 'Something else'));
    rig.runner.recheck(AGENT);
    await rig.settle();
    expect(rig.prompt!.id).not.toBe(id);
    expect(rig.prompt!.tool.description).toBe('Something else');
  });

  it('CG-7 change the tool after the yes: it is not run, but asked about again', async () => {
    await rig.receive('high');
    rig.beforeClaim = () => rig.publish(withText('high', 'Something else'));
    rig.prompt!.allow();
    await rig.settle();
    expect(rig.answers).toEqual([]);
    expect(rig.prompt!.tool.description).toBe('Something else');
    rig.prompt!.allow();
    await rig.settle();
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'ok' })]);
    expect(rig.claims).toHaveLength(1);
  });
});

describe('CG-11 once, on one device', () => {
  it('CG-11 the same call twice executes once, and the second gets the first answer', async () => {
    let runs = 0;
    rig.executors = [makeExecutor('say_low', 'note:low', { run: async () => ++runs })];
    const first = await rig.receive('low');
    const second = await rig.receive('low');
    expect(runs).toBe(1);
    expect(rig.answers).toEqual([expect.objectContaining({ result: 1 }), expect.objectContaining({ result: 1 })]);
    expect(rig.sent.map(({ clientMessageId }) => clientMessageId)).toEqual([
      `answer-${first.messageId}`,
      `answer-${second.messageId}`,
    ]);
  });

  it('CG-11 also while the first one is being asked about, and after a restart', async () => {
    await rig.receive('high');
    await rig.receive('high');
    expect(rig.prompts.getSnapshot()).toHaveLength(1);
    rig.prompt!.allow();
    await rig.settle();
    expect(rig.answers.map(({ status }) => status)).toEqual(['ok', 'ok']);
    const again = await new GuardRig(rig.store).start();
    await again.receive('high', {}, { messageId: 'later' });
    expect(again.prompt).toBeUndefined();
    expect(again.answers).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it('CG-11 the very same message again is nothing new', async () => {
    const message = await rig.receive('low');
    await rig.receive('low', {}, message);
    expect(rig.answers).toHaveLength(1);
  });

  it('CG-11 reuse a call_id for other arguments: refused, and not run', async () => {
    const ran: unknown[] = [];
    rig.executors = [makeExecutor('say_low', 'note:low', { run: async (args) => void ran.push(args) as never })];
    await rig.receive('low');
    await rig.receive('low', { arguments: { text: 'other' } });
    await rig.receive('high');
    expect(ran).toEqual([{ text: 'hello' }]);
    expect(rig.answers.slice(1).map(({ reason }) => reason)).toEqual([
      'TOOL_INVALID_ARGUMENTS',
      'TOOL_INVALID_ARGUMENTS',
    ]);
    expect(rig.audited).toHaveLength(3);
  });

  it('CG-11 another device has claimed it: nothing is run, answered or recorded here', async () => {
    const message = rig.message();
    rig.taken.add(message.messageId);
    await rig.runner.receive(message, rig.call('low'));
    await rig.settle();
    expect(rig.answers).toEqual([]);
    expect(rig.audited).toEqual([]);
    expect(rig.calls.at(-1)).toMatchObject({ state: 'elsewhere' });
    await rig.receive('low');
    expect(rig.answers).toEqual([]);
  });

  it('CG-11 another device has claimed it while this one asks: the prompt closes', async () => {
    const message = await rig.receive('high');
    rig.taken.add(message.messageId);
    rig.runner.claimedElsewhere(message);
    await rig.settle();
    expect(rig.prompt).toBeUndefined();
    expect(rig.answers).toEqual([]);
    const response = { subtype: 'tool_response', call_id: 'call-1', status: 'ok', result: 1 } as const;
    await rig.runner.answeredElsewhere(message.conversationId, response);
    expect(rig.calls.at(-1)).toMatchObject({ state: 'answered', response });
  });

  it('CG-11 a call that no other device can open is nobody else’s: run, refused or repeated without a claim', async () => {
    const rig = await new GuardRig().start();
    const alone = () => ({ ...rig.message(), isForUsAlone: true });
    await rig.runner.receive(alone(), rig.call('low'));
    await until(() => expect(rig.sent).toHaveLength(1));
    await rig.runner.receive(alone(), rig.call('low'));
    await until(() => expect(rig.sent).toHaveLength(2));
    rig.executors = [];
    await rig.runner.receive(alone(), rig.call('low', { call_id: 'another' }));
    await until(() => expect(rig.sent).toHaveLength(3));
    expect(rig.sent.map(({ response }) => response.status)).toEqual(['ok', 'ok', 'error']);
    expect([rig.claims, rig.passes]).toEqual([[], []]);
  });

  it('CG-11 a device without the executor passes; only the last one answers', async () => {
    rig.executors = [];
    rig.isLast = false;
    const message = await rig.receive('high');
    expect(rig.passes).toEqual([message.messageId]);
    expect(rig.answers).toEqual([]);
    rig.runner.othersPassed(message);
    await rig.settle();
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'error', reason: 'TOOL_UNAVAILABLE' })]);
    rig.isLast = true;
    await rig.receive('high', { call_id: 'call-2' });
    expect(rig.answers).toHaveLength(2);
  });

  it('CG-11 a call that waits goes on after a restart; one that was running is answered and not run again', async () => {
    let runs = 0;
    const store = createMemoryStore();
    const before = await new GuardRig(store).start();
    before.executors = [
      makeExecutor('say_low', 'note:low', {
        run: () => {
          runs++;
          return new Promise(() => {});
        },
      }),
      makeExecutor('say_high', 'note:high'),
    ];
    await before.receive('low', { call_id: 'running' });
    await before.receive('high', { call_id: 'waiting' });
    const after = await new GuardRig(store).start();
    await after.runner.resume();
    await after.settle();
    expect(runs).toBe(1);
    expect(after.answers).toEqual([expect.objectContaining({ call_id: 'running', reason: 'TOOL_PLATFORM_ERROR' })]);
    expect(after.prompt).toMatchObject({ callId: 'waiting' });
  });

  it('CG-11 an answer that was recorded but not sent is sent after a restart, as the same message', async () => {
    const store = createMemoryStore();
    const before = await new GuardRig(store).start();
    const message = await before.receive('low');
    const [record] = await listRecords(store);
    await store.write(unmarkSent(record!));
    const after = await new GuardRig(store).start();
    await after.runner.resume();
    await after.settle();
    expect(after.sent).toMatchObject([{ clientMessageId: `answer-${message.messageId}`, response: { status: 'ok' } }]);
    expect(after.audited).toEqual([]);
  });

  it('CG-11 an answer whose result was erased before it left does not say that all was well, with nothing in it', async () => {
    const store = createMemoryStore();
    const before = await new GuardRig(store).start();
    before.sendFails = new ApiError({ status: 0, code: 'UNREACHABLE', message: 'Away.' });
    await before.receive('low');
    await createHistory(store).erase(CONVERSATION);
    const after = await new GuardRig(store).start();
    await after.runner.resume();
    await after.settle();
    expect(after.answers).toEqual([expect.objectContaining({ status: 'error', reason: 'TOOL_PLATFORM_ERROR' })]);
    expect(await listRecords(store)).toMatchObject([{ erased: true, sent: true, arguments: {} }]);
  });

  it('CG-11 an answer that can never be sent is not tried again at every start; one that waits for the network is', async () => {
    const after = async (code: string, status: number) => {
      const store = createMemoryStore();
      const before = await new GuardRig(store).start();
      before.sendFails = new ApiError({ status, code, message: 'No.' });
      await before.receive('low');
      expect(before.problems).toEqual([before.sendFails]);
      const again = await new GuardRig(store).start();
      await again.runner.resume();
      await again.settle();
      return again.sent.length;
    };
    expect(await after('NOT_FOUND', 404)).toBe(0);
    expect(await after('UNREACHABLE', 0)).toBe(1);
  });

  it('CG-9 an answer that fails before the call is recorded ends nothing: it is told like any other problem', async () => {
    const store = createMemoryStore();
    const write = store.write.bind(store);
    vi.spyOn(store, 'write').mockImplementation(async (batch) => {
      await new Promise(setImmediate);
      await write(batch);
    });
    const unheard: unknown[] = [];
    const hear = (error: unknown) => void unheard.push(error);
    process.on('unhandledRejection', hear);
    const rig = await new GuardRig(store).start();
    rig.sendFails = new ParleyError('OUTBOX_FULL', MESSENGER_ERRORS.OUTBOX_FULL);
    await rig.runner.receive(rig.message(), rig.call('low'));
    await until(() => expect(rig.problems).toEqual([rig.sendFails]));
    process.off('unhandledRejection', hear);
    expect(unheard).toEqual([]);
    expect(rig.audited).toHaveLength(1);
  });

  it('CG-9 where nothing can be recorded and no answer can leave, closing does not wait for it', async () => {
    const store = createMemoryStore();
    const rig = await new GuardRig(store).start();
    rig.executors = [
      makeExecutor('say_low', 'note:low', {
        run: async () => {
          vi.spyOn(store, 'write').mockRejectedValue(new Error('disk full'));
          return null;
        },
      }),
    ];
    rig.isSealing = new Promise(() => {});
    await rig.receive('low');
    await rig.runner.close();
    expect(rig.sent).toEqual([]);
    expect(rig.problems.length).toBeGreaterThan(0);
  });

  it('CG-11 closing asks nobody any more and answers what was running', async () => {
    rig.executors = [
      makeExecutor('say_low', 'note:low', { run: () => new Promise(() => {}) }),
      makeExecutor('say_high', 'note:high'),
    ];
    await rig.receive('low', { call_id: 'running' });
    await rig.receive('high', { call_id: 'waiting' });
    await rig.runner.close();
    await rig.settle();
    expect(rig.prompts.getSnapshot()).toEqual([]);
    expect(rig.answers).toEqual([expect.objectContaining({ call_id: 'running', status: 'error' })]);
  });

  it('CG-8 what the person stops is answered as an error, and what comes of it later is not heard', async () => {
    let finish = (_: null) => {};
    const run = () => new Promise<null>((resolve) => (finish = resolve));
    rig.executors = [makeExecutor('say_low', 'note:low', { run })];
    await rig.receive('low', { call_id: 'slow' });
    rig.runner.cancel({ conversationId: CONVERSATION, callId: 'another' });
    rig.runner.cancel({ conversationId: CONVERSATION, callId: 'slow' });
    finish(null);
    await rig.settle();
    expect(rig.answers).toEqual([
      expect.objectContaining({ call_id: 'slow', status: 'error', reason: 'TOOL_PLATFORM_ERROR' }),
    ]);
    expect(rig.audited).toEqual([expect.objectContaining({ call_id: 'slow', status: 'error' })]);
  });

  it('CG-11 a result is kept for a day; after that the same call is still not run again', async () => {
    await rig.receive('low');
    const later = new GuardRig(rig.store);
    later.clock.advance(2 * DAY);
    await later.start();
    await later.runner.resume();
    await later.settle();
    // By this clock alone it is old; it is dropped by a time that the server agrees with (EE-25).
    expect(JSON.stringify(await rig.store.list('client/call/'))).toContain('said');
    await later.runner.prune(later.clock.now());
    expect(JSON.stringify(await rig.store.list('client/call/'))).not.toContain('said');
    await later.receive('low', {}, { messageId: 'later' });
    expect(later.answers).toEqual([expect.objectContaining({ status: 'error', reason: 'TOOL_PLATFORM_ERROR' })]);
    expect(later.audited).toEqual([]);
  });

  it('CG-11 a server that is busy is asked again for the call', async () => {
    let busy = 2;
    rig.beforeClaim = () => {
      if (busy-- > 0) throw new ApiError({ status: 503, code: 'UNAVAILABLE', message: 'Later.' });
    };
    await rig.receive('low');
    expect(rig.answers).toEqual([]);
    await rig.advance(1_000);
    await rig.advance(1_000);
    expect(rig.answers).toEqual([expect.objectContaining({ status: 'ok' })]);
  });
});
