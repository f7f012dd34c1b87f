import { createObservable } from '@parley/base';
import type { JsonObject } from '@parley/documents';
import { createMemoryStore } from '@parley/messenger';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT, CONVERSATION, held, KEY, makeExecutor, RELATION } from '../../tests/guard-fixtures.ts';
import { GuardRig } from '../../tests/guard-rig.ts';
import type { RelationView } from '../agents/relation-state.ts';
import { type Edge, type Executor, ExecutorError } from '../executors/types.ts';
import { createRememberedAnswers } from '../remembered-answers.ts';
import type { Remember } from './window.ts';

const edgeOf = (text: string): Edge => ({
  id: text.split(' ')[0]!,
  text: { en: `things in ${text.split(' ')[0]}\u202e`, 'zh-CN': '其中的内容' },
});

let rig: GuardRig;
/** The edges that a call goes on to while it runs. */
let leadsTo: readonly string[];
let ran: string[];

const executor = (level: string, more: Partial<Executor> = {}) =>
  makeExecutor(`say_${level}`, `note:${level}`, {
    edge: ({ text }: JsonObject) => edgeOf(String(text)),
    run: async ({ text }, { enter }) => {
      for (const next of leadsTo) await enter(edgeOf(next));
      ran.push(String(text));
      return null;
    },
    ...more,
  });

beforeEach(async () => {
  leadsTo = [];
  ran = [];
  rig = await new GuardRig().start();
  rig.executors = ['low', 'medium', 'high'].map((level) => executor(level));
});

let count = 0;
/** Returns whether the person is asked. */
async function call(level: string, text: string): Promise<boolean> {
  await rig.receive(level, { call_id: `call-${++count}`, arguments: { text } });
  return rig.prompt !== undefined;
}
async function allow(remember?: Remember): Promise<void> {
  rig.prompt!.allow(remember);
  await rig.settle();
}
async function deny(): Promise<void> {
  rig.prompt!.deny();
  await rig.settle();
}

describe('CG-7 between the last check and the run', () => {
  it('CG-7 attack: a revocation that comes while the window is being written keeps the tool from running', async () => {
    const store = createMemoryStore();
    let finish = () => {};
    const slow = new Promise<void>((resolve) => (finish = resolve));
    rig = new GuardRig({
      ...store,
      write: async (entries) => {
        await store.write(entries);
        if ([...entries.keys()].some((key) => key.startsWith('client/window/'))) await slow;
      },
    });
    await rig.start();
    rig.executors = [executor('medium')];
    await call('medium', 'notes a');
    rig.prompt!.allow();
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    rig.relation = { ...RELATION, granted: new Map() };
    rig.runner.recheck(AGENT);
    finish();
    await rig.settle();
    expect(ran).toEqual([]);
    expect(rig.answers).toMatchObject([{ status: 'denied', reason: 'permission_revoked' }]);
  });

  it('CG-7 EE-23 attack: a yes while the server is asked about a revocation that another device knows of: it waits', async () => {
    await call('medium', 'notes a');
    let know = () => {};
    rig.hearing = new Promise((resolve) => (know = resolve));
    await allow();
    expect([ran, rig.answers]).toEqual([[], []]);
    rig.relation = { ...RELATION, granted: new Map() };
    know();
    await rig.settle();
    expect(ran).toEqual([]);
    expect(rig.answers).toMatchObject([{ status: 'denied', reason: 'permission_revoked' }]);
  });
});

describe('CG-15 a tool that leads on to several places at once', () => {
  it('CG-15 CG-10 asks about one after the other, and about none any more when it was stopped', async () => {
    const run: Executor['run'] = async (_, { enter }) => {
      await Promise.all(['b', 'c'].map(async (next) => enter(edgeOf(next)).then(() => ran.push(next))));
      return null;
    };
    rig.executors = [executor('high', { run })];
    await call('high', 'a');
    await allow();
    expect(rig.prompts.getSnapshot()).toHaveLength(1);
    rig.runner.cancel({ conversationId: CONVERSATION, callId: rig.prompt!.callId });
    await rig.settle();
    expect(rig.prompts.getSnapshot()).toEqual([]);
    await call('high', 'a');
    await allow();
    await allow();
    await allow();
    expect(ran).toEqual(['b', 'c']);
  });
});

