import type { ContactsSnapshot, Device } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { wordsFor } from '../messages/index.ts';
import { carryOut } from './decide.ts';
import { formatContacts } from './format-contacts.ts';

const mallory = { user_id: '0190a1b2-0000-7000-8000-00000000000a', display_name: 'Mallory' };
const invitation = {
  title: null,
  members: 2,
  invited_by: mallory,
  accepted: false,
  created_at: '2026-01-01T00:00:00.000Z',
};
const shown: ContactsSnapshot = {
  loaded: true,
  contacts: [],
  incoming: [],
  outgoing: [],
  blocked: [],
  invitations: [
    { ...invitation, invitation_id: '0190a1b2-0000-7000-8000-00000000000b' },
    { ...invitation, invitation_id: '0190a1b2-0000-7000-8000-00000000000c', title: 'Choir' },
  ],
};

describe('AC-5 invitations at the command line', () => {
  it('AC-6 whoever invites is blocked by name, however often they have invited', async () => {
    const blocked: string[] = [];
    const contacts = {
      sync: async () => {},
      getSnapshot: () => shown,
      block: async (id: string) => void blocked.push(id),
    };
    const device = { contacts } as unknown as Device;
    await carryOut('block', 'Mallory', { device, words: wordsFor('en') });
    expect(blocked).toEqual([mallory.user_id]);
  });

  it('AC-5 a group whose title is not told has the name of who invites', () => {
    expect(formatContacts(shown, wordsFor('en'), (_, text) => text)).toContain('A group of Mallory  (from Mallory)');
    expect(formatContacts(shown, wordsFor('zh-CN'), (_, text) => text)).toContain('Mallory 的群聊');
  });
});
