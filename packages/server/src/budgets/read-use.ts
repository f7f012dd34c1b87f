import { BUDGET_NAMES, BUDGETS, type BudgetName } from '@parley/protocol';
import type { Db } from '../storage/database.ts';
import type { Budgets } from './index.ts';
import { NOTHING_USED, readUsage } from './stored-bytes.ts';
import { readWaiting } from './waiting-deliveries.ts';

interface BudgetUse {
  readonly name: BudgetName;
  readonly kind: 'rate' | 'stored' | 'concurrent';
  readonly unit: string;
  readonly used: number;
  readonly limit: number | null;
}

/** Lists all budgets of an account with what is used of each, in the order of the table. */
export async function readBudgetUse(
  { db, budgets }: { readonly db: Db; readonly budgets: Budgets },
  accountId: string,
): Promise<BudgetUse[]> {
  const { bytes, versions, groupMembers } = (await readUsage(db, [accountId])).get(accountId) ?? NOTHING_USED;
  const used: Readonly<Record<BudgetName, number>> = {
    frames_per_second: budgets.usedNow(accountId, 'frames_per_second'),
    bytes_per_second: budgets.usedNow(accountId, 'bytes_per_second'),
    bytes_passed_on_per_second: budgets.usedNow(accountId, 'bytes_passed_on_per_second'),
    bytes_stored: bytes,
    agents: await countAgents(db, accountId),
    group_members: groupMembers,
    manifest_versions: versions,
    waiting_deliveries: await readWaiting(db, accountId),
    sockets: budgets.usedNow(accountId, 'sockets'),
    connections: budgets.usedNow(accountId, 'connections'),
    diff_ms_per_minute: budgets.usedNow(accountId, 'diff_ms_per_minute'),
  };
  return BUDGET_NAMES.map((name) => {
    const { kind, unit } = BUDGETS[name];
    const limit = budgets.limitOf(accountId, name);
    return { name, kind, unit, used: used[name], limit: Number.isFinite(limit) ? limit : null };
  });
}

/** Those that were deleted do not count. */
export async function countAgents(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('agents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('status', '<>', 'deleted')
    .executeTakeFirstOrThrow();
  return count;
}
