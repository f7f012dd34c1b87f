import type { Selectable } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';

/** Without the welcome, which may be large and is for one reader only. */
export type DeviceRow = Omit<Selectable<Database['devices']>, 'welcome'>;

export const DEVICE_COLUMNS = [
  'id',
  'account_id',
  'name',
  'identity_key',
  'exchange_key',
  'certificate',
  'listed',
  'pairing',
  'welcomed_at',
  'created_at',
  'last_seen_at',
  'revoked_at',
] as const;

/** Lists those that were not revoked, those that are listed, or both. There may be many more (EE-18). */
export function listDeviceRows(
  db: Db | Trx,
  accountId: string,
  which: 'live' | 'listed' | 'live or listed',
): Promise<DeviceRow[]> {
  return db
    .selectFrom('devices')
    .select(DEVICE_COLUMNS)
    .where('account_id', '=', accountId)
    .where((where) => {
      const [live, listed] = [where('revoked_at', 'is', null), where('listed', '=', true)];
      return which === 'live' ? live : which === 'listed' ? listed : where.or([live, listed]);
    })
    .orderBy('created_at')
    .execute();
}

export async function findAccountKey(db: Db | Trx, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('accounts').select('account_key').where('id', '=', accountId).executeTakeFirst();
  return row?.account_key ?? null;
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
