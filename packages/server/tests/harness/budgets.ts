import type { TestServer } from './server.ts';

/** What an operator does. */
export async function limitBudgets(
  { platform: { db, budgets } }: TestServer,
  accountId: string,
  limits: Readonly<Record<string, number>>,
): Promise<void> {
  const rows = Object.entries(limits).map(([budget, value]) => ({ account_id: accountId, budget, value }));
  await db
    .insertInto('account_budgets')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'budget']).doUpdateSet({ value: (e) => e.ref('excluded.value') }),
    )
    .execute();
  await budgets.reload();
}

/** What an account has used of each budget, as its owner sees it. */
export async function readUsed(server: TestServer, token: string): Promise<Record<string, number>> {
  const { body } = await server.call('GET', '/auth/account/usage', { token });
  return Object.fromEntries(body.budgets.map(({ name, used }: { name: string; used: number }) => [name, used]));
}
