import { invitationRoutes } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { findAccount } from './find-account.ts';
import { formatTime } from './format.ts';
import { openFreshAdminApi, type ReasonOptions } from './open.ts';

/** Makes a link with which an account sets a new password, once (AC-9). */
export async function createResetLink(named: string, options: ReasonOptions, words: Words): Promise<CommandResult> {
  const api = openFreshAdminApi(options, words);
  const { user_id, email } = await findAccount(api, named);
  const { link, expires_at } = await api.call(invitationRoutes.createResetLink, {
    params: { account_id: user_id },
    body: { reason: options.reason ?? '' },
  });
  const params = { email: displayName(email), time: formatTime(expires_at) };
  return {
    exit: EXIT.fine,
    json: { user_id, email, link, expires_at },
    text: () => `${displayName(link)}\n`,
    stderr: (paint) => `${paint('green', '✓')} ${words.say('admin.reset_link', params)}\n`,
  };
}