describe('CG-15 the edge of a silent window', () => {
  it('CG-15 the prompt names it in safe words, and offers to narrow or widen it', async () => {
    await call('medium', 'notes a');
    expect(rig.prompt).toMatchObject({
      edge: 'things in notes[U+202E]',
      leadsOn: false,
      remember: ['edge', 'values', 'once', 'tool'],
    });
    await deny();
    rig.executors = [makeExecutor('say_medium', 'note:medium')];
    await call('medium', 'notes a');
    expect(rig.prompt).toMatchObject({ remember: ['tool', 'values', 'once'] });
    expect(rig.prompt).not.toHaveProperty('edge');
    await deny();
    rig.executors = [executor('high')];
    await call('high', 'notes a');
    expect(rig.prompt).toMatchObject({ remember: [] });
  });

  it('CG-15 attack: a window without an edge: what one folder was allowed, another is asked about', async () => {
    expect(await call('medium', 'notes a')).toBe(true);
    await allow();
    expect(await call('medium', 'notes b')).toBe(false);
    expect(await call('medium', 'taxes a')).toBe(true);
    expect(ran).toEqual(['notes a', 'notes b']);
  });

  it('CG-15 exactly these values: nothing else, not even inside the edge', async () => {
    await call('medium', 'notes a');
    await allow('values');
    expect(await call('medium', 'notes a')).toBe(false);
    expect(await call('medium', 'notes b')).toBe(true);
  });

  it('CG-15 the whole tool: everything, whatever its edge', async () => {
    await call('medium', 'notes a');
    await allow('tool');
    leadsTo = ['elsewhere'];
    expect(await call('medium', 'taxes a')).toBe(false);
    expect(ran).toEqual(['notes a', 'taxes a']);
  });

  it('CG-15 only this once, and whatever else a program may say: nothing is remembered', async () => {
    for (const remember of ['once', {}] as Remember[]) {
      expect(await call('medium', 'notes a')).toBe(true);
      await allow(remember);
    }
    expect(ran).toEqual(['notes a', 'notes a']);
    expect(rig.permissions.getSnapshot().windows.size).toBe(0);
  });

  it('CG-15 without a declared edge the default is the whole tool', async () => {
    rig.executors = [makeExecutor('say_medium', 'note:medium')];
    await call('medium', 'notes a');
    await allow();
    expect(await call('medium', 'taxes a')).toBe(false);
  });

  it('CG-15 high asks every time, and offers nothing to remember', async () => {
    await call('high', 'notes a');
    await allow('edge');
    expect(await call('high', 'notes a')).toBe(true);
    expect(rig.permissions.getSnapshot().windows.size).toBe(0);
  });

  it('CG-15 CG-6 using a narrow window does not prolong a wider one', async () => {
    await call('medium', 'notes a');
    await allow('tool');
    const { windows } = rig.permissions.getSnapshot();
    const tool = [...windows.values()][0]!;
    rig.relation = RELATION;
    await rig.permissions.useWindow(
      AGENT,
      {
        conversationId: CONVERSATION,
        tool: 'say_medium',
        scope: 'note:medium',
        digest: held().tools.get('say_medium')!.digest,
        epoch: 1,
        identityKey: KEY,
        reach: { kind: 'edge', edge: edgeOf('notes') },
      },
      rig.clock.now().getTime(),
    );
    await rig.advance(1_000);
    expect(await call('medium', 'notes b')).toBe(false);
    const used = [...rig.permissions.getSnapshot().windows.values()].map(({ reach, usedAt }) => [reach.kind, usedAt]);
    expect(used).toEqual([
      ['tool', tool.usedAt],
      ['edge', tool.usedAt + 1_000],
    ]);
  });

  it('CG-15 a window of an earlier version, which has no edge, has ended', async () => {
    const window = { conversationId: CONVERSATION, tool: 'say_medium', scope: 'note:medium', agentId: AGENT };
    const rest = { digest: held().tools.get('say_medium')!.digest, epoch: 1, identityKey: KEY };
    const at = rig.clock.now().getTime();
    const key = `client/window/${CONVERSATION}/say_medium/note:medium`;
    await rig.store.write(new Map([[key, JSON.stringify({ ...window, ...rest, openedAt: at, usedAt: at })]]));
    const again = await new GuardRig(rig.store).start();
    again.executors = [executor('medium')];
    await again.receive('medium');
    expect(again.prompt).toBeDefined();
    expect(await rig.store.list('client/window/')).toEqual([]);
  });

  it('CG-15 windows are listed with what they cover, in the language of the person, and closed one by one', async () => {
    let locale: 'en' | 'zh-CN' = 'en';
    const remembered = createRememberedAnswers({
      permissions: rig.permissions,
      relations: createObservable<readonly RelationView[]>([]),
      others: () => [],
      locale: () => locale,
      now: () => rig.clock.now().getTime(),
    });
    for (const [text, remember] of [
      ['notes a', 'edge'],
      ['taxes a', 'values'],
      ['other a', 'tool'],
    ] as const) {
      await call('medium', text);
      await allow(remember);
    }
    const listed = () => remembered.getSnapshot().windows.map(({ reach, edge }) => [reach, edge]);
    expect(listed()).toEqual([
      ['edge', 'things in notes[U+202E]'],
      ['values', 'things in taxes[U+202E]'],
      ['tool', undefined],
    ]);
    locale = 'zh-CN';
    remembered.redraw();
    expect(listed()[0]).toEqual(['edge', '其中的内容']);
    await remembered.closeWindow(remembered.getSnapshot().windows[2]!);
    expect(await call('medium', 'notes b')).toBe(false);
    expect(await call('medium', 'other b')).toBe(true);
  });
});

