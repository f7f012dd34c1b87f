import { sql } from 'kysely';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { RequestError } from '../http/request-error.ts';
import { hasMet } from '../people/contacts.ts';
import type { Platform } from '../platform.ts';

const MAX_ENTITLED = 1_000;

interface Entitled {
  readonly account_id: string;
  readonly display_name: string;
  readonly created_at: Date;
}

/** Whether anyone has an id, and what they are called, is said only of those whom the owner has met (AC-7). */
export async function listEntitled({ db }: Platform, { skillId, ownerId }: { skillId: string; ownerId: string }) {
  const { rows } = await sql<Entitled>`
    select e.account_id, coalesce(a.display_name, '') as display_name, e.created_at
    from skill_entitlements e
    left join accounts a on a.id = e.account_id and (a.id = ${ownerId} or ${hasMet(ownerId, sql`a.id`)})
    where e.skill_id = ${skillId} order by e.created_at, e.account_id`.execute(db);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

/** Any id is accepted alike. */
export async function entitle(
  { db, now, budgets }: Platform,
  { skillId, ownerId, accountId }: { readonly skillId: string; readonly ownerId: string; readonly accountId: string },
): Promise<void> {
  await budgets.reserveBytes(ownerId, ROW_BYTES.entitlement);
  const { count } = await db
    .selectFrom('skill_entitlements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('skill_id', '=', skillId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_ENTITLED) throw new RequestError('LIMIT_REACHED', { limit: MAX_ENTITLED });
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
