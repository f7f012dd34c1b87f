import { createMemoryStore } from '@parley/messenger';
import { conversationRoutes as routes } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { createInvitations } from './invitations.ts';

describe('AC-5 signing in whom one has invited', () => {
  it('AC-5 one who cannot be signed in is told, and keeps out nobody after them', async () => {
    const invited = ['ann', 'bob', 'cleo'];
    const call = async (route: unknown, { params }: { params: { conversation_id: string } }) => {
      if (route !== routes.listInvitations) return { invitation_id: '' };
      if (params.conversation_id === 'away') throw new Error('away');
      return { invitations: invited.map((user_id) => ({ user_id, accepted: true })) };
    };
    const signed: string[] = [];
    const told: unknown[] = [];
    const invitations = createInvitations({
      api: { call } as never,
      store: createMemoryStore(),
      onProblem: (error) => told.push(error),
      addMember: async (conversationId, accountId) => {
        if (accountId === 'ann') throw new Error(`no ${accountId}`);
        signed.push(`${conversationId} ${accountId}`);
      },
    });
    await invitations.invite('away', 'ann');
    for (const group of ['one', 'two']) for (const accountId of invited) await invitations.invite(group, accountId);
    await invitations.admit();
    expect(signed).toEqual(['one bob', 'one cleo', 'two bob', 'two cleo']);
    expect(told.map(String)).toEqual(['Error: away', 'Error: no ann', 'Error: no ann']);
    // The next time, those alone are tried again.
    await invitations.admit();
    expect(signed).toHaveLength(4);
    expect(told).toHaveLength(6);
  });
});
