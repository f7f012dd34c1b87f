import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { Db } from '../storage/database.ts';
import type { TrustedTime } from '../trusted-clock.ts';

const CONVERSATIONS = 200;
const ROWS = 5_000;
/** What one statement forgets: as many messages, or as many bytes and the message that goes beyond them. */
const PORTION = { messages: 500, bytes: 1024 * 1024 };
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes the envelopes that everyone has. The rows stay as long without them: a sender whose ack was lost may still send
 * a retry. No conversation is locked while its envelopes are deleted, and those of a page take turns, a portion each.
 */
export async function forgetDelivered(db: Db): Promise<void> {
  for (let last: string | undefined = FIRST; last !== undefined; ) {
    const page = await listForgettable(db, last);
    let open = page.rows;
    while (open.length > 0) {
      const left: Forgettable[] = [];
      for (const conversation of open) {
        const upTo = await forgetPortion(db, conversation);
        if (upTo < conversation.floor) left.push({ ...conversation, forgotten: upTo });
        else await noteForgotten(db, conversation);
      }
      open = left;
    }
    last = page.last;
  }
}

/** Deletes what nobody fetched after some days. */
export async function deleteOldMessages(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  { before }: Pick<TrustedTime, 'before'>,
): Promise<void> {
  const { envelopeDays, eventDays } = config.retention;
  await deleteOld(db, sql`messages`, { column: sql`received_at`, before: before(envelopeDays) });
  await deleteOld(db, sql`claims`, { column: sql`created_at`, before: before(envelopeDays) });
  await deleteOld(db, sql`passes`, { column: sql`created_at`, before: before(envelopeDays) });
  await deleteOld(db, sql`events`, { column: sql`created_at`, before: before(eventDays) });
  await deleteOld(db, sql`conversation_events`, { column: sql`created_at`, before: before(eventDays) });
}

interface Forgettable {
  readonly id: string;
  /** Up to here nothing is kept any more. */
  readonly forgotten: number;
  /** Up to here everyone has everything. */
  readonly floor: number;
}

/**
 * Lists one page of conversations that have something to forget, and where the next page begins. A person's devices and
 * the agents count, each from when it joined, as far as clocks can tell; a person without a device has nothing yet, so their messages wait. An agent
 * with a webhook has its copy among the deliveries, and a sender has what it sent. Nobody needs to be kept from changing
 * it meanwhile: who joins later wants only what comes after the last message.
 */
async function listForgettable(db: Db, after: string): Promise<{ rows: Forgettable[]; last: string | undefined }> {
  const { rows } = await sql<Forgettable>`
    with page as (
        select id, last_seq, forgotten_seq from conversations where last_seq > forgotten_seq and id > ${after}
        order by id limit ${CONVERSATIONS}),
      consumers as (
        select c.id, c.last_seq, m.joined_seq, 'device' as kind, d.id as consumer, d.created_at, false as webhook
        from page c
        join members m on m.conversation_id = c.id and m.member_kind = 'human' and m.left_at is null
        left join devices d on d.account_id = m.member_id and d.revoked_at is null
      union all
        select c.id, c.last_seq, m.joined_seq, 'agent', a.id, a.created_at, a.connection_mode = 'webhook'
        from page c
        join members m on m.conversation_id = c.id and m.member_kind = 'agent' and m.left_at is null
        join agents a on a.id = m.member_id),
      wanting as (
        select w.id, w.last_seq, w.webhook, w.consumer, (
          select min(x.seq) from messages x
          where x.conversation_id = w.id and x.seq > greatest(coalesce(k.seq, 0), w.joined_seq)
            and x.received_at + (
              select coalesce(sum(g.ended_at - greatest(g.began_at, x.received_at)), '0') from clock_gaps g
              where g.ended_at > x.received_at) >= w.created_at
            and case w.kind when 'agent' then x.sender_id else x.sender_device_id end is distinct from w.consumer
          ) as first_wanted
        from consumers w
        left join cursors k on k.consumer_kind = w.kind and k.consumer_id = w.consumer and k.conversation_id = w.id),
      floors as (
        select id, min(case
          when webhook then last_seq
          when consumer is null then 0
          else coalesce(first_wanted - 1, last_seq) end) as seq
        from wanting group by id)
    select p.id, p.forgotten_seq as forgotten, greatest(p.forgotten_seq, coalesce(f.seq, 0)) as floor
    from page p left join floors f on f.id = p.id order by p.id`.execute(db);
  return { rows: rows.filter(({ forgotten, floor }) => floor > forgotten), last: rows.at(-1)?.id };
}

/** Forgets the next envelopes, and returns up to where they are forgotten now. */
async function forgetPortion(db: Db, { id, forgotten, floor }: Forgettable): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    with next as (
        select seq, coalesce(octet_length(envelope), 0) as bytes from messages
        where conversation_id = ${id} and seq > ${forgotten} and seq <= ${floor} order by seq limit ${PORTION.messages}),
      portion as (
        select seq from (select seq, bytes, sum(bytes) over (order by seq) as total from next) as counted
        where total - bytes < ${PORTION.bytes}),
      forgot as (
        update messages x set envelope = null from portion p
        where x.conversation_id = ${id} and x.seq = p.seq and x.envelope is not null)
    select max(seq) as last from portion`.execute(db);
  return rows[0]!.last ?? floor;
}

/** After its envelopes: if this ends in between, the rest is found again. */
async function noteForgotten(db: Db, { id, floor }: Forgettable): Promise<void> {
  await sql`update conversations set forgotten_seq = ${floor} where id = ${id} and forgotten_seq < ${floor}`.execute(
    db,
  );
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
