import { sql } from 'kysely';
import type { Party } from '../http/caller.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Owner } from './owner.ts';

export interface OneTimePrekey {
  readonly key_id: number;
  readonly public_key: string;
}
export interface SignedPrekey extends OneTimePrekey {
  readonly signature: string;
}

/** Returns the highest id ever used, locked until the transaction ends. */
export async function lockStock(trx: Trx, { kind, id }: Owner): Promise<number> {
  const { rows } = await sql<{ last_key_id: number }>`
    insert into prekey_stocks (owner_kind, owner_id, last_key_id) values (${kind}, ${id}, 0)
    on conflict (owner_kind, owner_id) do update set last_key_id = prekey_stocks.last_key_id
    returning last_key_id`.execute(trx);
  return rows[0]!.last_key_id;
}

export async function addOneTimePrekeys(trx: Trx, { kind, id }: Owner, keys: readonly OneTimePrekey[]): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .insertInto('one_time_prekeys')
    .values(keys.map((key) => ({ owner_kind: kind, owner_id: id, ...key })))
    .execute();
  await trx
    .updateTable('prekey_stocks')
    .set({ last_key_id: keys.at(-1)!.key_id })
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id)
    .execute();
}

export async function readStock(db: Db | Trx, { kind, id }: Owner) {
  const { rows } = await sql<{ left: number; last_key_id: number; signed_prekey_id: number | null }>`
    select
      (select count(*) from one_time_prekeys where owner_kind = ${kind} and owner_id = ${id}) as left,
      coalesce((select last_key_id from prekey_stocks where owner_kind = ${kind} and owner_id = ${id}), 0) as last_key_id,
      (select max(key_id) from signed_prekeys where owner_kind = ${kind} and owner_id = ${id}) as signed_prekey_id
  `.execute(db);
  return rows[0]!;
}

export function findSignedPrekey(db: Db | Trx, { kind, id }: Owner): Promise<SignedPrekey | undefined> {
  return db
    .selectFrom('signed_prekeys')
    .select(['key_id', 'public_key', 'signature'])
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id)
    .orderBy('key_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function setSignedPrekey(trx: Trx, { kind, id }: Owner, key: SignedPrekey, now: Date): Promise<void> {
  await trx.deleteFrom('signed_prekeys').where('owner_kind', '=', kind).where('owner_id', '=', id).execute();
  await trx
    .insertInto('signed_prekeys')
    .values({ owner_kind: kind, owner_id: id, ...key, created_at: now })
    .execute();
}

/** Deletes the key as it is handed out: two takers never wait for each other and never get the same one. */
export async function takeOneTimePrekey(trx: Trx, { kind, id }: Owner): Promise<OneTimePrekey | undefined> {
  const { rows } = await sql<OneTimePrekey>`
    delete from one_time_prekeys where owner_kind = ${kind} and owner_id = ${id} and key_id = (
      select key_id from one_time_prekeys where owner_kind = ${kind} and owner_id = ${id}
      order by key_id limit 1 for update skip locked)
    returning key_id, public_key`.execute(trx);
  return rows[0];
}

/** Counts how many keys of this owner the taker has taken today, including this one. */
export async function countTaking(trx: Trx, taker: Party, owner: Owner, now: Date): Promise<number> {
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql<{ taken: number }>`
    insert into prekey_takings as t (taker_kind, taker_id, owner_kind, owner_id, day, taken)
    values (${taker.kind}, ${taker.id}, ${owner.kind}, ${owner.id}, ${day}, 1)
    on conflict (taker_kind, taker_id, owner_kind, owner_id) do update
      set taken = case when t.day = excluded.day then t.taken + 1 else 1 end, day = excluded.day
    returning taken`.execute(trx);
  return rows[0]!.taken;
}

/** Forgets which ids devices have used whose rows are gone, too. */
export async function dropStocks(trx: Trx, deviceIds: readonly string[]): Promise<void> {
  await sql`delete from prekey_stocks where owner_kind = 'device' and owner_id = any(${deviceIds}::uuid[])`.execute(
    trx,
  );
}

/** Deletes the prekeys of an identity that is gone. The highest id stays, so that no id is used twice. */
export async function dropPrekeys(trx: Trx, kind: Owner['kind'], ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['one_time_prekeys', 'signed_prekeys'] as const) {
    await trx.deleteFrom(table).where('owner_kind', '=', kind).where('owner_id', 'in', ids).execute();
  }
}
