import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';

const MAX_ENTITLED = 1_000;

export async function listEntitled({ db }: Platform, skillId: string) {
  const rows = await db
    .selectFrom('skill_entitlements')
    .innerJoin('accounts', 'accounts.id', 'skill_entitlements.account_id')
    .select(['account_id', 'display_name', 'skill_entitlements.created_at'])
    .where('skill_id', '=', skillId)
    .orderBy('skill_entitlements.created_at')
    .execute();
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

export async function entitle({ db, now }: Platform, skillId: string, accountId: string): Promise<void> {
  const { count } = await db
    .selectFrom('skill_entitlements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('skill_id', '=', skillId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_ENTITLED) throw new RequestError('LIMIT_REACHED', { limit: MAX_ENTITLED });
  const known = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (known === undefined) throw new RequestError('NOT_FOUND');
  await db
    .insertInto('skill_entitlements')
    .values({ skill_id: skillId, account_id: accountId, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function disentitle({ db }: Platform, skillId: string, accountId: string): Promise<void> {
  await db
    .deleteFrom('skill_entitlements')
    .where('skill_id', '=', skillId)
    .where('account_id', '=', accountId)
    .execute();
}
