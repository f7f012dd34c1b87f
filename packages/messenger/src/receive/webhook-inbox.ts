import { createKeyedQueue } from '@parley/base';
import { EVENTS, isValid } from '@parley/protocol';
import type { ServerClock } from '../api/server-clock.ts';
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
  /** Under which envelopes name us. */
  readonly address: string;
  readonly clock: Pick<ServerClock, 'pruningTime'>;
  readonly onMessage: MessengerOptions['onMessage'];
  readonly report: (problem: Problem) => void;
}

const SWEEP_MS = 60 * 60 * 1_000;
const PREFIX = 'seen/';
/** Up to when what was seen was forgotten: nothing older is taken any more, also if the clock is put back (SK-5, EE-25). */
const SWEPT = 'seen-swept';

/**
 * Receives the messages of webhook deliveries, one by one. It looks up in the store which were handled, because several
 * processes may share it.
 */
export function createWebhookInbox({
  store,
  writeBuffer,
  opener,
  address,
  clock,
  onMessage,
  report,
}: Deps): Messenger['receive'] {
  const queue = createKeyedQueue();
  let swept = 0;

  const sweep = async (): Promise<void> => {
    const time = clock.pruningTime();
    if (time === undefined || Math.abs(time.getTime() - swept) < SWEEP_MS) return;
    swept = time.getTime();
    const oldest = oldestAccepted(time);
    for (const [key, createdAt] of await store.list(PREFIX)) if (createdAt < oldest) writeBuffer.set(key, null);
    if (oldest > ((await store.get(SWEPT)) ?? '')) writeBuffer.set(SWEPT, oldest);
  };
  const take = async (message: Delivered): Promise<'handled' | 'repeated' | 'refused'> => {
    const { header } = message.envelope;
    const { kind, id, device_id: device = '' } = header.sender;
    const key = `${PREFIX}${header.conversation_id}/${kind}/${id}/${device}/${header.client_message_id}`;
    if ((await store.get(key)) !== undefined) return 'repeated';
    checkRoom(store);
    const refuse = (reason: string): 'refused' => {
      const { message_id: messageId, conversation_seq: seq } = message;
      const isAddressed = message.envelope.wraps.some(({ to }) => to === address);
      report({ kind: 'undecryptable', header, messageId, seq, reason, isAddressed });
      return 'refused';
    };
    if (header.created_at < ((await store.get(SWEPT)) ?? '')) return refuse('stale');
    const result = await opener.open(message);
    if (result.state === 'repeated') return 'repeated';
    if (result.state === 'refused') return refuse(result.reason);
    await onMessage(result.incoming);
    writeBuffer.set(key, header.created_at);
    await sweep();
    await writeBuffer.saved();
    return 'handled';
  };

  return async (message) => {
    if (!isValid(EVENTS['message.new'], message)) return 'refused';
    return queue.run(message.conversation_id, () => take(message));
  };
}
