import { createCoalescer } from '@parley/base';
import { type EventMove, MOVE_SETTINGS, moveEventCursors } from '../events/inbox.ts';
import { RequestError, rateLimited } from '../http/request-error.ts';
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
  /** The same for events. */
  moveEvents(consumer: Consumer, position: number): Promise<void>;
}

/**
 * Those of one moment are one statement, in which each consumer has its highest number only (OP-3). `isDurable` is for
 * consumers that remember no position themselves (TR-4): the commit waits for the disk. For the others it does not. If
 * the database loses the last moment, messages are delivered again, and clients ignore the duplicates.
 */
export function createCursors(pipe: Pipe, now: () => Date, { isDurable }: { isDurable: boolean }): Cursors {
  const messages = createCoalescer<Move>({
    ...LIMITS,
    rank: ({ seq }) => seq,
    flush: (moves) => moveCursors(pipe, moves, { now: now(), isDurable }),
  });
  const events = createCoalescer<EventMove>({
    ...LIMITS,
    rank: ({ position }) => position,
    flush: (moves) => moveEventCursors(pipe, moves, { isDurable }),
  });
  return {
    move: async (consumer, conversationId, seq) => {
      const { kind, id: memberId, account } = consumer;
      const consumerId = cursorOwner(consumer);
      if (consumerId === undefined) return;
      const move = { kind, memberId, consumerId, conversationId, seq };
      await messages.add(account, `${consumerId} ${conversationId}`, move).catch(refuseLocked);
    },
    moveEvents: async (consumer, position) => {
      const { kind, account } = consumer;
      const consumerId = cursorOwner(consumer);
      if (consumerId !== undefined)
        await events.add(account, consumerId, { kind, consumerId, position }).catch(refuseLocked);
    },
  };
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

/** A lock that is not to be had in a moment, and what deadlocks. A device that is being deleted keeps its cursors locked. */
const isLocked = (error: unknown): boolean => /^(?:55P03|40...)$/.test(codeOf(error));
const TIMED_OUT = '57014';

function refuseLocked(error: unknown): never {
  throw isLocked(error) ? new RequestError('UNAVAILABLE', {}, { limit: 'cursors' }) : error;
}

const LIMITS = {
  // What takes too long may be the moves of one account.
  isAboutSome: (error: unknown) => isLocked(error) || codeOf(error) === TIMED_OUT,
  size: 1_000,
  max: { count: 50_000, cost: 50_000 },
  maxOfOne: { count: 5_000, cost: 5_000 },
  refuse: (reason: string) =>
    reason === 'full' ? new RequestError('UNAVAILABLE', {}, { limit: 'cursors' }) : rateLimited(1, 'cursors_share'),
  gather: () => new Promise<void>((resolve) => setImmediate(resolve)),
};

function cursorOwner({ kind, id, deviceId }: Consumer): string | undefined {
  return kind === 'agent' ? id : deviceId;
}

/**
 * A cursor never moves back or past the last message, and only where the consumer is a member. A durable move writes also
 * where the cursor stands there already: it may be there by a commit that did not wait for the disk, and this one takes
 * that to the disk with it.
 */
const MOVE = `
  with settings as (${MOVE_SETTINGS})
  insert into cursors (consumer_kind, consumer_id, conversation_id, seq, updated_at)
  select case w.kind when 'agent' then 'agent' else 'device' end, w.consumer, c.id, least(w.seq, c.last_seq), $7
  from unnest($2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[])
    as w (kind, member, consumer, conversation, seq)
  cross join settings
  join conversations c on c.id = w.conversation
  join members m on m.conversation_id = c.id and m.member_kind = w.kind and m.member_id = w.member
    and m.left_at is null
  order by w.consumer, c.id
  on conflict (consumer_kind, consumer_id, conversation_id) do update
    set seq = greatest(cursors.seq, excluded.seq), updated_at = excluded.updated_at
    where cursors.seq < excluded.seq or $1::boolean`;

async function moveCursors(
  pipe: Pipe,
  moves: readonly Move[],
  { now, isDurable }: { now: Date; isDurable: boolean },
): Promise<void> {
  const column = <Name extends keyof Move>(name: Name) => moves.map((move) => move[name]);
  const values = [
    isDurable,
    column('kind'),
    column('memberId'),
    column('consumerId'),
    column('conversationId'),
    column('seq'),
    now,
  ];
  await pipe.query({ name: 'cursors-move', text: MOVE, values });
}
