import type { TestServer } from './server.ts';

/** Makes all of them contacts of each other, as if they had asked and accepted (AC-4). */
export async function befriend({ platform }: Pick<TestServer, 'platform'>, ...ids: readonly string[]): Promise<void> {
  const pairs = ids.flatMap((one) => ids.filter((other) => other !== one).map((other) => ({ one, other })));
  await platform.db
    .insertInto('contacts')
    .values(pairs.map(({ one, other }) => ({ account_id: one, contact_id: other })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
