import type { Selectable } from 'kysely';
import { type Page, takePage } from '../http/page.ts';
import { createId } from '../id.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';

export type ActionRow = Selectable<Database['admin_actions']>;
type NewAction = Omit<ActionRow, 'id'>;

export async function logAction(trx: Trx, action: NewAction): Promise<void> {
  await trx
    .insertInto('admin_actions')
    .values({ id: createId(action.created_at), ...action })
    .execute();
}

/** Returns the status of the target before its last ban. */
export async function findStatusBefore(trx: Trx, targetId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('admin_actions')
    .select('previous')
    .where('target_id', '=', targetId)
    .where('action', '=', 'agent.ban')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.previous;
}

const PAGE = 50;

export async function listActions(db: Db, cursor: string | undefined): Promise<Page<ActionRow>> {
  let query = db
    .selectFrom('admin_actions')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(PAGE + 1);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  return takePage(await query.execute(), PAGE);
}
