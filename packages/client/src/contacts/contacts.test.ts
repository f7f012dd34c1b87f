import { createMemoryStore } from '@parley/messenger';
import { contactRoutes as routes } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { countWaiting, loadContacts } from './contacts.ts';

const never = () => expect.unreachable();

/** A server that has only the list of the blocked; it can be away. */
async function load(server: { blocked: { user_id: string; agent_ids: string[] }[]; unblocked: string[] }) {
  let asked = 0;
  let away = false;
  const call = async (route: unknown) => {
    asked++;
    if (away) throw new Error('away');
    if (route === routes.listContacts) return { contacts: [], next_cursor: null };
    if (route === routes.listContactRequests) return { incoming: [], outgoing: [] };
    if (route === routes.listOwnInvitations) return { invitations: [] };
    return server;
  };
  const api = { call } as never;
  const contacts = await loadContacts({
    api,
    store: createMemoryStore(),
    startWithPerson: never,
    syncConversations: never,
  });
  return {
    contacts,
    asked: () => asked,
    leave: (is: boolean) => {
      away = is;
    },
  };
}

const by = (id: string, conversationKind: 'group' | 'h2a' = 'group') => ({
  sender: { kind: 'agent' as const, id },
  conversationKind,
});
const person = (id: string) => ({
  sender: { kind: 'human' as const, id, device_id: 'desk' },
  conversationKind: 'group' as const,
});

describe('AC-6 what is hidden', () => {
  it('AC-6 who has blocked nobody is asked nothing about agents', async () => {
    const { contacts, asked } = await load({ blocked: [], unblocked: [] });
    await contacts.sync();
    const before = asked();
    expect(await contacts.hides(by('bot'))).toBe(false);
    expect(contacts.hidesNow(by('bot').sender, true)).toBe(false);
    expect(asked()).toBe(before);
  });

  it('AC-6 an agent that is new is asked about once, and hidden if it belongs to someone blocked', async () => {
    const server = { blocked: [{ user_id: 'mallory', agent_ids: ['old'] }], unblocked: [] };
    const { contacts, asked } = await load(server);
    await contacts.sync();
    expect(await contacts.hides(person('mallory'))).toBe(true);
    expect(await contacts.hides(by('old'))).toBe(true);
    server.blocked = [{ user_id: 'mallory', agent_ids: ['old', 'new'] }];
    const before = asked();
    expect([await contacts.hides(by('new')), await contacts.hides(by('honest'))]).toEqual([true, false]);
    expect([await contacts.hides(by('new')), await contacts.hides(by('honest'))]).toEqual([true, false]);
    expect(asked()).toBe(before + 2);
    // With an agent alone, its relation counts.
    expect(await contacts.hides(by('old', 'h2a'))).toBe(false);
    expect(contacts.hidesNow(by('old').sender, false)).toBe(false);
  });

  it('AC-6 what an unknown agent streams is not shown before it is known whose it is', async () => {
    const { contacts } = await load({ blocked: [{ user_id: 'mallory', agent_ids: [] }], unblocked: [] });
    await contacts.sync();
    expect(contacts.hidesNow(by('honest').sender, true)).toBe(true);
    await until(() => !contacts.hidesNow(by('honest').sender, true));
  });

  it('AC-6 a server that does not answer silences no agent, and is asked again', async () => {
    const { contacts, leave } = await load({ blocked: [{ user_id: 'mallory', agent_ids: ['new'] }], unblocked: [] });
    await contacts.sync();
    leave(true);
    expect(await contacts.hides(by('other'))).toBe(false);
    leave(false);
    expect(await contacts.hides(by('new'))).toBe(true);
  });

  it('AC-6 what somebody wrote who is unblocked by now is no loss either', async () => {
    const { contacts } = await load({ blocked: [], unblocked: ['mallory'] });
    expect(await contacts.wasBlocked(['bob', 'mallory'])).toBe(true);
    expect(await contacts.wasBlocked(['bob'])).toBe(false);
  });
});

describe('AC-6 an answer that comes late', () => {
  it('AC-6 an answer from before somebody was unblocked, which comes last, hides nobody again', async () => {
    const late = [{ user_id: 'mallory', agent_ids: [] }];
    /** What was asked and is not answered yet, in the order in which it was asked. */
    const asked: { route: unknown; answer: (reply: object) => void }[] = [];
    const call = (route: unknown) => new Promise<object>((answer) => asked.push({ route, answer }));
    const store = createMemoryStore();
    const deps = { store, startWithPerson: never, syncConversations: never };
    const contacts = await loadContacts({ api: { call } as never, ...deps });
    const answerAll = (questions: typeof asked, blocked: object[]) => {
      for (const { route, answer } of questions) {
        if (route === routes.listContacts) answer({ contacts: [], next_cursor: null });
        else if (route === routes.listContactRequests) answer({ incoming: [], outgoing: [] });
        else if (route === routes.listOwnInvitations) answer({ invitations: [] });
        else answer({ blocked, unblocked: [] });
      }
    };
    const first = contacts.sync();
    const before = asked.splice(0);
    const second = contacts.sync();
    answerAll(asked.splice(0), []);
    await second;
    answerAll(before, late);
    await first;
    expect(contacts.getSnapshot().blocked).toEqual([]);
    expect(await contacts.hides(person('mallory'))).toBe(false);
    const reopened = await loadContacts({ api: { call } as never, ...deps });
    expect(await reopened.hides(person('mallory'))).toBe(false);
  });
});

describe('AC-5 what waits', () => {
  it('AC-5 an invitation that was accepted waits for others, not for an answer', async () => {
    const { contacts } = await load({ blocked: [], unblocked: [] });
    const invitation = { invitation_id: '1', title: null, members: 2, created_at: '' };
    const invited_by = { user_id: 'ada', display_name: 'Ada' };
    const invitations = [false, true].map((accepted) => ({ ...invitation, invited_by, accepted }));
    expect(countWaiting({ ...contacts.getSnapshot(), invitations })).toBe(1);
  });
});
