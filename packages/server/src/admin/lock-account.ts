import { requireLiveSession } from '../auth/live-session.ts';
import { RequestError } from '../http/request-error.ts';
import type { Trx } from '../storage/database.ts';
import type { Operator } from './operator.ts';

/** Reads the operator's role again: it may have been taken from them since their request came in (OP-15). */
export async function requireStillOperator(trx: Trx, admin: Operator, now: Date): Promise<void> {
  const { role } = await requireLiveSession(trx, admin, now);
  if (role !== 'admin') throw new RequestError('FORBIDDEN');
}

/**
 * Locks the account that an operator acts on. Both rows are locked in one order: if two demote each other at once, the
 * second is no longer an operator.
 */
export async function lockAccount(
  trx: Trx,
  { admin, accountId, now }: { readonly admin: Operator; readonly accountId: string; readonly now: Date },
) {
  const rows = await trx
    .selectFrom('accounts')
    .select(['id', 'email', 'role', 'status'])
    .where('id', 'in', [admin.accountId, accountId])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  await requireStillOperator(trx, admin, now);
  const target = rows.find((row) => row.id === accountId);
  if (target === undefined || target.status === 'deleted') throw new RequestError('NOT_FOUND');
  return target;
}
