import type { Pipe } from '../storage/pipeline.ts';
import type { Consumer } from './consumer.ts';

interface Move {
  readonly kind: 'human' | 'agent';
  readonly memberId: string;
  readonly consumerId: string;
  readonly conversationId: string;
  readonly seq: number;
}

/** How far each device and agent has acknowledged. */
export interface Cursors {
  /** Resolves when it is stored. A session without a device has no cursor, so nothing happens. */
  move(consumer: Consumer, conversationId: string, seq: number): Promise<void>;
}

/** Joins acknowledgements that arrive during a write into the next one. */
export function createCursors(pipe: Pipe, now: () => Date): Cursors {
  let waiting = new Map<string, Move>();
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  const start = (): Promise<void> => {
    const turn = running.then(() => {
      const batch = [...waiting.values()];
      waiting = new Map();
      next = undefined;
      return moveCursors(pipe, batch, now());
    });
    running = turn.catch(() => {});
    return turn;
  };
  return {
    move: async (consumer, conversationId, seq) => {
      const consumerId = consumer.kind === 'agent' ? consumer.id : consumer.deviceId;
      if (consumerId === undefined) return;
      const key = `${consumerId} ${conversationId}`;
      if ((waiting.get(key)?.seq ?? -1) < seq) {
        waiting.set(key, { kind: consumer.kind, memberId: consumer.id, consumerId, conversationId, seq });
      }
      next ??= start();
      await next;
    },
  };
}

/**
 * A cursor never moves back or past the last message, and only where the consumer is a member. The commit does not wait
 * for the disk: if the database loses the last moment, messages are delivered again, and clients ignore the duplicates.
 */
const MOVE = `
  with eager as (select set_config('synchronous_commit', 'off', true))
  insert into cursors (consumer_kind, consumer_id, conversation_id, seq, updated_at)
  select case w.kind when 'agent' then 'agent' else 'device' end, w.consumer, c.id, least(w.seq, c.last_seq), $6
  from unnest($1::text[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[])
    as w (kind, member, consumer, conversation, seq)
  cross join eager
  join conversations c on c.id = w.conversation
  join members m on m.conversation_id = c.id and m.member_kind = w.kind and m.member_id = w.member
    and m.left_at is null
  order by w.consumer, c.id
  on conflict (consumer_kind, consumer_id, conversation_id) do update
    set seq = excluded.seq, updated_at = excluded.updated_at where cursors.seq < excluded.seq`;

async function moveCursors(pipe: Pipe, moves: readonly Move[], now: Date): Promise<void> {
  const column = <Name extends keyof Move>(name: Name) => moves.map((move) => move[name]);
  const values = [
    column('kind'),
    column('memberId'),
    column('consumerId'),
    column('conversationId'),
    column('seq'),
    now,
  ];
  await pipe.query({ name: 'cursors-move', text: MOVE, values });
}
