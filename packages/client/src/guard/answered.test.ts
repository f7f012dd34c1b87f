import { ApiError, createMemoryStore } from '@parley/messenger';
import { beforeEach, describe, expect, it } from 'vitest';
import { CONVERSATION, makeExecutor, RELATION } from '../../tests/guard-fixtures.ts';
import { GuardRig } from '../../tests/guard-rig.ts';
import { createHistory } from '../conversations/history.ts';
import type { Executor } from '../executors/types.ts';
import { listRecords } from './call-record.ts';

let rig: GuardRig;
beforeEach(async () => {
  rig = await new GuardRig().start();
});

const boom = () => {
  throw new Error('/srv/ada: boom');
};

describe('CG-16 every call is answered and audited', () => {
  it.each(['nesting', 'canonical_form'] as const)(
    'CG-16 arguments that cannot be held (%s): never asked about, never run',
    async (problem) => {
      const digest = 'ab'.repeat(32);
      const ran: unknown[] = [];
      rig.executors = ['low', 'high'].map((level) =>
        makeExecutor(`say_${level}`, `note:${level}`, { run: async (args) => void ran.push(args) as never }),
      );
      for (const level of ['low', 'high']) {
        await rig.receive(level, { call_id: level, arguments: {} }, { unusableArguments: { problem, digest } });
      }
      expect(rig.answers).toMatchObject([
        {
          call_id: 'low',
          status: 'error',
          reason: 'TOOL_INVALID_ARGUMENTS',
          message: expect.stringMatching(/^The arguments /),
        },
        { call_id: 'high', status: 'error', reason: 'TOOL_INVALID_ARGUMENTS' },
      ]);
      expect(rig.audited).toMatchObject([
        { call_id: 'low', arguments_digest: digest, status: 'error' },
        { call_id: 'high', arguments_digest: digest, status: 'error' },
      ]);
      expect([ran, rig.prompt]).toEqual([[], undefined]);
    },
  );

  it('CG-16 CG-3 who may not call at all does not learn what is wrong with the arguments', async () => {
    rig.relation = { ...RELATION, granted: new Map() };
    const unusableArguments = { problem: 'nesting', digest: 'ab'.repeat(32) } as const;
    await rig.receive('low', { arguments: {} }, { unusableArguments });
    expect(rig.answers).toMatchObject([{ status: 'denied', reason: 'permission_revoked' }]);
  });

  it('CG-16 attack: a lone surrogate in the arguments is answered and recorded, also where nobody marked it', async () => {
    await rig.receive('low', { arguments: { text: 'a\ud800' } });
    await rig.receive('low', { call_id: 'call-2', arguments: { text: 'b\ud800' } });
    expect(rig.answers).toMatchObject([{ reason: 'TOOL_INVALID_ARGUMENTS' }, { reason: 'TOOL_INVALID_ARGUMENTS' }]);
    const digests = rig.audited.map(({ arguments_digest }) => arguments_digest);
    expect(digests).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(new Set(digests).size).toBe(2);
  });

  it.each<[string, Partial<Executor>]>([
    ['the note of the prompt', { privacyNote: boom }],
    ['the edge', { edge: boom }],
    ['the edge, later', { edge: async () => boom() }],
    ['the words of the edge', { edge: () => ({ id: 'x', text: undefined as never }) }],
    ['an edge without a canonical form', { edge: () => ({ id: '\ud800', text: { en: 'x', 'zh-CN': 'x' } }) }],
  ])('CG-16 %s fails: the agent gets an answer without details, the log an entry', async (_, more) => {
    rig.executors = [makeExecutor('say_medium', 'note:medium', more)];
    await rig.receive('medium');
    expect(rig.answers).toMatchObject([{ status: 'error', reason: 'TOOL_PLATFORM_ERROR' }]);
    expect(rig.audited).toMatchObject([{ call_id: 'call-1', status: 'error', reason: 'TOOL_PLATFORM_ERROR' }]);
    expect(JSON.stringify(rig.answers)).not.toContain('boom');
    expect(rig.problems).toHaveLength(1);
    expect(rig.prompt).toBeUndefined();
  });

  it('CG-16 a result that is no JSON becomes an error', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    rig.executors = [makeExecutor('say_low', 'note:low', { run: async () => circle as never })];
    await rig.receive('low');
    expect(rig.answers).toMatchObject([{ status: 'error', reason: 'TOOL_PLATFORM_ERROR' }]);
    expect(rig.audited).toHaveLength(1);
  });

  it('CG-16 whoever shows calls cannot keep them from being answered', async () => {
    rig.onCall = boom;
    await rig.receive('low');
    expect(rig.answers).toMatchObject([{ status: 'ok' }]);
  });

  it.each(['low', 'medium'])(
    'CG-16 CG-11 attack: %s: the agent leaves while its call is open: it does not run, and is in the log',
    async (level) => {
      rig.beforeClaim = () => {
        throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'There is no such message.' });
      };
      const ran: unknown[] = [];
      const run: Executor['run'] = async (args) => void ran.push(args) as never;
      rig.executors = [makeExecutor(`say_${level}`, `note:${level}`, { run })];
      await rig.receive(level);
      rig.prompt?.allow();
      await rig.settle();
      expect(ran).toEqual([]);
      expect(rig.audited).toMatchObject([{ call_id: 'call-1', status: 'error', reason: 'TOOL_PLATFORM_ERROR' }]);
      expect(rig.answers).toMatchObject([{ status: 'error', reason: 'TOOL_PLATFORM_ERROR' }]);
      expect(await listRecords(rig.store)).toMatchObject([{ state: 'answered' }]);
    },
  );

  it('CG-16 CG-11 attack: an id is used again for other arguments, and the agent leaves: it is in the log', async () => {
    await rig.receive('low');
    rig.beforeClaim = () => {
      throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'There is no such message.' });
    };
    await rig.receive('low', { arguments: { text: 'other' } });
    await rig.settle();
    expect(rig.audited).toMatchObject([{ status: 'ok' }, { status: 'error', reason: 'TOOL_INVALID_ARGUMENTS' }]);
  });

  it('CG-16 CG-11 a server that is busy is asked again for a repeated call, and for one whose id was used before', async () => {
    await rig.receive('low');
    let busy = 2;
    rig.beforeClaim = () => {
      if (busy-- > 0) throw new ApiError({ status: 503, code: 'UNAVAILABLE', message: 'Later.' });
    };
    await rig.receive('low');
    await rig.receive('low', { arguments: { text: 'other' } });
    await rig.advance(1_000);
    expect(rig.answers.map(({ status }) => status).sort()).toEqual(['error', 'ok', 'ok']);
  });
});

