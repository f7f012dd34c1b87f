import { createKeyedQueue } from '@parley/base';
import { EVENTS, isValid } from '@parley/protocol';
import { type Delivered, type Opener, oldestAccepted } from '../encryption/opener.ts';
import type { Messenger } from '../messenger-interface.ts';
import { checkRoom } from '../stores/shortage.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { MessengerOptions, Problem } from '../types.ts';

interface Deps {
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly opener: Opener;
  readonly now: () => Date;
  readonly onMessage: MessengerOptions['onMessage'];
  readonly report: (problem: Problem) => void;
}

const SWEEP_MS = 60 * 60 * 1_000;
const PREFIX = 'seen/';

/**
 * Receives the messages of webhook deliveries, one by one. It looks up in the store which were handled, because several
 * processes may share it.
 */
export function createWebhookInbox({ store, writeBuffer, opener, now, onMessage, report }: Deps): Messenger['receive'] {
  const queue = createKeyedQueue();
  let swept = 0;

  const sweep = async (): Promise<void> => {
    swept = now().getTime();
    const oldest = oldestAccepted(now());
    for (const [key, createdAt] of await store.list(PREFIX)) if (createdAt < oldest) writeBuffer.set(key, null);
  };
  const take = async (message: Delivered): Promise<'handled' | 'repeated' | 'refused'> => {
    const { header } = message.envelope;
    const { kind, id, device_id: device = '' } = header.sender;
    const key = `${PREFIX}${header.conversation_id}/${kind}/${id}/${device}/${header.client_message_id}`;
    if ((await store.get(key)) !== undefined) return 'repeated';
    checkRoom(store);
    const result = await opener.open(message);
    if (result.state === 'repeated') return 'repeated';
    if (result.state === 'refused') {
      const { message_id: messageId, conversation_seq: seq } = message;
      report({ kind: 'undecryptable', header, messageId, seq, reason: result.reason });
      return 'refused';
    }
    await onMessage(result.incoming);
    writeBuffer.set(key, header.created_at);
    if (now().getTime() - swept > SWEEP_MS) await sweep();
    await writeBuffer.saved();
    return 'handled';
  };

  return async (message) => {
    if (!isValid(EVENTS['message.new'], message)) return 'refused';
    return queue.run(message.conversation_id, () => take(message));
  };
}
