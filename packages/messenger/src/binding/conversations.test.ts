import { createDeferred } from '@parley/base';
import { conversationRoutes, type GroupStatement } from '@parley/protocol';
import { SignedAccount, SignedGroup } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import { Bench } from '../../tests/binding/bench.ts';
import type { HeardMarks } from '../types.ts';
import { type BoundPair, createConversationBinder } from './conversations.ts';

const [AGENT, ADA, EVE] = ['agent', 'ada', 'eve'] as const;
const human = (id: string) => ({ kind: 'human' as const, id });
const agent = { kind: 'agent' as const, id: AGENT };
const row = (id: string, kind: string, members: object[], more: object = {}) => ({
  conversation_id: id,
  kind,
  members,
  ...more,
});
const h2a = (person: string, relation = 'relation', id = 'c') =>
  row(id, 'h2a', [human(person), agent], { relation_id: relation });

const changed = { code: 'CONVERSATION_CHANGED' };
const told = (id = 'c') => ({ kind: 'row', subject: 'conversation', id });

interface Started {
  readonly disk?: Map<string, string>;
  readonly ownId?: string;
  readonly ownAccount?: string;
  readonly heard?: HeardMarks;
  /** Reading takes some turns of the event loop, as on a disk. */
  readonly isSlow?: boolean;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Someone who starts on this disk, with a server that shows the conversation so. */
function start(shown: () => unknown, options: Started = {}) {
  const { disk = new Map<string, string>(), ownId = AGENT, isSlow = false, ...more } = options;
  const bench = new Bench(disk).serve(conversationRoutes.readConversation, shown);
  const { get } = bench.deps.store;
  if (isSlow)
    bench.deps.store.get = (key) =>
      nextTurn()
        .then(nextTurn)
        .then(() => get(key));
  const device = SignedAccount.makeDevice();
  const groups = { statements: [] as readonly GroupStatement[], page: (): unknown => undefined };
  bench.serve(conversationRoutes.readGroup, ({ after }) => {
    const { statements } = groups;
    return groups.page() ?? { statements: statements.slice(after), length: statements.length, head: null };
  });
  const signerOf = async () => ({ key: Buffer.from(device.identity.publicKey).toString('base64url') });
  const binder = createConversationBinder({ ...bench.deps, ownId, signerOf, ...more });
  const { saved, problems, overs, asked } = bench;
  /** Everyone's hand in this test: who may sign what is tested with the groups. */
  const by = (id: string) => ({ by: { ...human(id), device_id: 'device' }, identity: device.identity });
  return { ...binder, saved, problems, overs, asked, groups, by };
}

describe('SK-3 who is in a conversation of two', () => {
  it('SK-3 attack: a server that gives the conversation to someone else later is not believed, even after a restart', async () => {
    const disk = new Map<string, string>();
    const first = start(() => h2a(ADA), { disk });
    expect(await first.pinned('c')).toBeUndefined();
    const found = await first.find('c');
    expect(found).toEqual({ kind: 'h2a', members: [human(ADA), agent], relationId: 'relation' });
    await first.saved();
    const again = start(() => h2a(EVE), { disk });
    expect(await again.pinned('c')).toEqual(found);
    expect(again.asked).toEqual([]);
    await expect(again.find('c')).rejects.toMatchObject(changed);
    expect(again.problems).toEqual([told()]);
  });

  it.each([
    ['h2h', human(EVE)],
    ['h2a', agent],
  ])('EE-20 attack: nor on a slow disk, while what was read is dropped from memory (%s)', async (kind, other) => {
    const disk = new Map<string, string>();
    const ownId = kind === 'h2h' ? EVE : AGENT;
    const first = start(() => row('c', kind, [human(ADA), other]), { disk, ownId });
    await first.find('c');
    await first.saved();
    const before = new Map(disk);
    const again = start(() => row('c', kind, [human('mallory'), other]), { disk, ownId, isSlow: true });
    await expect(again.find('c')).rejects.toMatchObject(changed);
    await again.saved();
    expect(disk).toEqual(before);
  });

  it('EE-24 when the server is right again, it is told that it is over', async () => {
    let shown = h2a(ADA);
    const { find, problems, overs } = start(() => shown);
    await find('c');
    shown = h2a(EVE);
    const before = overs.length;
    await expect(find('c')).rejects.toMatchObject(changed);
    expect(problems).toEqual([told()]);
    expect(overs).toHaveLength(before);
    shown = h2a(ADA);
    await find('c');
    expect(overs.slice(before)).toEqual([{ kind: 'over', subject: 'conversation', id: 'c' }]);
  });

  it('RL-10 attack: a server that names another relation cannot bring another ledger with it', async () => {
    const disk = new Map<string, string>();
    const first = start(() => h2a(ADA), { disk });
    await first.find('c');
    await first.saved();
    const again = start(() => h2a(ADA, 'second'), { disk });
    await expect(again.find('c')).rejects.toMatchObject(changed);
    expect(await again.pinned('c')).toMatchObject({ relationId: 'relation' });
    expect(again.problems).toEqual([told()]);
  });

  it('SK-3 what an agent of an earlier version has pinned still counts', async () => {
    const disk = new Map([
      ['agent/conversation/c', JSON.stringify({ kind: 'h2a', person: ADA, relationId: 'first' })],
      ['agent/conversation/d', JSON.stringify({ kind: 'h2a', person: ADA, relationId: 'first' })],
      ['pin/conversation/d', JSON.stringify({ kind: 'h2a', members: [human(EVE), agent] })],
      ['pin/conversation/e', JSON.stringify({ kind: 'h2a', members: [human(ADA), agent] })],
    ]);
    const pin = { kind: 'h2a', members: [human(ADA), agent], relationId: 'first' };
    const kept = start(() => h2a(EVE), { disk });
    expect(await kept.pinned('c')).toEqual(pin);
    await expect(kept.find('c')).rejects.toMatchObject(changed);
    await expect(kept.pinned('d')).rejects.toMatchObject(changed);
    const other = start(() => h2a(ADA, 'now', 'e'), { disk });
    expect(await other.pinned('e')).toBeUndefined();
    expect(await other.find('e')).toEqual({ ...pin, relationId: 'now' });
    expect(await other.pinned('e')).toEqual({ ...pin, relationId: 'now' });
  });

  it('EE-20 attack: a third reader, from the beginning or later', async () => {
    const three = start(() => row('c', 'h2a', [human(ADA), human(EVE), agent]));
    await expect(three.find('c')).rejects.toMatchObject(changed);
    let members: object[] = [human(ADA), agent];
    const later = start(() => row('c', 'h2a', members));
    await later.find('c');
    members = [human(ADA), agent, human(EVE)];
    await expect(later.find('c')).rejects.toMatchObject(changed);
    members = [agent];
    // One may have left; nobody comes in their place.
    expect(await later.find('c')).toMatchObject({ members: [human(ADA), agent] });
  });

  it('EE-20 attack: a conversation that one is not in, of others than it says, or under another id', async () => {
    for (const shown of [
      row('c', 'h2a', [human(ADA), { kind: 'agent', id: 'another' }]),
      row('c', 'h2h', [human(ADA), agent]),
      row('c', 'h2a', [agent, agent]),
      row('d', 'h2a', [human(ADA), agent]),
    ]) {
      const { find, problems } = start(() => shown);
      await expect(find('c')).rejects.toMatchObject(changed);
      expect(problems).toEqual([told()]);
    }
  });
});

describe('EE-20 a conversation that a device has signed', () => {
  const pair: BoundPair = { kind: 'h2a', other: agent, relationId: 'relation', signed: true };

  it('EE-20 attack: the server shows another agent, or a group, in its place', async () => {
    const disk = new Map<string, string>();
    const { bind, saved } = start(() => h2a(ADA), { disk, ownId: ADA });
    await bind('c', pair);
    await saved();
    for (const shown of [
      row('c', 'h2a', [human(ADA), { kind: 'agent', id: 'another' }]),
      row('c', 'group', [human(ADA), agent, human(EVE)]),
      row('c', 'h2h', [human(ADA), human(EVE)]),
    ]) {
      const { find, problems } = start(() => shown, { disk, ownId: ADA });
      await expect(find('c')).rejects.toMatchObject(changed);
      expect(problems).toEqual([told()]);
    }
  });

  it('EE-20 what was signed replaces what was only seen, and says so; never the other way round', async () => {
    const { find, bind, pinned, problems } = start(
      () => row('c', 'h2a', [human(ADA), { kind: 'agent', id: 'another' }]),
      {
        ownId: ADA,
      },
    );
    await find('c');
    await expect(bind('c', { ...pair, signed: false })).rejects.toMatchObject(changed);
    expect(await bind('c', pair)).toBe(true);
    expect(problems).toEqual([told(), told()]);
    expect(await pinned('c')).toMatchObject({ members: [human(ADA), agent], relationId: 'relation' });
    expect(await bind('c', pair)).toBe(false);
    const other = { kind: 'agent' as const, id: 'another' };
    await expect(bind('c', { ...pair, other })).rejects.toMatchObject(changed);
    await expect(bind('c', { ...pair, relationId: 'second' })).rejects.toMatchObject(changed);
    await expect(find('c')).rejects.toMatchObject(changed);
  });

  it('EE-20 attack: a new conversation with an agent is declared a group that someone else has signed', async () => {
    const shown = () => row('c', 'group', [human(ADA), agent, human(EVE)]);
    const { find, bind, groups, by, pinned } = start(shown, { ownId: ADA });
    const signed = new SignedGroup('c');
    const member = (id: string) => ({ ...human(id), role: 'member' as const });
    signed.sign(by(EVE), { action: 'create', title: null, members: [member(ADA), { ...agent, role: 'member' }] });
    groups.statements = signed.statements;
    // The server asks this device to look before its own request is answered, and holds the statements back until then.
    const late = createDeferred<unknown>();
    groups.page = () => late.promise;
    const early = find('c');
    await new Promise(setImmediate);
    await bind('c', pair);
    late.resolve({ statements: signed.statements, length: 1, head: null });
    await expect(early).rejects.toMatchObject(changed);
    expect(await pinned('c')).toMatchObject({ kind: 'h2a', members: [human(ADA), agent] });
  });

  it('EE-20 attack: the same, and the group was seen before', async () => {
    const shown = () => row('c', 'group', [human(ADA), agent, human(EVE)]);
    const { find, bind, groups, by, pinned } = start(shown, { ownId: ADA });
    const signed = new SignedGroup('c');
    signed.sign(by(EVE), { action: 'create', title: null, members: [{ ...human(ADA), role: 'member' }] });
    groups.statements = signed.statements;
    expect(await find('c')).toMatchObject({ kind: 'group', signed: true });
    expect(await bind('c', pair)).toBe(true);
    expect(await pinned('c')).toMatchObject({ kind: 'h2a' });
    await expect(find('c')).rejects.toMatchObject(changed);
  });
});

describe('EE-20 a group', () => {
  let shown: unknown;
  let ada: ReturnType<typeof start>;
  let signed: SignedGroup;
  beforeEach(() => {
    shown = row('g', 'group', [human(ADA), agent]);
    ada = start(() => shown, { ownId: ADA });
    signed = new SignedGroup('g');
    signed.sign(ada.by(ADA), { action: 'create', title: 'Ours', members: [{ ...agent, role: 'member' }] });
    ada.groups.statements = signed.statements;
  });

  it('EE-20 attack: a ghost member whom the server inserts gets nothing, and is told', async () => {
    shown = row('g', 'group', [human(ADA), agent, human(EVE)]);
    expect(await ada.find('g')).toMatchObject({
      members: [human(ADA), agent],
      strangers: [human(EVE)],
      signed: true,
      title: 'Ours',
      end: signed.end,
    });
    expect(ada.problems).toEqual([{ kind: 'members', conversationId: 'g', strangers: [human(EVE)] }]);
  });

  it('EE-20 whom the server leaves out gets nothing, until it says otherwise', async () => {
    shown = row('g', 'group', [human(ADA)]);
    expect((await ada.find('g')).members).toMatchObject([human(ADA)]);
    shown = row('g', 'group', [human(ADA), agent]);
    expect((await ada.find('g')).members).toMatchObject([human(ADA), agent]);
    expect(ada.problems).toEqual([]);
  });

  it('EE-20 in one that nobody has signed nobody is; all are strangers', async () => {
    ada.groups.statements = [];
    expect(await ada.find('g')).toEqual({
      kind: 'group',
      members: [],
      past: [],
      strangers: [human(ADA), agent],
      signed: false,
    });
    expect(ada.problems).toEqual([]);
  });

  it('EE-20 attack: a chain that does not verify, or a shorter one, is told', async () => {
    await ada.find('g');
    ada.groups.page = () => ({ statements: [], length: 0, head: null });
    expect(await ada.find('g')).toMatchObject({ members: [human(ADA), agent], signed: true });
    expect(ada.problems).toEqual([told('g')]);
    const fresh = start(() => shown, { ownId: ADA });
    fresh.groups.statements = signed.statements;
    expect(await fresh.find('g')).toMatchObject({ signed: false, members: [] });
    expect(fresh.problems).toEqual([told('g')]);
  });

  it('EE-20 attack: it never becomes a conversation of two', async () => {
    await ada.find('g');
    expect(await ada.pinned('g')).toBeUndefined();
    shown = h2a(ADA, 'relation', 'g');
    await expect(ada.find('g')).rejects.toMatchObject(changed);
    expect(ada.problems).toEqual([told('g')]);
  });
});

describe('EE-23 the conversation of a person’s own devices', () => {
  const own = { kind: 'account', members: [human(ADA)] };

  it('EE-23 attack: nothing about it is the server’s word: it is not asked, and puts nobody into it', async () => {
    const me = start(() => row(ADA, 'group', [human(ADA), human(EVE)]), { ownId: ADA, ownAccount: ADA });
    expect(await me.find(ADA)).toEqual(own);
    expect(await me.pinned(ADA)).toEqual(own);
    expect(me.asked).toEqual([]);
    await expect(me.describe(ADA)).rejects.toMatchObject(changed);
  });

  it('EE-23 attack: a relation whose conversation it would be is refused, signed or not', async () => {
    const me = start(() => h2a(ADA), { ownId: ADA, ownAccount: ADA });
    for (const signed of [true, false]) {
      const pair: BoundPair = { kind: 'h2a', other: agent, relationId: 'relation', signed };
      await expect(me.bind(ADA, pair)).rejects.toMatchObject(changed);
    }
    expect(await me.find(ADA)).toEqual(own);
  });

  it('EE-23 an agent has none', async () => {
    const me = start(() => h2a(ADA, 'relation', AGENT), { ownId: AGENT });
    expect(await me.find(AGENT)).toMatchObject({ kind: 'h2a' });
  });
});

describe('EE-23 a group that another own device has seen more of', () => {
  it('EE-23 attack: the server keeps a removal back: nothing is sealed for the group until it is shown', async () => {
    const marks: { length: number; head: string }[] = [];
    const heard = { list: () => [], group: () => marks };
    const me = start(() => row('g', 'group', [human(ADA), human(EVE)]), { ownId: ADA, ownAccount: ADA, heard });
    const group = new SignedGroup('g');
    group.sign(me.by(ADA), { action: 'create', title: 'Two', members: [{ ...human(EVE), role: 'member' }] });
    me.groups.statements = [...group.statements];
    expect(await me.find('g')).not.toHaveProperty('withheld');
    group.sign(me.by(ADA), { action: 'remove', member: human(EVE) });
    marks.push(group.end as { length: number; head: string });
    expect(await me.find('g')).toMatchObject({ withheld: true });
    me.groups.statements = [...group.statements];
    expect(await me.find('g')).not.toHaveProperty('withheld');
  });
});
