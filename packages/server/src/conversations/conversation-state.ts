import { keyOf } from '../events/bus.ts';
import type { Party } from '../http/caller.ts';
import { type Pipe, settleInOrder } from '../storage/pipeline.ts';

export interface ConversationState {
  readonly id: string;
  readonly kind: 'h2a' | 'h2h' | 'group' | 'account';
  readonly lastSeq: number;
  /** Someone else has locked it, and nothing else of it was read. */
  readonly isBusy: boolean;
  /** Those who were asked for, as far as they are members. */
  readonly senders: Map<string, SenderState>;
  readonly agentsActive: boolean;
  /** The bus keys of the members, without those who have blocked the other of two (AC-6). */
  readonly audience: readonly string[];
  /** The agents among them that have a webhook. */
  readonly webhooks: readonly string[];
}
interface SenderState {
  /** False for a former member. */
  readonly present: boolean;
  /** In a conversation with an agent: is its relation active? Elsewhere it is always true. */
  readonly open: boolean;
  readonly agentActive: boolean;
  /** In a conversation of two people: has this one blocked the other (AC-6)? */
  readonly deaf: boolean;
}

/** Whoever sends into a conversation. */
export interface Speaking {
  readonly conversationId: string;
  readonly sender: Party;
}
export const partyKey = ({ kind, id }: Party) => `${kind} ${id}`;

/** How long it waits for a conversation that someone else has locked: everyone else's messages wait with it. */
const LOCK_MS = 50;
const LIMIT_WAIT = `select set_config('lock_timeout', '${LOCK_MS}', true)`;
// In order: two nodes with the same conversations must not wait for each other.
const LOCK = 'select from conversations where id = any($1) order by id for no key update';
const LOCK_FREE = `
  with free as materialized (
    select id from conversations where id = any($1) order by id for no key update skip locked)
  select c.id, c.kind, c.last_seq as "lastSeq", free.id is null as "isBusy"
  from conversations c left join free on free.id = c.id where c.id = any($1)`;

/** Has this member of a conversation of two people blocked the other? */
const DEAF = `c.kind = 'h2h' and exists (
  select from blocks b join members o on o.conversation_id = c.id and o.member_id = b.blocked_id
  where b.account_id = m.member_id and b.until is null)`;
/** One row for each conversation, however many are in it: a row for each member costs ten times as much. */
const STATES = `
  select c.id, c.kind, c.last_seq as "lastSeq", p.*
  from conversations c cross join lateral (
    select coalesce(bool_and(m.member_kind = 'human' or coalesce(a.status = 'active', false)), true) as "agentsActive",
      string_agg(m.member_id::text, ' ') filter (
        where m.member_kind = 'human' and m.left_at is null and not (${DEAF})) as people,
      string_agg(m.member_id::text, ' ') filter (where m.member_kind = 'agent' and m.left_at is null) as agents,
      string_agg(m.member_id::text, ' ') filter (
        where a.connection_mode = 'webhook' and m.left_at is null) as webhooks
    from members m left join agents a on m.member_kind = 'agent' and a.id = m.member_id
    where m.conversation_id = c.id and (m.left_at is null or c.kind = 'h2a')) as p
  where c.id = any($1)`;
const SENDERS = `
  select c.id as conversation, m.member_kind as kind, m.member_id as id, m.left_at is null as present,
    c.kind <> 'h2a' or exists (
      select from h2a_relations r where r.conversation_id = c.id and r.status = 'active') as open,
    m.member_kind = 'human' or coalesce(a.status = 'active', false) as "agentActive", ${DEAF} as deaf
  from unnest($1::uuid[], $2::text[], $3::uuid[]) as sender (conversation, kind, id)
  join members m on m.conversation_id = sender.conversation and m.member_kind = sender.kind and m.member_id = sender.id
  join conversations c on c.id = m.conversation_id and (m.left_at is null or c.kind = 'h2a')
  left join agents a on m.member_kind = 'agent' and a.id = m.member_id`;

/**
 * Locks are held until the transaction ends. With `wait` it fails if one is not to be had in a moment; with `skip` the
 * conversations that someone else has locked are busy. What is read behind the lock was committed while it waited, because
 * every statement sees the present.
 */
export async function readConversations(
  pipe: Pipe,
  speaking: readonly Speaking[],
  lock: 'none' | 'wait' | 'skip',
): Promise<Map<string, ConversationState>> {
  const all = [...new Set(speaking.map(({ conversationId }) => conversationId))];
  const locking = lock === 'wait' ? lockAll(pipe, all) : undefined;
  const known = lock === 'skip' ? await lockFree(pipe, all) : [];
  const ids = lock === 'skip' ? known.filter(({ isBusy }) => !isBusy).map(({ id }) => id) : all;
  const free = new Set(ids);
  const wanted = new Map(
    speaking
      .filter(({ conversationId }) => free.has(conversationId))
      .map((one) => [`${one.conversationId} ${partyKey(one.sender)}`, one]),
  );
  const [, rows, senders] = await settleInOrder([
    locking,
    ids.length === 0 ? [] : pipe.query<StateRow>({ name: 'relay-states', text: STATES, values: [ids] }),
    ids.length === 0 ? [] : readSenders(pipe, [...wanted.values()]),
  ]);
  const states = new Map<string, ConversationState>();
  for (const state of known) if (state.isBusy) states.set(state.id, { ...state, ...NOTHING_READ });
  for (const row of rows) states.set(row.id, toState(row));
  for (const { conversation, kind, id, ...sender } of senders) {
    states.get(conversation)?.senders.set(partyKey({ kind, id }), sender);
  }
  return states;
}

const NOTHING_READ = { senders: new Map(), agentsActive: true, audience: [], webhooks: [] };

function toState({ people, agents, webhooks, ...state }: StateRow): ConversationState {
  const audience = [...listIds(people).map(keyOf.human), ...listIds(agents).map(keyOf.agent)];
  return { ...state, isBusy: false, senders: new Map(), audience, webhooks: listIds(webhooks) };
}

const lockAll = (pipe: Pipe, ids: readonly string[]) =>
  settleInOrder([
    pipe.query({ name: 'relay-limit-wait', text: LIMIT_WAIT, values: [] }),
    pipe.query({ name: 'relay-lock', text: LOCK, values: [ids] }),
  ]);

const lockFree = (pipe: Pipe, ids: readonly string[]) =>
  pipe.query<Pick<ConversationState, 'id' | 'kind' | 'lastSeq' | 'isBusy'>>({
    name: 'relay-lock-free',
    text: LOCK_FREE,
    values: [ids],
  });

function readSenders(pipe: Pipe, speaking: readonly Speaking[]): Promise<SenderRow[]> {
  const values = [
    speaking.map(({ conversationId }) => conversationId),
    speaking.map(({ sender }) => sender.kind),
    speaking.map(({ sender }) => sender.id),
  ];
  return pipe.query<SenderRow>({ name: 'relay-senders', text: SENDERS, values });
}

const listIds = (text: string | null): string[] => text?.split(' ') ?? [];

interface StateRow extends Pick<ConversationState, 'id' | 'kind' | 'lastSeq' | 'agentsActive'> {
  readonly people: string | null;
  readonly agents: string | null;
  readonly webhooks: string | null;
}
type SenderRow = SenderState & Party & { readonly conversation: string };
