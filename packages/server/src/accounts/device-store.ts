import type { Selectable } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';

export type DeviceRow = Selectable<Database['devices']>;

export function listDeviceRows(db: Db, accountId: string): Promise<DeviceRow[]> {
  return db.selectFrom('devices').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute();
}

export async function findAccountKey(db: Db | Trx, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('accounts').select('account_key').where('id', '=', accountId).executeTakeFirst();
  return row?.account_key ?? null;
}

/** Lists the changes, oldest first. */
export function listAccountKeyChanges(db: Db, accountId: string) {
  return db
    .selectFrom('account_key_changes')
    .select(['old_account_key', 'new_account_key', 'created_at', 'signature'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/** Locks the account: its key and its devices change one after the other. */
export async function lockAccountKey(trx: Trx, accountId: string): Promise<string | null> {
  const { account_key } = await trx
    .selectFrom('accounts')
    .select('account_key')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return account_key;
}

/** Deletes the cursors of devices that will not read any more. */
export async function dropCursors(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['cursors', 'event_cursors'] as const) {
    await trx.deleteFrom(table).where('consumer_kind', '=', 'device').where('consumer_id', 'in', ids).execute();
  }
}
