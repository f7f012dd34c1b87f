import type { ContactsSnapshot, GroupInvitation } from '@parley/client';
import { formatContactCode } from '@parley/protocol';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';

/** The title of a group to which a stranger invites is not told (AC-5). */
export function nameGroup(
  { title, invited_by }: Pick<GroupInvitation, 'title' | 'invited_by'>,
  { say }: Words,
): string {
  const name = displayName(invited_by.display_name) || say('contacts.unnamed');
  return displayName(title ?? '') || say('contacts.group_of', { name });
}

type Shown = Omit<ContactsSnapshot, 'loaded'>;

/** What waits for an answer comes first. Names are what others call themselves. */
export function formatContacts(shown: Shown, words: Words, paint: Paint): string {
  const { say } = words;
  const row = (name: string, id: string, note = '') =>
    `  ${displayName(name) || say('contacts.unnamed')}${note === '' ? '' : `  (${note})`}  ${paint('dim', id)}\n`;
  const section = (title: string, rows: readonly string[]) =>
    rows.length === 0 ? '' : `${paint('bold', title)}\n${rows.join('')}`;
  const text = [
    section(
      say('contacts.incoming'),
      shown.incoming.map(({ request_id, display_name, by, agent_name }) =>
        row(display_name, request_id, say(`contacts.by.${by}`, { agent: displayName(agent_name ?? '') })),
      ),
    ),
    section(
      say('contacts.invitations'),
      shown.invitations.map(({ invitation_id, title, invited_by, accepted }) => {
        const key = accepted ? 'contacts.join_pending' : 'contacts.invited_by';
        const name = displayName(invited_by.display_name) || say('contacts.unnamed');
        return row(nameGroup({ title, invited_by }, words), invitation_id, say(key, { name }));
      }),
    ),
    section(
      say('contacts.contacts'),
      shown.contacts.map(({ user_id, display_name }) => row(display_name, user_id)),
    ),
    section(
      say('contacts.outgoing'),
      shown.outgoing.map(({ request_id, code, agent_id, user_id }) =>
        row(code === undefined ? (agent_id ?? user_id ?? '') : formatContactCode(code), request_id),
      ),
    ),
    section(
      say('contacts.list_blocked'),
      shown.blocked.map(({ user_id, display_name }) => row(display_name, user_id)),
    ),
  ].join('');
  return text === '' ? `${say('contacts.none')}\n` : text;
}
