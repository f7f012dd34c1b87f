import type { ClientProblem, Device } from '@parley/client';
import { describe, expect, test } from 'vitest';
import { wordsFor } from '../../messages/index.ts';
import type { ChatContext } from './chat-context.ts';
import { explainProblem, formatProblems } from './problems.ts';

const OWN = '0197-own';
const device = {
  accountId: OWN,
  relations: { getSnapshot: () => [{ relationId: 'r1', agentName: 'DemoBot' }] },
  conversations: { list: { getSnapshot: () => [{ conversationId: 'c1', title: 'Plans' }] } },
} as unknown as Device;

const explain = (problem: ClientProblem) => explainProblem(problem, { device, words: wordsFor('en') });
const LISTS = ['forked', 'shortened', 'invalid'] as const;
const PROBLEMS: readonly ClientProblem[] = [
  ...LISTS.flatMap((problem) =>
    [OWN, 'other'].map((accountId) => ({ kind: 'device_list', accountId, problem }) as const),
  ),
  { kind: 'row', subject: 'relation', id: 'r1' },
  { kind: 'row', subject: 'conversation', id: 'c1' },
  { kind: 'withheld', subject: 'ledger', id: 'r1', device: 'my phone' },
  { kind: 'withheld', subject: 'devices', id: OWN, device: 'my phone' },
  { kind: 'withheld', subject: 'devices', id: 'other', device: 'my phone' },
  { kind: 'withheld', subject: 'group', id: 'c1', device: 'my phone' },
  { kind: 'members', conversationId: 'c1', strangers: [{ kind: 'human', id: 'ghost' }] },
  { kind: 'identity_changed', party: { kind: 'agent', id: 'bot' }, known: 'a', offered: 'b' },
  { kind: 'identity_changed', party: { kind: 'account', id: OWN }, known: 'a', offered: 'b' },
  { kind: 'identity_changed', party: { kind: 'account', id: 'other' }, known: 'a', offered: 'b' },
  ...(['forged', 'rolled_back', 'dropped'] as const).map(
    (problem) => ({ kind: 'manifest', agentId: 'bot', problem }) as const,
  ),
  { kind: 'clock', byMs: -40.2 * 86_400_000 },
  { kind: 'undecryptable', conversationId: 'c1', reason: 'not_addressed' },
  { kind: 'undecryptable', conversationId: 'c1', reason: 'signature' },
];

describe('EE-15 what was refused is told', () => {
  test('EE-15 each in a sentence of its own, without code names or holes', () => {
    const told = PROBLEMS.map(explain);
    expect(new Set(told).size).toBe(told.length);
    for (const sentence of told) expect(sentence).not.toMatch(/[{}_]/);
  });

  test('EE-18 of one’s own list it says what to do; of another’s, that they have to', () => {
    expect(explain({ kind: 'device_list', accountId: OWN, problem: 'forked' })).toContain('account settle');
    expect(explain({ kind: 'device_list', accountId: 'other', problem: 'forked' })).toContain('other');
  });

  test('EE-20 a group and an agent are called what this device calls them, a ghost by its id', () => {
    const [relation, conversation] = PROBLEMS.slice(6, 8).map(explain);
    const members = explain(PROBLEMS[12]!);
    expect(relation).toContain('DemoBot');
    expect(conversation).toContain('Plans');
    expect(members).toMatch(/Plans.*ghost/);
  });

  test('EE-24 what is no longer so is said to be over, and since when; a clock that differs, by how much', () => {
    const chat = { device, words: wordsFor('en'), paint: (_: string, text: string) => text } as unknown as ChatContext;
    const problem = { kind: 'clock', byMs: -40.2 * 86_400_000 } as const;
    const [still, over] = [{ id: 1, at: '2026-05-15T10:00:00.000Z', problem }, { over: '2026-05-15T11:30:00.000Z' }];
    const [first, second] = formatProblems([still, { ...still, ...over }], chat).split('\n');
    expect(first).toContain('about 40 days');
    expect(first).not.toContain('resolved');
    expect(second).toMatch(/resolved \d\d:30/);
  });

  test('EE-23 what is kept back says which device knows it, and what stands still meanwhile', () => {
    const [agent, own, theirs, group] = PROBLEMS.slice(8, 12).map(explain);
    for (const sentence of [agent, own, theirs, group]) expect(sentence).toContain('my phone');
    expect(agent).toContain('DemoBot can’t do anything on this device');
    expect(own).toContain('Agents can’t do anything on this device');
    expect(theirs).toMatch(/other.*Nothing is sent to them/);
    expect(group).toMatch(/Plans.*Nothing is sent there/);
  });

  test('CG-10 terminal escape injection: an id of the server’s moves no cursor', () => {
    const strangers = [{ kind: 'human', id: 'a\u001b[2J\nb' }] as const;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(explain({ kind: 'members', conversationId: 'c\u001b[2J', strangers })).not.toMatch(/[\u0000-\u001f]/);
  });
});
