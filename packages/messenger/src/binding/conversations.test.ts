import { describe, expect, it } from 'vitest';
import type { Api } from '../api/api.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import { createConversationFinder } from './conversations.ts';

const [AGENT, PERSON, OTHER] = ['agent', 'person', 'other'] as const;
const human = (id: string) => ({ kind: 'human' as const, id });
const agent = { kind: 'agent' as const, id: AGENT };
const h2a = (person: string, relation = 'relation') => ({
  kind: 'h2a',
  members: [human(person), agent],
  relation_id: relation,
});

/** An agent that starts on this disk, with a server that shows the conversation so. */
function start(disk: Map<string, string>, shown: () => unknown) {
  const store = createMemoryStore(disk);
  const writeBuffer = createWriteBuffer({ store, setTimer: () => () => {}, onBroken: () => {} });
  let asked = 0;
  const call = (async () => {
    asked++;
    return shown();
  }) as unknown as Api['call'];
  const api = { call } as Api;
  const finder = createConversationFinder({ api, store, writeBuffer, ownId: AGENT });
  return { ...finder, saved: writeBuffer.saved, asked: () => asked };
}

describe('SK-3 who is in a conversation of two', () => {
  it('SK-3 attack: a server that gives the conversation to someone else later is not believed, even after a restart', async () => {
    const disk = new Map<string, string>();
    const first = start(disk, () => h2a(PERSON));
    expect(await first.pinned('c')).toBeUndefined();
    const found = await first.find('c');
    expect(found).toEqual({ kind: 'h2a', members: [human(PERSON), agent], relationId: 'relation' });
    await first.saved();
    const again = start(disk, () => h2a(OTHER));
    expect(await again.pinned('c')).toEqual(found);
    expect(again.asked()).toBe(0);
    await expect(again.find('c')).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
  });

  it('RL-10 attack: a server that names another relation cannot bring another ledger with it', async () => {
    const disk = new Map<string, string>();
    const first = start(disk, () => h2a(PERSON));
    await first.find('c');
    await first.saved();
    expect(await start(disk, () => h2a(PERSON, 'second')).find('c')).toMatchObject({ relationId: 'relation' });
  });

  it('SK-3 what an agent of an earlier version has pinned still counts', async () => {
    const disk = new Map([
      ['agent/conversation/c', JSON.stringify({ kind: 'h2a', person: PERSON, relationId: 'first' })],
      ['agent/conversation/d', JSON.stringify({ kind: 'h2a', person: PERSON, relationId: 'first' })],
      ['pin/conversation/d', JSON.stringify({ kind: 'h2a', members: [human(OTHER), agent] })],
      ['pin/conversation/e', JSON.stringify({ kind: 'h2a', members: [human(PERSON), agent] })],
    ]);
    const pin = { kind: 'h2a', members: [human(PERSON), agent], relationId: 'first' };
    const kept = start(disk, () => h2a(OTHER));
    expect(await kept.pinned('c')).toEqual(pin);
    await expect(kept.find('c')).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
    await expect(kept.pinned('d')).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
    const other = start(disk, () => h2a(PERSON, 'now'));
    expect(await other.pinned('e')).toBeUndefined();
    expect(await other.find('e')).toEqual({ ...pin, relationId: 'now' });
    expect(await other.pinned('e')).toEqual({ ...pin, relationId: 'now' });
  });

  it('EE-12 a group is as the server says, but never becomes a conversation of two', async () => {
    const disk = new Map<string, string>();
    let shown: unknown = { kind: 'group', members: [human(PERSON), agent] };
    const finder = start(disk, () => shown);
    await finder.find('g');
    shown = { kind: 'group', members: [human(OTHER), agent] };
    expect((await finder.find('g')).members).toEqual([human(OTHER), agent]);
    expect(await finder.pinned('g')).toBeUndefined();
    shown = h2a(OTHER);
    await expect(finder.find('g')).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
  });
});
