import { isId, isParleyError } from '@parley/base';
import type { Api } from '@parley/messenger';
import { adminRoutes } from '@parley/protocol';
import { CommandError } from '../command-error.ts';

/** The account that was named by its address or its id. */
export async function findAccount(api: Api, named: string): Promise<adminRoutes.WireAccount> {
  const wanted = named.trim().toLowerCase();
  const account = await (isId(wanted) ? readAccount(api, wanted) : findByEmail(api, wanted));
  if (account === undefined) throw new CommandError('ACCOUNT_UNKNOWN', { params: { email: named } });
  return account;
}

function readAccount(api: Api, id: string): Promise<adminRoutes.WireAccount | undefined> {
  return api.call(adminRoutes.readAccount, { params: { account_id: id } }).catch((error: unknown) => {
    if (isParleyError(error, 'NOT_FOUND')) return undefined;
    throw error;
  });
}

async function findByEmail(api: Api, email: string): Promise<adminRoutes.WireAccount | undefined> {
  const { accounts } = await api.call(adminRoutes.listAccounts, { query: { email } });
  // An address may be used again once its account is deleted.
  return accounts.find(({ status }) => status !== 'deleted') ?? accounts[0];
}
