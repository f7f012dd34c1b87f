import { lockAgent } from '../agents/store.ts';
import { wakeSockets } from '../agents/tokens.ts';
import type { Platform } from '../platform.ts';
import { restoreRelationsOf, suspendRelationsOf } from '../relations/end.ts';
import type { Trx } from '../storage/database.ts';
import { requireStillOperator } from './lock-account.ts';
import { doneBy, findStatusBefore, logAction } from './log.ts';
import type { Operator } from './operator.ts';

interface Change {
  readonly admin: Operator;
  readonly agentId: string;
  readonly reason: string;
}

export async function banAgent(platform: Platform, { admin, agentId, reason }: Change): Promise<void> {
  const now = platform.now();
  const wake = await platform.db.transaction().execute(async (trx) => {
    await requireStillOperator(trx, admin, now);
    const { status } = await lockAgent(trx, agentId);
    if (status === 'banned') return () => {};
    const action = { ...doneBy(admin), action: 'agent.ban', target_kind: 'agent' as const };
    await logAction(trx, { ...action, target_id: agentId, previous: status, reason, created_at: now });
    await trx.updateTable('agents').set({ status: 'banned', updated_at: now }).where('id', '=', agentId).execute();
    return suspendRelationsOf(trx, platform, agentId);
  });
  wake();
  wakeSockets(platform, agentId);
}

/** Restores the status from before the ban: an agent that its owner had suspended stays suspended. */
export async function unbanAgent(platform: Platform, { admin, agentId, reason }: Change): Promise<void> {
  const now = platform.now();
  const wake = await platform.db.transaction().execute(async (trx) => {
    await requireStillOperator(trx, admin, now);
    const { status, owner_id } = await lockAgent(trx, agentId);
    if (status !== 'banned') return () => {};
    const before = (await findStatusBefore(trx, agentId)) === 'suspended' ? 'suspended' : 'active';
    const action = { ...doneBy(admin), action: 'agent.unban', target_kind: 'agent' as const };
    await logAction(trx, { ...action, target_id: agentId, previous: status, reason, created_at: now });
    await trx.updateTable('agents').set({ status: before, updated_at: now }).where('id', '=', agentId).execute();
    const working = before === 'active' && (await isActive(trx, owner_id));
    return working ? restoreRelationsOf(trx, platform, agentId) : () => {};
  });
  wake();
}

async function isActive(trx: Trx, accountId: string): Promise<boolean> {
  const row = await trx.selectFrom('accounts').select('status').where('id', '=', accountId).executeTakeFirst();
  return row?.status === 'active';
}
