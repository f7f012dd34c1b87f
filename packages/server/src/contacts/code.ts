import { randomBytes } from 'node:crypto';
import { CONTACT_CODE_BYTES, makeContactCode } from '@parley/protocol';
import { sql } from 'kysely';
import type { Db } from '../storage/database.ts';

export interface ContactCode {
  readonly code: string;
  readonly created_at: Date;
}

/** The first time, one is made. */
export async function readCode(db: Db, accountId: string, now: Date): Promise<ContactCode> {
  const known = await findCode(db, accountId);
  if (known !== undefined) return known;
  await sql`insert into contact_codes (account_id, code, created_at)
    values (${accountId}, ${freshCode()}, ${now}) on conflict (account_id) do nothing`.execute(db);
  return (await findCode(db, accountId))!;
}

/** From now on the old one leads nowhere. */
export async function replaceCode(db: Db, accountId: string, now: Date): Promise<ContactCode> {
  await sql`insert into contact_codes (account_id, code, created_at) values (${accountId}, ${freshCode()}, ${now})
    on conflict (account_id) do update set code = excluded.code, created_at = excluded.created_at`.execute(db);
  return (await findCode(db, accountId))!;
}

const freshCode = () => makeContactCode(randomBytes(CONTACT_CODE_BYTES));

function findCode(db: Db, accountId: string): Promise<ContactCode | undefined> {
  return db
    .selectFrom('contact_codes')
    .select(['code', 'created_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}
