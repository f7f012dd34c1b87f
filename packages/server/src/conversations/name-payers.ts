import { sql } from 'kysely';
import type { Db } from '../storage/database.ts';

const PORTION = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Says who pays for the conversations of before there were payers: whoever began them. In portions, because those who write
 * there wait for one meanwhile.
 */
export async function namePayers(db: Db): Promise<void> {
  for (let last: string | undefined = FIRST; last !== undefined; ) last = await namePortion(db, last);
}

async function namePortion(db: Db, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with portion as (select id from conversations where id > ${after} order by id limit ${PORTION}),
    named as (
      update conversations c set payer_id = m.member_id from members m
      where c.id in (select id from portion) and c.payer_id is null and c.kind <> 'account'
        and m.conversation_id = c.id and m.member_kind = 'human' and m.role = 'owner')
    select id from portion order by id desc limit 1`.execute(db);
  return rows[0]?.id;
}
