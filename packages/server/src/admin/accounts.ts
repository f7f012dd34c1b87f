import { wakeSessions } from '../auth/session.ts';
import { revokeSessions } from '../auth/session-store.ts';
import { keyOf } from '../events/bus.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { restoreRelationsOf, suspendRelationsOf } from '../relations/end.ts';
import type { Trx } from '../storage/database.ts';
import { lockAccount } from './lock-account.ts';
import { doneBy, logAction } from './log.ts';
import type { Operator } from './operator.ts';

type AfterCommit = () => void;

interface Change {
  readonly admin: Operator;
  readonly accountId: string;
  readonly reason: string;
}

/**
 * Bans an account. Its sessions end, and its agents stop, because their tokens count only as long as their owner does.
 */
export async function banAccount(platform: Platform, { admin, accountId, reason }: Change): Promise<void> {
  const now = platform.now();
  const wakes = await platform.db.transaction().execute(async (trx): Promise<AfterCommit[]> => {
    const { status } = await lockOther(trx, { admin, accountId, now });
    if (status === 'banned') return [];
    const action = { ...doneBy(admin), action: 'account.ban', target_kind: 'account' as const };
    await logAction(trx, { ...action, target_id: accountId, previous: status, reason, created_at: now });
    await trx.updateTable('accounts').set({ status: 'banned' }).where('id', '=', accountId).execute();
    const sessions = await revokeSessions(trx, { accountId }, now);
    const paused: AfterCommit[] = [];
    const agents = await lockActiveAgents(trx, accountId);
    for (const agentId of agents) paused.push(await suspendRelationsOf(trx, platform, agentId));
    const keys = [keyOf.human(accountId), ...agents.map(keyOf.agent)];
    return [...paused, () => wakeSessions(platform, sessions), () => platform.bus.wake(keys)];
  });
  for (const wake of wakes) wake();
}

export async function unbanAccount(platform: Platform, { admin, accountId, reason }: Change): Promise<void> {
  const now = platform.now();
  const wakes = await platform.db.transaction().execute(async (trx): Promise<AfterCommit[]> => {
    const { status } = await lockOther(trx, { admin, accountId, now });
    if (status === 'active') return [];
    const action = { ...doneBy(admin), action: 'account.unban', target_kind: 'account' as const };
    await logAction(trx, { ...action, target_id: accountId, previous: status, reason, created_at: now });
    await trx.updateTable('accounts').set({ status: 'active' }).where('id', '=', accountId).execute();
    const restored: AfterCommit[] = [];
    for (const agentId of await lockActiveAgents(trx, accountId)) {
      restored.push(await restoreRelationsOf(trx, platform, agentId));
    }
    return restored;
  });
  for (const wake of wakes) wake();
}

export async function setRole(
  platform: Platform,
  { admin, accountId, role, reason }: Change & { readonly role: 'user' | 'admin' },
): Promise<void> {
  const now = platform.now();
  await platform.db.transaction().execute(async (trx) => {
    const { role: previous } = await lockOther(trx, { admin, accountId, now });
    if (previous === role) return;
    const action = { ...doneBy(admin), action: `account.role.${role}`, target_kind: 'account' as const };
    await logAction(trx, { ...action, target_id: accountId, previous, reason, created_at: now });
    await trx.updateTable('accounts').set({ role }).where('id', '=', accountId).execute();
  });
}

/** Ends every session of an account, and the sockets with them. Its agents go on. Returns how many there were. */
export async function signOutAccount(platform: Platform, { admin, accountId, reason }: Change): Promise<number> {
  const now = platform.now();
  const sessions = await platform.db.transaction().execute(async (trx) => {
    const { status } = await lockOther(trx, { admin, accountId, now });
    const action = { ...doneBy(admin), action: 'account.sign_out', target_kind: 'account' as const };
    await logAction(trx, { ...action, target_id: accountId, previous: status, reason, created_at: now });
    return revokeSessions(trx, { accountId }, now);
  });
  wakeSessions(platform, sessions);
  return sessions.length;
}

/** Operators cannot ban, demote or sign out themselves. */
function lockOther(trx: Trx, which: Parameters<typeof lockAccount>[1]) {
  if (which.admin.accountId === which.accountId) throw new RequestError('OWN_ACCOUNT');
  return lockAccount(trx, which);
}

/** Locks the agents in the same order as everyone who locks several agents and then their relations. */
async function lockActiveAgents(trx: Trx, ownerId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('agents')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'active')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map((row) => row.id);
}
