import { createKeyedQueue } from '@parley/base';
import { addressOf } from '@parley/e2ee';
import { EVENTS } from '@parley/protocol';
import { Compile } from 'typebox/compile';
import type { Journal } from './journal.ts';
import type { Delivered, Opener } from './opener.ts';
import type { Store } from './store.ts';
import type { Messenger, MessengerOptions, Problem } from './types.ts';

interface Means {
  readonly store: Store;
  readonly journal: Journal;
  readonly opener: Opener;
  readonly now: () => Date;
  readonly onMessage: MessengerOptions['onMessage'];
  readonly report: (problem: Problem) => void;
}

/** SK-5. The server takes nothing older than a day, and repeats a delivery for no longer. */
const LIFE_MS = 25 * 60 * 60 * 1_000;
const SWEEP_MS = 60 * 60 * 1_000;
const PREFIX = 'seen/';

export function oldestTaken(now: Date): string {
  return new Date(now.getTime() - LIFE_MS).toISOString();
}

/**
 * For an agent without a line of its own: each delivery stands alone. Which messages were handled is asked of the store
 * each time, for there may be other processes beside this one.
 */
export function createWebhookInbox({ store, journal, opener, now, onMessage, report }: Means): Messenger['receive'] {
  const queue = createKeyedQueue();
  let swept = 0;

  const sweep = async (): Promise<void> => {
    swept = now().getTime();
    const oldest = oldestTaken(now());
    for (const [key, createdAt] of await store.list(PREFIX)) if (createdAt < oldest) journal.set(key, null);
  };
  const take = async (message: Delivered): Promise<'handled' | 'repeated' | 'refused'> => {
    const { header } = message.envelope;
    const key = `${PREFIX}${header.conversation_id}/${addressOf(header.sender)}/${header.client_message_id}`;
    if ((await store.get(key)) !== undefined) return 'repeated';
    const outcome = await opener.open(message);
    if (outcome.state === 'repeated') return 'repeated';
    if (outcome.state === 'refused') {
      const { message_id: messageId, conversation_seq: seq } = message;
      report({ kind: 'undecryptable', header, messageId, seq, reason: outcome.reason });
      return 'refused';
    }
    await onMessage(outcome.incoming);
    journal.set(key, header.created_at);
    if (now().getTime() - swept > SWEEP_MS) await sweep();
    await journal.saved();
    return 'handled';
  };

  const isDelivered = Compile(EVENTS['message.new']);
  return async (message) => {
    if (!isDelivered.Check(message)) return 'refused';
    return queue.run(message.conversation_id, () => take(message));
  };
}