describe('CG-15 a call that leads on', () => {
  it('CG-15 attack: a redirect to another host: the person is asked again before the tool goes there', async () => {
    leadsTo = ['elsewhere'];
    await call('medium', 'notes a');
    await allow();
    expect(ran).toEqual([]);
    expect(rig.prompt).toMatchObject({
      leadsOn: true,
      edge: 'things in elsewhere[U+202E]',
      remember: ['edge', 'values', 'once', 'tool'],
    });
    await allow();
    expect(ran).toEqual(['notes a']);
    expect(rig.answers).toMatchObject([{ status: 'ok' }]);
    expect(await call('medium', 'notes b')).toBe(false);
    leadsTo = ['elsewhere', 'third'];
    expect(await call('medium', 'notes c')).toBe(true);
    expect(rig.prompt).toMatchObject({ edge: 'things in third[U+202E]' });
  });

  it('CG-15 attack: exactly these values lead elsewhere tomorrow: asked again', async () => {
    await call('medium', 'notes a');
    await allow('values');
    leadsTo = ['elsewhere'];
    expect(await call('medium', 'notes a')).toBe(true);
    await allow('values');
    expect(await call('medium', 'notes a')).toBe(false);
    expect(await call('medium', 'elsewhere a')).toBe(true);
  });

  it('CG-15 a no ends the call, also for a tool that does not listen: denied, audited, aborted', async () => {
    let signal: AbortSignal | undefined;
    const heedless = async (_: JsonObject, context: { signal: AbortSignal; enter(edge: Edge): Promise<void> }) => {
      signal = context.signal;
      await context.enter(edgeOf('elsewhere')).catch(() => {});
      return 'what it fetched there';
    };
    rig.executors = [executor('medium', { run: heedless })];
    await call('medium', 'notes a');
    await allow();
    await deny();
    expect(rig.answers).toMatchObject([{ status: 'denied', reason: 'user_refused' }]);
    expect(rig.audited).toMatchObject([{ status: 'denied', reason: 'user_refused' }]);
    expect(JSON.stringify(rig.answers)).not.toContain('fetched');
    expect(signal!.aborted).toBe(true);
  });

  it('CG-15 only this once is for this edge, and coming back to it asks no more within the call', async () => {
    leadsTo = ['elsewhere', 'notes', 'elsewhere'];
    await call('medium', 'notes a');
    await allow('once');
    await allow('once');
    expect(ran).toEqual(['notes a']);
    expect(rig.permissions.getSnapshot().windows.size).toBe(0);
  });

  it('CG-15 high is asked about each edge, with 30 seconds for each', async () => {
    leadsTo = ['elsewhere'];
    await call('high', 'notes a');
    await allow();
    rig.prompt!.shown();
    await rig.advance(30_000);
    expect(rig.answers).toMatchObject([{ status: 'denied', reason: 'user_timeout' }]);
    expect(ran).toEqual([]);
  });

  it('CG-15 low goes anywhere, as it did', async () => {
    leadsTo = ['elsewhere'];
    expect(await call('low', 'notes a')).toBe(false);
    expect(ran).toEqual(['notes a']);
  });

  it('CG-15 CG-8 the time limit stands still while the person is asked, and goes on after', async () => {
    const run: Executor['run'] = async (_, { enter }) => {
      await enter(edgeOf('elsewhere'));
      return new Promise(() => {});
    };
    rig.executors = [executor('high', { run })];
    await call('high', 'notes a');
    await allow();
    await rig.advance(20_000);
    expect(rig.answers).toEqual([]);
    await allow();
    await rig.advance(1_999);
    expect(rig.answers).toEqual([]);
    await rig.advance(1);
    expect(rig.answers).toMatchObject([{ reason: 'tool_timeout' }]);
  });

  it('CG-15 CG-3 revoked, stopped or closed while it waits to go on: the prompt closes, and it is answered', async () => {
    leadsTo = ['elsewhere'];
    await call('medium', 'notes a');
    await allow();
    rig.relation = { ...RELATION, granted: new Map() };
    rig.runner.recheck(AGENT);
    await rig.settle();
    rig.relation = RELATION;
    await call('medium', 'notes b');
    rig.runner.cancel({ conversationId: CONVERSATION, callId: `call-${count}` });
    await rig.settle();
    await call('medium', 'notes c');
    await rig.runner.close();
    expect(rig.prompts.getSnapshot()).toEqual([]);
    expect(rig.answers.map(({ reason }) => reason)).toEqual([
      'permission_revoked',
      'TOOL_PLATFORM_ERROR',
      'TOOL_PLATFORM_ERROR',
    ]);
    expect(ran).toEqual([]);
  });

  it('CG-15 TC-2 a call that has expired while it ran goes on where no question is needed', async () => {
    let goOn = () => {};
    const run: Executor['run'] = async ({ text }, { enter }) => {
      await new Promise<void>((resolve) => (goOn = resolve));
      await enter(edgeOf(String(text)));
      return null;
    };
    rig.executors = [executor('medium', { run })];
    const expires_at = new Date(rig.clock.now().getTime() + 5_000).toISOString();
    await rig.receive('medium', { arguments: { text: 'notes a' }, expires_at });
    await allow();
    await rig.advance(6_000);
    goOn();
    await rig.settle();
    expect(rig.answers).toMatchObject([{ status: 'ok' }]);
  });

  it('CG-15 CG-4 arguments without an edge are refused before anyone is asked', async () => {
    const edge = () => {
      throw new ExecutorError('This is no address.', { code: 'TOOL_INVALID_ARGUMENTS' });
    };
    rig.executors = [executor('medium', { edge })];
    expect(await call('medium', 'notes a')).toBe(false);
    expect(rig.answers).toMatchObject([{ reason: 'TOOL_INVALID_ARGUMENTS', message: 'This is no address.' }]);
  });
});
