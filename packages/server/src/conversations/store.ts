import { sql } from 'kysely';
import type { Party } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import { isWithheld } from '../people/blocks.ts';
import type { Db, Trx } from '../storage/database.ts';

export interface Membership {
  readonly conversation_id: string;
  readonly kind: 'h2a' | 'h2h' | 'group';
  readonly last_seq: number;
  readonly role: 'owner' | 'admin' | 'member';
  readonly joined_seq: number;
}

/** Throws NOT_FOUND for those who are not in it. The one of an account's own devices is only sent to and read (EE-23). */
export async function requireMembership(db: Db | Trx, id: string, party: Party): Promise<Membership> {
  const { rows } = await sql<Membership>`
    select c.id as conversation_id, c.kind, c.last_seq, m.role, m.joined_seq
    from members m join conversations c on c.id = m.conversation_id
    where m.conversation_id = ${id} and m.member_kind = ${party.kind} and m.member_id = ${party.id}
      and m.left_at is null and c.kind <> 'account'`.execute(db);
  if (rows[0] === undefined) throw new RequestError('NOT_FOUND');
  return rows[0];
}

/** The same for whoever only reads: a device reads what the account's other devices tell it, too (EE-23). */
export async function requireReader(db: Db, id: string, party: Party): Promise<void> {
  const { rows } = await sql`select 1 from members where conversation_id = ${id}
    and member_kind = ${party.kind} and member_id = ${party.id} and left_at is null`.execute(db);
  if (rows.length === 0) throw new RequestError('NOT_FOUND');
}

/** Lists the groups of someone, in the order in which they must be locked. */
export async function listGroups(trx: Trx, party: Party): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from members m join conversations c on c.id = m.conversation_id
    where m.member_kind = ${party.kind} and m.member_id = ${party.id} and m.left_at is null and c.kind = 'group'
    order by c.id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Nobody joins, leaves or sends until the transaction ends. */
export async function lockConversation(trx: Trx, id: string): Promise<void> {
  await sql`select 1 from conversations where id = ${id} for no key update`.execute(trx);
}

export function readConversation(db: Db | Trx, id: string) {
  return db
    .selectFrom('conversations')
    .leftJoin('h2a_relations', 'h2a_relations.conversation_id', 'conversations.id')
    .selectAll('conversations')
    .select('h2a_relations.id as relation_id')
    .where('conversations.id', '=', id)
    .$narrowType<{ kind: Membership['kind'] }>()
    .executeTakeFirstOrThrow();
}

export function readMembers(db: Db | Trx, id: string) {
  return db
    .selectFrom('members')
    .select(['member_kind', 'member_id', 'role'])
    .where('conversation_id', '=', id)
    .where('left_at', 'is', null)
    .orderBy('joined_seq')
    .orderBy('member_id')
    .execute();
}

/** Who is told how far someone has read: all members, but nobody between whom and the reader there is a block (AC-6). */
export async function findReadAudience(db: Db, id: string, reader: Party): Promise<Party[]> {
  const { rows } = await sql<Party>`
    select m.member_kind as kind, m.member_id as id from members m
    where m.conversation_id = ${id} and m.left_at is null
      and not (m.member_kind = 'human' and exists (select from blocks b where b.until is null
        and (b.account_id, b.blocked_id) in ((${reader.id}::uuid, m.member_id), (m.member_id, ${reader.id}::uuid))))`.execute(
    db,
  );
  return rows;
}

/** Reads the members with their names. */
export async function readNamedMembers(db: Db, id: string) {
  const { rows } = await sql<Awaited<ReturnType<typeof readMembers>>[number] & { name: string }>`
    select m.member_kind, m.member_id, m.role, coalesce(h.display_name, a.name, '') as name
    from members m
    left join accounts h on m.member_kind = 'human' and h.id = m.member_id
    left join agents a on m.member_kind = 'agent' and a.id = m.member_id
    where m.conversation_id = ${id} and m.left_at is null
    order by m.joined_seq, m.member_id`.execute(db);
  return rows;
}

export interface ConversationSummary {
  readonly id: string;
  readonly kind: 'h2a' | 'h2h' | 'group';
  readonly title: string | null;
  readonly last_seq: number;
  readonly role: 'owner' | 'admin' | 'member';
  readonly read_seq: number;
  readonly unread: number;
  readonly created_at: Date;
  readonly last_message_at: Date | null;
}

/** Lists the newest first; ids sort by time. A conversation of two people has the other's name as title. */
export async function listConversations(
  db: Db,
  party: Party,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<ConversationSummary[]> {
  const { rows } = await sql<ConversationSummary>`
    select c.id, c.kind, c.last_seq, m.role, case when c.kind <> 'h2h' then c.title else (
        select display_name from members o join accounts on accounts.id = o.member_id
        where o.conversation_id = c.id and o.member_id <> m.member_id limit 1) end as title,
      m.read_seq, c.created_at, c.last_message_at, (
      select count(*)::int from (
        select 1 from messages x where x.conversation_id = c.id and x.seq > greatest(m.read_seq, m.joined_seq)
          and (x.sender_kind, x.sender_id) <> (m.member_kind, m.member_id)
          and not (c.kind = 'h2h' and ${isWithheld({ reader: sql`m.member_id`, message: sql`x` })}) limit 1000) as newer) as unread
    from members m join conversations c on c.id = m.conversation_id
    where m.member_kind = ${party.kind} and m.member_id = ${party.id} and m.left_at is null and c.kind <> 'account'
      and not (c.kind = 'h2h' and exists (
        select from blocks b join members o on o.conversation_id = c.id and o.member_id = b.blocked_id
        where b.account_id = m.member_id and b.until is null and b.since_seq = 0))
      and (${before ?? null}::uuid is null or c.id < ${before ?? null}::uuid)
    order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Returns the new position, or undefined if it did not move. It never moves back or past the last message. */
export async function moveReadMarker(db: Db, id: string, party: Party, seq: number): Promise<number | undefined> {
  const { rows } = await sql<{ read_seq: number }>`
    update members m set read_seq = least(${seq}, c.last_seq) from conversations c
    where c.id = m.conversation_id and m.conversation_id = ${id} and m.member_kind = ${party.kind}
      and m.member_id = ${party.id} and m.left_at is null and m.read_seq < least(${seq}, c.last_seq)
    returning m.read_seq`.execute(db);
  return rows[0]?.read_seq;
}
