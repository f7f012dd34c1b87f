import { createDeferred, createFairQueue, createLru, type Deferred } from '@parley/base';
import { sql } from 'kysely';
import { isWithheld } from '../people/blocks.ts';
import type { Db } from '../storage/database.ts';
import { type Consumer, keyOfConsumer } from './consumer.ts';
import type { EmptyMessage, StoredMessage } from './message.ts';

interface ReadRequest {
  readonly consumer: Consumer;
  readonly conversationId: string;
  /** If absent, reads after what the consumer has acknowledged. */
  readonly after: number | undefined;
  /** Also skips what the consumer has acknowledged, if that is further. */
  readonly sinceAck?: boolean;
  /**
   * Includes the consumer's own messages even if their envelopes are no longer stored, so that they do not count as
   * missing.
   */
  readonly allOwn?: boolean;
}
interface ReadResult {
  /** The number that it was read after: not before the consumer joined. */
  readonly after: number;
  readonly lastSeq: number;
  /**
   * The next messages, at least one if there is any; numbers that are missing between them are no longer stored. With
   * `allOwn` the consumer's own are included without their envelopes: nobody misses their own messages.
   */
  readonly messages: readonly (StoredMessage | EmptyMessage)[];
}

const PAGE = 50;
/** Together with what a batch may cost, this bounds what one query brings into memory. */
const PAGE_BYTES = 512 * 1024;
const KB = 1024;
/** What a request costs at least; one that finds nothing is not free. */
const OVERHEAD = 16 * KB;
const BATCH = { count: 32, cost: 4 * 1024 * KB };
const TURN = 64 * KB;
/** Queries at the same time. An account is in one of them only, so that what it reads leaves the other free. */
const QUERIES = 2;
/** Each socket and poll waits for a few at a time, and there are limits on those. */
const NO_LIMIT = { count: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };
/** Of whom it is remembered how much they read. */
const MAX_ACCOUNTS = 10_000;

/** Reads for many consumers at once, in turns by account: requests that arrive during a query go into the next (OP-3). */
export interface Reader {
  /** Resolves with undefined for someone who is not in the conversation. */
  read(request: ReadRequest): Promise<ReadResult | undefined>;
}

interface Waiting extends Deferred<ReadResult | undefined> {
  readonly request: ReadRequest;
  readonly key: string;
  readonly cost: number;
}

/** Same requests that wait are one: the sockets of one agent are woken together, and have pushed the same. */
export function createReader(db: Db): Reader {
  const queue = createFairQueue<Waiting>({ turn: TURN, max: NO_LIMIT, maxOfOne: NO_LIMIT });
  const waiting = new Map<string, Waiting>();
  /** What a request costs is known afterwards, so it counts as what its account has read before. */
  const costs = createLru<string, number>(MAX_ACCOUNTS);
  const busy = new Set<string>();
  let queries = 0;

  const takeBatch = (): Waiting[] => {
    const batch: Waiting[] = [];
    const accounts = new Set<string>();
    const isReady = (account: string) => accounts.has(account) || !busy.has(account);
    for (let cost = 0; batch.length < BATCH.count && cost < BATCH.cost; ) {
      const next = queue.take(isReady);
      if (next === undefined) break;
      waiting.delete(next.key);
      batch.push(next);
      cost += next.cost;
      accounts.add(next.request.consumer.account);
      busy.add(next.request.consumer.account);
    }
    return batch;
  };
  const learn = ({ consumer: { account } }: ReadRequest, result: ReadResult | undefined): void => {
    const bytes = result?.messages.reduce((sum, { envelope }) => sum + (envelope?.length ?? 0), 0) ?? 0;
    // Someone with small pages between large ones is still someone with large ones.
    costs.set(account, Math.max(OVERHEAD + bytes, (costs.get(account) ?? 0) / 2));
  };
  const run = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await readMany(
        db,
        batch.map(({ request }) => request),
      );
      batch.forEach(({ request, resolve }, index) => {
        learn(request, results.get(index));
        resolve(results.get(index));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    for (const { request } of batch) busy.delete(request.consumer.account);
    queries--;
    start();
  };
  const start = (): void => {
    while (queries < QUERIES) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      queries++;
      void run(batch);
    }
  };

  return {
    read: (request) => {
      const { consumer, conversationId, after, sinceAck, allOwn } = request;
      const key = [keyOfConsumer(consumer), conversationId, after, sinceAck, allOwn].join(' ');
      const known = waiting.get(key);
      if (known !== undefined) return known.promise;
      const cost = costs.get(consumer.account) ?? OVERHEAD;
      const next: Waiting = { ...createDeferred<ReadResult | undefined>(), request, key, cost };
      waiting.set(key, next);
      queue.add(consumer.account, next, cost);
      // What is asked for in one moment is one query.
      queueMicrotask(start);
      return next.promise;
    },
  };
}

