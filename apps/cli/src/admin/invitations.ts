import { invitationRoutes } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { formatTime } from './format.ts';
import { type AdminOptions, openAdminApi } from './open.ts';

export interface InvitationOptions extends AdminOptions {
  readonly uses?: number;
  readonly days?: number;
  readonly note?: string;
}

/** Makes an invitation (AC-8). The link is on standard output alone, so that it can be passed on. */
export async function createInvitation(options: InvitationOptions, words: Words): Promise<CommandResult> {
  const { uses = 1, days = 7, note = '' } = options;
  const body = { uses, days, note };
  const { invitation, code, link } = await openAdminApi(options).call(invitationRoutes.createInvitation, { body });
  const params = { time: formatTime(invitation.expires_at), uses: words.count('people', uses) };
  return {
    exit: EXIT.fine,
    json: { invitation, code, link },
    text: () => `${displayName(link)}\n`,
    stderr: (paint) => `${paint('green', '✓')} ${words.say('admin.invitation_made', params)}\n`,
  };
}

export async function listInvitations(options: AdminOptions, words: Words): Promise<CommandResult> {
  const { invitations } = await openAdminApi(options).call(invitationRoutes.listInvitations);
  return {
    exit: EXIT.fine,
    json: { invitations },
    text: (paint) =>
      invitations.length === 0
        ? `${words.say('admin.no_invitation')}\n`
        : invitations.map((invitation) => formatInvitation(invitation, words, paint)).join(''),
  };
}

export async function revokeInvitation(id: string, options: AdminOptions, words: Words): Promise<CommandResult> {
  const params = { invitation_id: id };
  await openAdminApi(options).call(invitationRoutes.revokeInvitation, { params });
  return {
    exit: EXIT.fine,
    json: params,
    text: (paint) => `${paint('green', '✓')} ${words.say('admin.invitation_revoked')}\n`,
  };
}

function formatInvitation(invitation: invitationRoutes.WireInvitation, words: Words, paint: Paint): string {
  const { invitation_id, used, uses, expires_at, revoked_at, note } = invitation;
  const line = words.say('admin.invitation_line', { used, uses, time: formatTime(expires_at) });
  const over = revoked_at === null ? '' : `  ${paint('red', words.say('admin.invitation_over'))}`;
  const about = note === '' ? '' : `\n  ${paint('dim', displayName(note))}`;
  return `${displayName(invitation_id)}  ${line}${over}${about}\n`;
}
