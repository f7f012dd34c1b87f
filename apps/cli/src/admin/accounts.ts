import { adminRoutes } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { findAccount } from './find-account.ts';
import { formatAccount, formatTime } from './format.ts';
import { type AdminOptions, openAdminApi } from './open.ts';
import { limitOf, readAll } from './read-all.ts';

export interface ListOptions extends AdminOptions {
  readonly status?: 'active' | 'suspended' | 'deleted';
  readonly role?: 'user' | 'operator';
  readonly limit?: number;
  readonly all?: boolean;
}

/** Lists accounts, newest first. */
export async function listAccounts(
  search: string | undefined,
  options: ListOptions,
  words: Words,
): Promise<CommandResult> {
  const api = openAdminApi(options);
  const { status, role } = options;
  const filter = {
    ...(search === undefined ? {} : { q: search }),
    ...(status === undefined ? {} : { status: status === 'suspended' ? ('banned' as const) : status }),
    ...(role === undefined ? {} : { role: role === 'operator' ? ('admin' as const) : role }),
  };
  const accounts = await readAll({
    read: (page) => api.call(adminRoutes.listAccounts, { query: { ...filter, ...page } }),
    rowsOf: (page) => page.accounts,
    limit: limitOf(options),
    words,
  });
  return {
    exit: EXIT.fine,
    json: { accounts },
    text: (paint) =>
      accounts.length === 0
        ? `${words.say('admin.no_account')}\n`
        : accounts.map((account) => formatAccount(account, words, paint)).join(''),
  };
}

const HOLDINGS = ['sessions', 'devices', 'passkeys', 'relations', 'conversations', 'bundles', 'skills'] as const;

export async function showAccount(named: string, options: AdminOptions, words: Words): Promise<CommandResult> {
  const api = openAdminApi(options);
  const { user_id } = await findAccount(api, named);
  const account = await api.call(adminRoutes.readAccount, { params: { account_id: user_id } });
  const rows = HOLDINGS.map((name) => `  ${words.say(`admin.holding.${name}`, { count: account[name] })}\n`);
  return {
    exit: EXIT.fine,
    json: account,
    text: (paint) =>
      `${formatAccount(account, words, paint)}  ${words.say('admin.since', { time: formatTime(account.created_at) })}\n${rows.join('')}`,
  };
}
