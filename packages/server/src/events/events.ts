import type { EventType } from '@parley/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';
import { type Bus, keyOf } from './bus.ts';
import { giveConversationPositions, storeConversationEvent } from './conversation-events.ts';
import { type OutboxDeps, queueForWebhooks, wakeWebhooks } from './webhook-outbox.ts';

export interface Recipient {
  readonly kind: 'human' | 'agent';
  readonly id: string;
}

/** Events for people and agents (RL-8, RL-11): stored with the change that causes them, delivered when the recipient is connected. */
export interface Events {
  /**
   * Call it inside the transaction of the change, and `wake` with the same recipients once it has committed. The account
   * that caused it pays (OP-1); without one, another row pays for it, like that of an invitation.
   */
  store(
    trx: Trx,
    recipients: readonly Recipient[],
    type: EventType,
    payload: object,
    causedBy?: string | undefined,
  ): Promise<void>;
  /**
   * Stores an event for all members of a conversation, in one row however many they are. Those who join later are not told.
   * Afterwards call `wakeMembers`.
   */
  storeForMembers(trx: Trx, told: MembersTold, type: EventType, payload: object): Promise<void>;
  wake(recipients: readonly Recipient[]): void;
  wakeMembers(recipients: readonly Recipient[]): Promise<void>;
  /** Does both, in a transaction of its own. */
  send(recipients: readonly Recipient[], type: EventType, payload: object, causedBy?: string): Promise<void>;
}

interface MembersTold {
  readonly conversationId: string;
  readonly members: readonly Recipient[];
  /** Those who are told besides them, because they were members before. */
  readonly others: readonly Recipient[];
}

interface NewEvent {
  readonly type: EventType;
  /** The payload as JSON. */
  readonly text: string;
  readonly causedBy: string | RawBuilder<string> | null;
}

const BATCH = 1_000;

export function createEvents(db: Db, bus: Bus, deps: OutboxDeps): Events {
  const insert = async (trx: Trx, recipients: readonly Recipient[], event: NewEvent): Promise<void> => {
    for (let start = 0; start < recipients.length; start += BATCH) {
      const rows = recipients.slice(start, start + BATCH).map(({ kind, id }) => ({
        recipient_kind: kind,
        recipient_id: id,
        type: event.type,
        payload: event.text,
        account_id: event.causedBy,
      }));
      await trx.insertInto('events').values(rows).execute();
    }
  };
  const queue = (trx: Trx, recipients: readonly Recipient[], type: EventType, payload: object): Promise<void> => {
    const agents = recipients.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
    return queueForWebhooks(trx, deps, agents, type, payload);
  };
  const store: Events['store'] = async (trx, recipients, type, payload, causedBy) => {
    await insert(trx, recipients, { type, text: JSON.stringify(payload), causedBy: causedBy ?? null });
    await queue(trx, recipients, type, payload);
  };
  const storeForMembers: Events['storeForMembers'] = async (
    trx,
    { conversationId, members, others },
    type,
    payload,
  ) => {
    const text = JSON.stringify(payload);
    const isShared = await storeConversationEvent(trx, { conversationId, type, text });
    const causedBy = sql<string>`(select payer_id from conversations where id = ${conversationId})`;
    await insert(trx, isShared ? others : [...members, ...others], { type, text, causedBy });
    await queue(trx, [...members, ...others], type, payload);
  };
  const wake: Events['wake'] = (recipients) => {
    bus.wake(recipients.map(({ kind, id }) => ({ key: keyOf[kind](id), about: 'events' })));
    if (recipients.some(({ kind }) => kind === 'agent')) wakeWebhooks(bus);
  };
  return {
    store,
    storeForMembers,
    wake,
    wakeMembers: async (recipients) => {
      // Whoever reads an event without a position gives it one; but a thousand who are woken at once need not try.
      await giveConversationPositions(db).catch(() => {});
      wake(recipients);
    },
    send: async (recipients, type, payload, causedBy) => {
      if (recipients.length === 0) return;
      await db.transaction().execute((trx) => store(trx, recipients, type, payload, causedBy));
      wake(recipients);
    },
  };
}
