import type { GroupStatement } from '@parley/protocol';
import type { Db, Trx } from '../storage/database.ts';

/** Oldest first. */
export async function listGroupStatements(
  db: Db | Trx,
  conversationId: string,
  page?: { readonly after: number; readonly limit: number },
): Promise<GroupStatement[]> {
  const rows = await db
    .selectFrom('group_statements')
    .select('statement')
    .where('conversation_id', '=', conversationId)
    .$if(page !== undefined, (query) => query.where('seq', '>', page!.after).limit(page!.limit))
    .orderBy('seq')
    .execute();
  return rows.map(({ statement }) => statement as GroupStatement);
}

export interface GroupEnd {
  readonly length: number;
  readonly head: string | null;
}

export async function findGroupEnd(db: Db | Trx, conversationId: string): Promise<GroupEnd> {
  const last = await db
    .selectFrom('group_statements')
    .select(['seq', 'hash'])
    .where('conversation_id', '=', conversationId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { length: last?.seq ?? 0, head: last?.hash ?? null };
}
