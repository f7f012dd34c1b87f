import type { Api } from '@parley/messenger';
import { adminRoutes } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { MessageKey, Words } from '../messages/index.ts';
import { findAccount } from './find-account.ts';
import { openFreshAdminApi, type ReasonOptions } from './open.ts';

/** What is asked of the server, and the sentence that says it was done. */
interface Change {
  readonly send: (api: Api, accountId: string, reason: string) => Promise<{ readonly sessions?: number }>;
  readonly done: MessageKey;
}

const CHANGES = {
  suspend: {
    send: (api, account_id, reason) =>
      api.call(adminRoutes.banAccount, { params: { account_id }, body: { reason } }).then(() => ({})),
    done: 'admin.suspended',
  },
  resume: {
    send: (api, account_id, reason) =>
      api.call(adminRoutes.unbanAccount, { params: { account_id }, body: { reason } }).then(() => ({})),
    done: 'admin.resumed',
  },
  signOut: {
    send: (api, account_id, reason) =>
      api.call(adminRoutes.signOutAccount, { params: { account_id }, body: { reason } }),
    done: 'admin.signed_out',
  },
  grant: {
    send: (api, account_id, reason) =>
      api.call(adminRoutes.setRole, { params: { account_id }, body: { role: 'admin', reason } }).then(() => ({})),
    done: 'admin.granted',
  },
  revoke: {
    send: (api, account_id, reason) =>
      api.call(adminRoutes.setRole, { params: { account_id }, body: { role: 'user', reason } }).then(() => ({})),
    done: 'admin.revoked',
  },
} as const satisfies Readonly<Record<string, Change>>;

/** Changes one account. Doing it again changes nothing. */
export async function changeAccount(
  change: keyof typeof CHANGES,
  named: string,
  options: ReasonOptions,
  words: Words,
): Promise<CommandResult> {
  const api = openFreshAdminApi(options, words);
  const { send, done }: Change = CHANGES[change];
  const { user_id, email } = await findAccount(api, named);
  const { sessions } = await send(api, user_id, options.reason ?? '');
  const { role, status } = await api.call(adminRoutes.readAccount, { params: { account_id: user_id } });
  const ended = sessions === undefined ? {} : { sessions };
  const counted = sessions === undefined ? {} : { sessions: words.count('sessions', sessions) };
  const text = words.say(done, { email: displayName(email), ...counted });
  return {
    exit: EXIT.fine,
    json: { user_id, email, role, status, ...ended },
    text: (paint) => `${paint('green', '✓')} ${text}\n`,
  };
}
