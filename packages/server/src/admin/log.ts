import { type Selectable, sql } from 'kysely';
import { type Page, takePage } from '../http/page.ts';
import { createId } from '../id.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';
import type { Operator } from './operator.ts';

type StoredAction = Selectable<Database['admin_actions']>;

export interface ActionRow extends StoredAction {
  /** Null where the operator's account is gone, or where it was done on the machine itself. */
  readonly admin_email: string | null;
  /** The address of an account, the name of an agent; null where it is gone. */
  readonly target_name: string | null;
}

type NewAction = Omit<StoredAction, 'id' | 'address'> & { readonly address?: string | null };

/** In the transaction of what is done, and before it: nothing is done that is not in the log (OP-15). */
export async function logAction(trx: Trx, action: NewAction): Promise<void> {
  await trx
    .insertInto('admin_actions')
    .values({ id: createId(action.created_at), ...action })
    .execute();
}

/** Who did it, and from where. */
export const doneBy = ({ accountId, address }: Operator) => ({ admin_id: accountId, address });

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

export interface ActionFilter {
  readonly cursor?: string;
  /** Only what this operator did. */
  readonly admin_id?: string;
  /** Only what was done to this account or agent. */
  readonly target_id?: string;
}

export async function listActions(db: Db, { cursor, admin_id, target_id }: ActionFilter): Promise<Page<ActionRow>> {
  let query = db
    .selectFrom('admin_actions')
    .selectAll()
    .select([
      sql<string | null>`(select email from accounts where accounts.id = admin_id)`.as('admin_email'),
      sql<string | null>`coalesce(
        (select email from accounts where accounts.id = target_id),
        (select name from agents where agents.id = target_id))`.as('target_name'),
    ])
    .orderBy('id', 'desc')
    .limit(PAGE + 1);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  if (admin_id !== undefined) query = query.where('admin_id', '=', admin_id);
  if (target_id !== undefined) query = query.where('target_id', '=', target_id);
  return takePage(await query.execute(), PAGE);
}
