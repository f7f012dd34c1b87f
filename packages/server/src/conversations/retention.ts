import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Db, Trx } from '../storage/database.ts';

const CONVERSATIONS = 200;
const ROWS = 5_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const DAY_MS = 24 * 3_600_000;

/**
 * Deletes the envelopes that everyone has. The rows stay as long without them: a sender whose ack was lost may still send
 * a retry.
 */
export async function forgetDelivered(db: Db): Promise<void> {
  for (let last: string | undefined = FIRST; last !== undefined; ) {
    const after: string = last;
    last = await db.transaction().execute((trx) => forgetPage(trx, after));
  }
}

/** Deletes what nobody fetched after some days. */
export async function deleteOldMessages({ db, config }: Pick<Platform, 'db' | 'config'>, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const { envelopeDays, eventDays } = config.retention;
  await deleteOld(db, sql`messages`, { column: sql`received_at`, before: before(envelopeDays) });
  await deleteOld(db, sql`claims`, { column: sql`created_at`, before: before(envelopeDays) });
  await deleteOld(db, sql`passes`, { column: sql`created_at`, before: before(envelopeDays) });
  await deleteOld(db, sql`events`, { column: sql`created_at`, before: before(eventDays) });
  await deleteOld(db, sql`conversation_events`, { column: sql`created_at`, before: before(eventDays) });
}

/**
 * Handles one page of conversations; returns where the next begins. A person's devices and the agents count, each from
 * when it joined; a person without a device has nothing yet, so their messages wait. An agent with a webhook has its
 * copy among the deliveries, and a sender has what it sent.
 */
async function forgetPage(trx: Trx, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations where last_seq > forgotten_seq and id > ${after}
    order by id limit ${CONVERSATIONS} for no key update skip locked`.execute(trx);
  if (rows.length === 0) return undefined;
  await sql`
    with consumers as (
        select c.id, c.last_seq, m.joined_seq, 'device' as kind, d.id as consumer, d.created_at, false as webhook
        from conversations c
        join members m on m.conversation_id = c.id and m.member_kind = 'human' and m.left_at is null
        left join devices d on d.account_id = m.member_id and d.revoked_at is null
        where c.id = any(${rows.map(({ id }) => id)}::uuid[])
      union all
        select c.id, c.last_seq, m.joined_seq, 'agent', a.id, a.created_at, a.connection_mode = 'webhook'
        from conversations c
        join members m on m.conversation_id = c.id and m.member_kind = 'agent' and m.left_at is null
        join agents a on a.id = m.member_id
        where c.id = any(${rows.map(({ id }) => id)}::uuid[])),
      wanting as (
        select w.id, w.last_seq, w.webhook, w.consumer, (
          select min(x.seq) from messages x
          where x.conversation_id = w.id and x.seq > greatest(coalesce(k.seq, 0), w.joined_seq)
            and x.received_at >= w.created_at
            and case w.kind when 'agent' then x.sender_id else x.sender_device_id end is distinct from w.consumer
          ) as first_wanted
        from consumers w
        left join cursors k on k.consumer_kind = w.kind and k.consumer_id = w.consumer and k.conversation_id = w.id),
      floors as (
        select id, min(case
          when webhook then last_seq
          when consumer is null then 0
          else coalesce(first_wanted - 1, last_seq) end) as seq
        from wanting group by id),
      moved as (
        update conversations c set forgotten_seq = f.seq from floors f where c.id = f.id and c.forgotten_seq < f.seq)
    update messages x set envelope = null from floors f
    where x.conversation_id = f.id and x.seq <= f.seq and x.envelope is not null`.execute(trx);
  return rows.at(-1)!.id;
}

type Name = ReturnType<typeof sql>;

/** It deletes in portions: a long transaction would block others. */
async function deleteOld(db: Db, table: Name, { column, before }: { column: Name; before: Date }): Promise<void> {
  for (;;) {
    const { rows } = await sql`delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${column} < ${before} limit ${ROWS})) returning 1`.execute(db);
    if (rows.length < ROWS) return;
  }
}