type Row = { ordinal: number; start: number; last_seq: number } & (
  | StoredMessage
  | EmptyMessage
  | { [Name in keyof StoredMessage]: null }
);

/**
 * Returns the results by index of the request. They are of one snapshot: a missing number up to `lastSeq` will not
 * appear later.
 */
async function readMany(db: Db, requests: readonly ReadRequest[]): Promise<Map<number, ReadResult>> {
  const { rows } = await sql<Row>`
    select (w.ordinal - 1)::int as ordinal, s.start, c.last_seq, x.*
    from unnest(${requests.map(({ consumer }) => consumer.kind)}::text[],
      ${requests.map(({ consumer }) => consumer.id)}::uuid[],
      ${requests.map(({ consumer }) => consumer.deviceId ?? null)}::uuid[],
      ${requests.map(({ conversationId }) => conversationId)}::uuid[],
      ${requests.map(({ after }) => after ?? null)}::bigint[],
      ${requests.map(({ after, sinceAck = after === undefined }) => sinceAck)}::boolean[],
      ${requests.map(({ allOwn = false }) => allOwn)}::boolean[])
      with ordinality as w (kind, id, device, conversation, after, since_ack, all_own, ordinal)
    join members m on m.conversation_id = w.conversation and m.member_kind = w.kind and m.member_id = w.id
      and m.left_at is null
    join conversations c on c.id = w.conversation
    left join cursors k on w.since_ack and k.conversation_id = w.conversation
      and k.consumer_kind = case w.kind when 'agent' then 'agent' else 'device' end
      and k.consumer_id = case w.kind when 'agent' then w.id else w.device end
    cross join lateral (select greatest(w.after, k.seq, m.joined_seq) as start) s
    left join lateral (
      select id, conversation_id, seq, client_message_id, sender_kind, sender_id, sender_device_id, content_type,
        msg_subtype, created_at, received_at, envelope
      from (
        select *, sum(size) over (order by seq) - size as bytes_before
        from (
          select *, coalesce(octet_length(envelope), 0) as size
          from messages where conversation_id = w.conversation and seq > s.start
            and not (c.kind = 'h2h' and ${isWithheld({ reader: sql`w.id`, message: sql`messages` })})
            and (envelope is not null or (w.all_own and sender_kind = w.kind and sender_id = w.id
              and (w.kind = 'agent' or sender_device_id is not distinct from w.device)))
          order by seq limit ${PAGE}) next) page
      where bytes_before < ${PAGE_BYTES}) x on true
    order by w.ordinal, x.seq`.execute(db);
  const results = new Map<number, { after: number; lastSeq: number; messages: (StoredMessage | EmptyMessage)[] }>();
  for (const { ordinal, start, last_seq, ...message } of rows) {
    const result = results.get(ordinal) ?? { after: start, lastSeq: last_seq, messages: [] };
    results.set(ordinal, result);
    if (message.seq !== null) result.messages.push(message);
  }
  return results;
}

/**
 * Finds conversations in which the consumer has not acknowledged everything, those without messages for the longest
 * time first.
 */
export async function findUnread(
  db: Db,
  { kind, id, deviceId }: Consumer,
  limit: number,
): Promise<{ conversationId: string; lastSeq: number }[]> {
  const { rows } = await sql<{ conversationId: string; lastSeq: number }>`
    select c.id as "conversationId", c.last_seq as "lastSeq"
    from members m join conversations c on c.id = m.conversation_id
    left join cursors k on k.conversation_id = c.id
      and k.consumer_kind = ${kind === 'agent' ? 'agent' : 'device'}
      and k.consumer_id = ${kind === 'agent' ? id : (deviceId ?? null)}::uuid
    where m.member_kind = ${kind} and m.member_id = ${id} and m.left_at is null
      and c.last_seq > greatest(coalesce(k.seq, 0), m.joined_seq)
    order by c.last_message_at, c.id limit ${limit}`.execute(db);
  return rows;
}
