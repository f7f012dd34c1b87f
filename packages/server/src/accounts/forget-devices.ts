import { sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';
const PAGE = 200;

interface Kept {
  /** Those that were revoked last are kept, so many of them. */
  readonly newest: number;
  /** Of the others, those that were revoked later than this. */
  readonly before?: Date;
}

/**
 * Deletes rows of devices that were revoked (OP-1). What a device list names stays, because its keys are refused for ever
 * (EE-18), and so does what is listed without one. The rest was never let in: with the same keys it would be a stranger again.
 */
export async function forgetDevices(db: Db | Trx, accountId: string, { newest, before }: Kept): Promise<void> {
  await sql`
    with named as materialized (
        select distinct jsonb_path_query(statement, '$.**.device_id') #>> '{}' as id
        from device_statements where account_id = ${accountId}),
      gone as (
        delete from devices where id in (
          select id from devices
          where account_id = ${accountId} and not listed and id::text not in (select id from named)
            and revoked_at < coalesce(${before ?? null}::timestamptz, 'infinity')
          order by revoked_at desc, id offset ${newest})
        returning id)
    delete from prekey_stocks where owner_kind = 'device' and owner_id in (select id from gone)`.execute(db);
}

/** Does it for all accounts, one after the other. */
export async function forgetOldDevices(db: Db, before: Date): Promise<void> {
  for (let last: string | undefined = FIRST; last !== undefined; ) {
    const { rows }: { rows: { account_id: string }[] } = await sql<{ account_id: string }>`
      select distinct account_id from devices
      where revoked_at < ${before} and not listed and account_id > ${last}
      order by account_id limit ${PAGE}`.execute(db);
    for (const { account_id } of rows) await forgetDevices(db, account_id, { newest: 0, before });
    last = rows.at(-1)?.account_id;
  }
}
