import type { Pipe } from '../storage/pipeline.ts';
import type { Outgoing, StoredMessage } from './message.ts';

export interface Accepted {
  readonly id: string;
  readonly seq: number;
  readonly hash: string;
}

export const sendKey = ({ envelope: { header } }: Outgoing) =>
  `${header.conversation_id} ${header.sender.kind} ${header.sender.id} ${header.client_message_id}`;

const ACCEPTED = `
  select m.id, m.seq, encode(m.envelope_hash, 'hex') as hash,
    concat_ws(' ', m.conversation_id, m.sender_kind, m.sender_id, m.client_message_id) as key
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[]) as wanted (conversation, kind, id, client)
  join messages m on m.conversation_id = wanted.conversation and m.sender_kind = wanted.kind
    and m.sender_id = wanted.id and m.client_message_id = wanted.client`;

/** Finds the messages of a batch that were stored before. */
export async function findAccepted(pipe: Pipe, batch: readonly Outgoing[]): Promise<Map<string, Accepted>> {
  if (batch.length === 0) return new Map();
  const headers = batch.map(({ envelope }) => envelope.header);
  const values = [
    headers.map((header) => header.conversation_id),
    headers.map(({ sender }) => sender.kind),
    headers.map(({ sender }) => sender.id),
    headers.map((header) => header.client_message_id),
  ];
  const rows = await pipe.query<Accepted & { key: string }>({ name: 'relay-accepted', text: ACCEPTED, values });
  return new Map(rows.map((row) => [row.key, row]));
}

export type NewMessage = StoredMessage & {
  readonly hash: string;
  /** Whose it is: the sender's, or its owner's. */
  readonly account: string;
};

const INSERT = `
  with moved as (
    update conversations c set last_seq = last.seq, last_message_at = $3
    from unnest($1::uuid[], $2::bigint[]) as last (id, seq) where c.id = last.id)
  insert into messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id, sender_device_id,
    content_type, msg_subtype, envelope, envelope_hash, created_at, received_at)
  select conversation_id, seq, id, client_message_id, sender_kind, sender_id, sender_device_id,
    content_type, msg_subtype, envelope, decode(hash, 'hex'), created_at, $3
  from unnest($4::uuid[], $5::bigint[], $6::uuid[], $7::text[], $8::text[], $9::uuid[], $10::uuid[], $11::text[],
    $12::text[], $13::text[], $14::text[], $15::timestamptz[])
    as new (conversation_id, seq, id, client_message_id, sender_kind, sender_id, sender_device_id,
      content_type, msg_subtype, envelope, hash, created_at)`;

/** Stores the messages and the last numbers of their conversations in one statement. */
export async function insertMessages(pipe: Pipe, messages: readonly NewMessage[]): Promise<void> {
  const column = <Name extends keyof NewMessage>(name: Name) => messages.map((message) => message[name]);
  const last = new Map(messages.map(({ conversation_id, seq }) => [conversation_id, seq]));
  const values = [
    [...last.keys()],
    [...last.values()],
    messages[0]!.received_at,
    column('conversation_id'),
    column('seq'),
    column('id'),
    column('client_message_id'),
    column('sender_kind'),
    column('sender_id'),
    column('sender_device_id'),
    column('content_type'),
    column('msg_subtype'),
    column('envelope'),
    column('hash'),
    column('created_at'),
  ];
  await pipe.query({ name: 'relay-insert', text: INSERT, values });
}
