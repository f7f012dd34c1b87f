import type { EventType } from '@parley/protocol';
import type { Db, Trx } from '../storage/database.ts';
import { type Bus, keyOf } from './bus.ts';
import { type OutboxDeps, queueForWebhooks } from './webhook-outbox.ts';

export interface Recipient {
  readonly kind: 'human' | 'agent';
  readonly id: string;
}

/** Events for people and agents (RL-8, RL-11): stored with the change that causes them, delivered when the recipient is connected. */
export interface Events {
  /** Call it inside the transaction of the change, and `wake` with the same recipients once it has committed. */
  store(trx: Trx, recipients: readonly Recipient[], type: EventType, payload: object): Promise<void>;
  wake(recipients: readonly Recipient[]): void;
  /** Does both, in a transaction of its own. */
  send(recipients: readonly Recipient[], type: EventType, payload: object): Promise<void>;
}

const BATCH = 1_000;

export function createEvents(db: Db, bus: Bus, deps: OutboxDeps): Events {
  const store: Events['store'] = async (trx, recipients, type, payload) => {
    const text = JSON.stringify(payload);
    for (let start = 0; start < recipients.length; start += BATCH) {
      const rows = recipients.slice(start, start + BATCH).map(({ kind, id }) => ({
        recipient_kind: kind,
        recipient_id: id,
        type,
        payload: text,
      }));
      await trx.insertInto('events').values(rows).execute();
    }
    const agents = recipients.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
    await queueForWebhooks(trx, deps, agents, type, payload);
  };
  const wake: Events['wake'] = (recipients) =>
    bus.wake(recipients.map(({ kind, id }) => ({ key: keyOf[kind](id), about: 'events' })));
  return {
    store,
    wake,
    send: async (recipients, type, payload) => {
      if (recipients.length === 0) return;
      await db.transaction().execute((trx) => store(trx, recipients, type, payload));
      wake(recipients);
    },
  };
}
