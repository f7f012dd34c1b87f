import { type DeviceList, type DeviceStatement, foldDeviceList } from '@parley/protocol';
import { sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';

// The device lists of accounts (EE-18), as they are stored. Each statement was verified before it was stored.

export interface ListEnd {
  readonly length: number;
  readonly head: string | null;
}

/** Oldest first. */
export async function listDeviceStatements(
  db: Db | Trx,
  accountId: string,
  page?: { readonly after: number; readonly limit: number },
): Promise<DeviceStatement[]> {
  const rows = await db
    .selectFrom('device_statements')
    .select('statement')
    .where('account_id', '=', accountId)
    .$if(page !== undefined, (query) => query.where('seq', '>', page!.after).limit(page!.limit))
    .orderBy('seq')
    .execute();
  return rows.map(({ statement }) => statement as DeviceStatement);
}

export async function findListEnd(db: Db | Trx, accountId: string): Promise<ListEnd> {
  const last = await db
    .selectFrom('device_statements')
    .select(['seq', 'hash'])
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { length: last?.seq ?? 0, head: last?.hash ?? null };
}

/** Undefined for an account that has no list. */
export async function readDeviceList(db: Db | Trx, accountId: string): Promise<DeviceList | undefined> {
  const list = foldDeviceList(await listDeviceStatements(db, accountId), { accountId, verify: () => true });
  return list.ok ? list : undefined;
}

/** Finds the head of each of these lists. Accounts without one are left out. */
export async function findListEnds(db: Db | Trx, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; hash: string }>`
    select a.id, s.hash from unnest(${accountIds}::uuid[]) as a (id)
    cross join lateral (
      select hash from device_statements where account_id = a.id order by seq desc limit 1) s`.execute(db);
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}

/** Finds the keys of a device that may sign now: listed, and not revoked. */
export function findListedDevice(db: Db | Trx, accountId: string, deviceId: string) {
  return selectListedDevice(db, accountId, deviceId).executeTakeFirst();
}

/** The same; and it stays so until the transaction ends. */
export function lockListedDevice(trx: Trx, accountId: string, deviceId: string) {
  return selectListedDevice(trx, accountId, deviceId).forShare().executeTakeFirst();
}

function selectListedDevice(db: Db | Trx, accountId: string, deviceId: string) {
  return db
    .selectFrom('devices')
    .select(['id', 'identity_key'])
    .where('id', '=', deviceId)
    .where('account_id', '=', accountId)
    .where('listed', '=', true)
    .where('revoked_at', 'is', null);
}
