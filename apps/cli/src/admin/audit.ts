import { adminRoutes } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { findAccount } from './find-account.ts';
import { formatAction } from './format.ts';
import { type AdminOptions, openAdminApi } from './open.ts';
import { limitOf, readAll } from './read-all.ts';

export interface AuditOptions extends AdminOptions {
  /** Only what was done to this account. */
  readonly account?: string;
  /** Only what this operator did. */
  readonly operator?: string;
  readonly limit?: number;
  readonly all?: boolean;
}

/** Lists what operators did, newest first. */
export async function listActions(options: AuditOptions, words: Words): Promise<CommandResult> {
  const api = openAdminApi(options);
  const { account, operator } = options;
  const filter = {
    ...(account === undefined ? {} : { target_id: (await findAccount(api, account)).user_id }),
    ...(operator === undefined ? {} : { admin_id: (await findAccount(api, operator)).user_id }),
  };
  const actions = await readAll({
    read: (page) => api.call(adminRoutes.listActions, { query: { ...filter, ...page } }),
    rowsOf: (page) => page.actions,
    limit: limitOf(options),
    words,
  });
  return {
    exit: EXIT.fine,
    json: { actions },
    text: (paint) =>
      actions.length === 0
        ? `${words.say('admin.no_action')}\n`
        : actions.map((action) => formatAction(action, words, paint)).join(''),
  };
}