describe('CG-16 what was erased stays erased', () => {
  it('CG-16 attack: erase a conversation while an answer waits: the record does not come back when it leaves', async () => {
    const store = createMemoryStore();
    const rig = await new GuardRig(store).start();
    let leave = () => {};
    rig.isSealing = new Promise((resolve) => (leave = resolve));
    await rig.receive('low', { arguments: { text: 'the secret' } });
    await createHistory(store).erase(CONVERSATION);
    leave();
    await rig.settle();
    expect(rig.answers).toMatchObject([{ status: 'ok' }]);
    expect(await createHistory(store).read(CONVERSATION)).toEqual([]);
    expect(JSON.stringify(await store.list('client/'))).not.toContain('secret');
    expect(await listRecords(store)).toMatchObject([{ erased: true, sent: true }]);
    const again = await new GuardRig(store).start();
    await again.runner.resume();
    await again.settle();
    expect(again.sent).toEqual([]);
  });

  it('CG-16 nor when another device answers it', async () => {
    const message = rig.message();
    rig.taken.add(message.messageId);
    await rig.runner.receive(message, rig.call('low', { arguments: { text: 'the secret' } }));
    await rig.settle();
    await createHistory(rig.store).erase(CONVERSATION);
    const shown = rig.calls.length;
    const response = { subtype: 'tool_response', call_id: 'call-1', status: 'ok', result: 'the secret' } as const;
    await rig.runner.answeredElsewhere(CONVERSATION, response);
    expect(rig.calls).toHaveLength(shown);
    expect(JSON.stringify(await rig.store.list('client/'))).not.toContain('secret');
  });
});
