import { isId } from '@parley/base';
import type { Api } from '@parley/messenger';
import { adminRoutes } from '@parley/protocol';
import { CommandError } from '../command-error.ts';

/** The account that was named by its address or its id. */
export async function findAccount(api: Api, named: string): Promise<adminRoutes.WireAccount> {
  const { accounts } = await api.call(adminRoutes.listAccounts, { query: { q: named } });
  const wanted = named.trim().toLowerCase();
  const isNamed = ({ user_id, email }: adminRoutes.WireAccount) =>
    isId(wanted) ? user_id === wanted : email.toLowerCase() === wanted;
  const found = accounts.filter(isNamed);
  // An address may be used again once its account is deleted.
  const account = found.find(({ status }) => status !== 'deleted') ?? found[0];
  if (account === undefined) throw new CommandError('ACCOUNT_UNKNOWN', { params: { email: named } });
  return account;
}
