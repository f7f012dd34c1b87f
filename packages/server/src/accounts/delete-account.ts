import { deleteAgent } from '../agents/lifecycle.ts';
import { hashSecret } from '../auth/secret.ts';
import { wakeSessions } from '../auth/session.ts';
import { deleteAccountConversation } from '../conversations/create.ts';
import { leaveGroups } from '../conversations/members.ts';
import { lockEvents } from '../events/inbox.ts';
import type { Human } from '../http/caller.ts';
import { dropPrekeys, dropStocks } from '../keys/store.ts';
import { forgetPeople } from '../people/forget.ts';
import type { Platform } from '../platform.ts';
import { endRelationsOfAccount } from '../relations/end.ts';
import { confirmPassword, type GivenPassword } from './confirm-password.ts';
import type { AccountDeps } from './deps.ts';
import { dropCursors } from './device-store.ts';

/**
 * Ends everything the account has and erases who it was. The row stays without a name, because what others keep refers to
 * it: their conversations, and the ledgers of agents. So does its device list, which names keys only (EE-20). Its agents go first, so that a crash in between leaves an account
 * that can ask again.
 */
export async function deleteAccount(deps: AccountDeps, caller: Human, password: GivenPassword): Promise<void> {
  const { db } = deps;
  const { accountId } = caller;
  const { email } = await confirmPassword(deps, caller, password);
  const agents = await db
    .selectFrom('agents')
    .select('id')
    .where('owner_id', '=', accountId)
    .where('status', '<>', 'deleted')
    .execute();
  for (const { id } of agents) await deleteAgent({ ...deps, db: deps.patientDb }, id);
  const { wake, ended } = await erase(deps, accountId, email);
  wake();
  wakeSessions(deps, ended);
}

function erase(platform: Platform, accountId: string, email: string) {
  return platform.patientDb.transaction().execute(async (trx) => {
    const now = platform.now();
    await trx
      .updateTable('accounts')
      .set({
        status: 'deleted',
        role: 'user',
        email: `${accountId}@deleted.invalid`,
        display_name: '',
        password_hash: null,
        account_key: null,
      })
      .where('id', '=', accountId)
      .execute();
    const wakeRelations = await endRelationsOfAccount(trx, platform, accountId);
    const told = await leaveGroups(trx, platform, { kind: 'human', id: accountId });
    const wake = () => {
      wakeRelations();
      platform.events.wake(told);
    };
    await trx
      .updateTable('members')
      .set({ left_at: now })
      .where('member_kind', '=', 'human')
      .where('member_id', '=', accountId)
      .where('left_at', 'is', null)
      .execute();
    await deleteAccountConversation(trx, accountId);
    const devices = await trx.deleteFrom('devices').where('account_id', '=', accountId).returning('id').execute();
    const ids = devices.map(({ id }) => id);
    await dropPrekeys(trx, 'device', ids);
    await dropStocks(trx, ids);
    await dropCursors(trx, ids);
    const ended = await trx.deleteFrom('sessions').where('account_id', '=', accountId).returning('id').execute();
    await trx.deleteFrom('passkeys').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('passkey_challenges').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('password_resets').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('account_budgets').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('account_notices').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('device_grants').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('email_codes').where('email_hash', '=', hashSecret(email)).execute();
    await forgetPeople(trx, accountId);
    await lockEvents(trx, accountId);
    await trx
      .deleteFrom('events')
      .where('recipient_kind', '=', 'human')
      .where('recipient_id', '=', accountId)
      .execute();
    return { wake, ended: ended.map(({ id }) => id) };
  });
}
