import { sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';
import type { Outgoing, StoredMessage } from './message.ts';

export interface ConversationState {
  readonly id: string;
  readonly kind: 'h2a' | 'h2h' | 'group';
  readonly lastSeq: number;
  readonly members: MemberState[];
}
export interface MemberState {
  readonly kind: 'human' | 'agent';
  readonly id: string;
  /** False for someone who was in it once. */
  readonly present: boolean;
  /** In a conversation with an agent: is there an active relation behind it? Elsewhere always true. */
  readonly open: boolean;
  readonly agentActive: boolean;
  readonly webhook: boolean;
}

/** Locks them for the rest of the transaction, in order: two nodes with the same ones must not wait for each other. */
export async function lockConversations(trx: Trx, ids: readonly string[]): Promise<Map<string, ConversationState>> {
  await sql`select 1 from conversations where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);
  // A statement of its own: it sees what was committed while the first one waited for its locks.
  return readConversations(trx, ids);
}

export async function readConversations(db: Db | Trx, ids: readonly string[]): Promise<Map<string, ConversationState>> {
  const { rows } = await sql<StateRow>`
    select c.id as conversation_id, c.kind as conversation_kind, c.last_seq, m.member_kind as kind, m.member_id as id,
      m.left_at is null as present,
      c.kind <> 'h2a' or exists (
        select 1 from h2a_relations r where r.conversation_id = c.id and r.status = 'active') as open,
      m.member_kind = 'human' or coalesce(a.status = 'active', false) as "agentActive",
      coalesce(a.connection_mode = 'webhook', false) as webhook
    from conversations c
    join members m on m.conversation_id = c.id and (m.left_at is null or c.kind = 'h2a')
    left join agents a on m.member_kind = 'agent' and a.id = m.member_id
    where c.id = any(${ids}::uuid[])`.execute(db);
  const states = new Map<string, ConversationState>();
  for (const { conversation_id, conversation_kind, last_seq, ...member } of rows) {
    const state = states.get(conversation_id) ?? newState(conversation_id, conversation_kind, last_seq);
    states.set(conversation_id, state);
    state.members.push(member);
  }
  return states;
}

type StateRow = MemberState & {
  readonly conversation_id: string;
  readonly conversation_kind: ConversationState['kind'];
  readonly last_seq: number;
};

function newState(id: string, kind: ConversationState['kind'], lastSeq: number): ConversationState {
  return { id, kind, lastSeq, members: [] };
}

export interface Accepted {
  readonly id: string;
  readonly seq: number;
  readonly hash: string;
}

export const sendKey = ({ envelope: { header } }: Outgoing) =>
  `${header.conversation_id} ${header.sender.kind} ${header.sender.id} ${header.client_message_id}`;

/** Those of a batch that were stored before. */
export async function findAccepted(trx: Trx, batch: readonly Outgoing[]): Promise<Map<string, Accepted>> {
  if (batch.length === 0) return new Map();
  const headers = batch.map(({ envelope }) => envelope.header);
  const { rows } = await sql<Accepted & { key: string }>`
    select m.id, m.seq, encode(m.envelope_hash, 'hex') as hash,
      concat_ws(' ', m.conversation_id, m.sender_kind, m.sender_id, m.client_message_id) as key
    from unnest(${headers.map((header) => header.conversation_id)}::uuid[],
      ${headers.map(({ sender }) => sender.kind)}::text[], ${headers.map(({ sender }) => sender.id)}::uuid[],
      ${headers.map((header) => header.client_message_id)}::text[]) as wanted (conversation, kind, id, client)
    join messages m on m.conversation_id = wanted.conversation and m.sender_kind = wanted.kind
      and m.sender_id = wanted.id and m.client_message_id = wanted.client`.execute(trx);
  return new Map(rows.map((row) => [row.key, row]));
}

export type NewMessage = StoredMessage & { readonly hash: string };

/** One statement for the messages and for the last numbers of their conversations. */
export async function insertMessages(trx: Trx, messages: readonly NewMessage[]): Promise<void> {
  const column = <Name extends keyof NewMessage>(name: Name) => messages.map((message) => message[name]);
  const last = new Map(messages.map(({ conversation_id, seq }) => [conversation_id, seq]));
  await sql`with moved as (
      update conversations c set last_seq = last.seq, last_message_at = ${messages[0]!.received_at}
      from unnest(${[...last.keys()]}::uuid[], ${[...last.values()]}::bigint[]) as last (id, seq) where c.id = last.id)
    insert into messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id, sender_device_id,
      content_type, msg_subtype, envelope, envelope_hash, created_at, received_at)
    select conversation_id, seq, id, client_message_id, sender_kind, sender_id, sender_device_id,
      content_type, msg_subtype, envelope, decode(hash, 'hex'), created_at, ${messages[0]!.received_at}
    from unnest(${column('conversation_id')}::uuid[], ${column('seq')}::bigint[], ${column('id')}::uuid[],
      ${column('client_message_id')}::text[], ${column('sender_kind')}::text[], ${column('sender_id')}::uuid[],
      ${column('sender_device_id')}::uuid[], ${column('content_type')}::text[], ${column('msg_subtype')}::text[],
      ${column('envelope')}::text[], ${column('hash')}::text[], ${column('created_at')}::timestamptz[])
      as new (conversation_id, seq, id, client_message_id, sender_kind, sender_id, sender_device_id,
        content_type, msg_subtype, envelope, hash, created_at)`.execute(trx);
}
