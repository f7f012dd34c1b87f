import type { adminRoutes, BodyOf, BudgetName, ReplyOf } from '@parley/protocol';
import { readBudgetUse } from '../budgets/read-use.ts';
import { keyOf } from '../events/bus.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { lockAccount } from './lock-account.ts';
import { doneBy, logAction } from './log.ts';
import type { Operator } from './operator.ts';

type Changes = BodyOf<typeof adminRoutes.setBudgets>['budgets'];

export async function readBudgets(
  platform: Platform,
  accountId: string,
): Promise<ReplyOf<typeof adminRoutes.readBudgets>> {
  const { db, budgets } = platform;
  await requireAccount(db, accountId);
  const rows = await db.selectFrom('account_budgets').select('budget').where('account_id', '=', accountId).execute();
  const changed = new Set<string>(rows.map(({ budget }) => budget));
  const use = await readBudgetUse(platform, accountId);
  return {
    budgets: use.map((budget) => ({
      ...budget,
      default: budgets.defaultOf(budget.name),
      changed: changed.has(budget.name),
    })),
  };
}

interface Setting {
  readonly admin: Operator;
  readonly accountId: string;
  readonly changes: Changes;
  readonly reason: string;
}

/** Sets what an account may use (OP-1). It counts at once, on every node. */
export async function setBudgets(platform: Platform, { admin, accountId, changes, reason }: Setting): Promise<void> {
  const entries = Object.entries(changes) as [BudgetName, number | null][];
  const now = platform.now();
  await platform.db.transaction().execute(async (trx) => {
    // Two operators set one after the other.
    await lockAccount(trx, { admin, accountId, now });
    for (const [budget, value] of entries) {
      const before = await setBudget(trx, { accountId, budget, value });
      if (before === value) continue;
      const action = `account.budget.${budget}.${value ?? 'default'}`;
      const previous = String(before ?? 'default');
      const target = { target_kind: 'account' as const, target_id: accountId };
      await logAction(trx, { ...doneBy(admin), action, ...target, previous, reason, created_at: now });
    }
  });
  platform.bus.wake([keyOf.budgets]);
  await platform.budgets.reload();
}

/** Returns the limit that was set before; null for the default. */
async function setBudget(
  trx: Trx,
  { accountId, budget, value }: { accountId: string; budget: BudgetName; value: number | null },
): Promise<number | null> {
  const row = await trx
    .selectFrom('account_budgets')
    .select('value')
    .where('account_id', '=', accountId)
    .where('budget', '=', budget)
    .executeTakeFirst();
  if (value === null) {
    await trx.deleteFrom('account_budgets').where('account_id', '=', accountId).where('budget', '=', budget).execute();
  } else {
    await trx
      .insertInto('account_budgets')
      .values({ account_id: accountId, budget, value })
      .onConflict((conflict) => conflict.columns(['account_id', 'budget']).doUpdateSet({ value }))
      .execute();
  }
  return row?.value ?? null;
}

async function requireAccount(db: Platform['db'], accountId: string): Promise<void> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  if (row === undefined) throw new RequestError('NOT_FOUND');
}
