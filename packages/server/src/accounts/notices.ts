import { createId } from '../id.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';

export interface Notice {
  readonly accountId: string;
  readonly kind: Database['account_notices']['kind'];
  readonly detail?: string | undefined;
}

const MAX_DETAIL = 200;
const SHOWN = 100;
const SHOWN_LET_IN = 20;

/** Notes down what happened to the ways into an account, so that its owner sees what they did not do. */
export async function addNotice(db: Db | Trx, { accountId, kind, detail = '' }: Notice, now: Date): Promise<void> {
  await db
    .insertInto('account_notices')
    .values({ id: createId(now), account_id: accountId, kind, detail: detail.slice(0, MAX_DETAIL), created_at: now })
    .execute();
}

/** Newest first. Whoever lets programs in without end pushes nothing else out of sight. */
export async function listNotices(db: Db, accountId: string) {
  const of = db
    .selectFrom('account_notices')
    .select(['id', 'kind', 'detail', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc');
  const letIn = await of.where('kind', '=', 'program_let_in').limit(SHOWN_LET_IN).execute();
  const others = await of.where('kind', '<>', 'program_let_in').limit(SHOWN).execute();
  return [...letIn, ...others].sort((a, b) => (a.id < b.id ? 1 : -1));
}
