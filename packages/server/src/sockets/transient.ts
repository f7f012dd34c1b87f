import type { ClientFrame, Sender, ServerFrame } from '@parley/protocol';
import { type Consumer, keyOfConsumer } from '../conversations/consumer.ts';
import { findAudience } from '../conversations/may-talk.ts';
import type { SharedReads } from '../conversations/shared-reads.ts';
import { RequestError, rateLimited } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { pipeOf } from '../storage/pipeline.ts';

/** How long a stream may last (TC-9). */
const STREAM_MS = 5 * 60_000;
const IDLE_MS = 30_000;
const MAX_STREAMS = 16;
const MAX_PER_SECOND = 200;
const AUDIENCE_MS = 10_000;
const MAX_AUDIENCES = 100;

type StreamFrame = Extract<ClientFrame, { type: `stream.${string}` }>;
type TransientFrame = StreamFrame | Extract<ClientFrame, { type: 'typing' }>;
type Abort = Extract<StreamFrame, { type: 'stream.abort' }> & { readonly reason: string };

interface Stream {
  readonly conversationId: string;
  readonly started: number;
  last: number;
}

/** Relays frames that are not stored to connected members: typing, and streams, which end with their socket. */
export interface TransientRelay {
  relay(frame: TransientFrame): Promise<void>;
  tick(): void;
  /** Forgets who is in which conversation, because members may have changed. */
  forget(): void;
  /** The socket has closed, so its streams are aborted. */
  stop(): void;
}

export function createTransientRelay(
  platform: Platform,
  reads: SharedReads,
  { consumer, publish }: { consumer: () => Consumer; publish: (keys: readonly string[], text: string) => void },
): TransientRelay {
  const streams = new Map<string, Stream>();
  const audiences = new Map<string, { keys: Promise<readonly string[]>; until: number }>();
  let second = 0;
  let count = 0;

  const audience = (conversationId: string): Promise<readonly string[]> => {
    const time = platform.elapsed();
    const known = audiences.get(conversationId);
    if (known !== undefined && known.until > time) return known.keys;
    const who = consumer();
    const find = () => findAudience(pipeOf(platform.storage.pool), conversationId, who);
    const keys = reads.run(who.account, `audience ${keyOfConsumer(who)} ${conversationId}`, find);
    keys.catch(() => audiences.delete(conversationId));
    audiences.delete(conversationId);
    audiences.set(conversationId, { keys, until: time + AUDIENCE_MS });
    if (audiences.size > MAX_AUDIENCES) audiences.delete(audiences.keys().next().value!);
    return keys;
  };
  const tell = async (frame: TransientFrame | Abort): Promise<void> => {
    const keys = await audience(frame.conversation_id);
    publish(keys, JSON.stringify({ ...frame, sender: senderOf(consumer()) } satisfies ServerFrame));
  };
  const limit = (time: number) => {
    const now = Math.floor(time / 1_000);
    if (now !== second) count = 0;
    second = now;
    if (++count > MAX_PER_SECOND) throw rateLimited(1, 'transient');
  };
  /** Streams are opened and closed before the database answers, so that their frames keep their order. */
  const follow = (frame: StreamFrame, time: number) => {
    const { type, stream_id: id, conversation_id: conversationId } = frame;
    if (type === 'stream.start') {
      if (streams.has(id)) throw new RequestError('BAD_REQUEST');
      if (streams.size >= MAX_STREAMS) throw rateLimited(IDLE_MS / 1_000, 'streams');
      streams.set(id, { conversationId, started: time, last: time });
      return;
    }
    const stream = streams.get(id);
    if (stream === undefined || stream.conversationId !== conversationId) throw new RequestError('NOT_FOUND');
    stream.last = time;
    if (type !== 'stream.delta') streams.delete(id);
  };
  const abort = (id: string, { conversationId }: Stream, reason: string) => {
    streams.delete(id);
    const frame: Abort = { type: 'stream.abort', conversation_id: conversationId, stream_id: id, reason };
    // If the sender may no longer talk there, nobody needs to know.
    tell(frame).catch(() => {});
  };

  return {
    relay: async (frame) => {
      const time = platform.elapsed();
      limit(time);
      platform.budgets.take(consumer().account, { bytes_passed_on_per_second: 0 });
      if (frame.type !== 'typing') follow(frame, time);
      try {
        await tell(frame);
      } catch (error) {
        if (frame.type !== 'typing') streams.delete(frame.stream_id);
        throw error;
      }
    },
    tick: () => {
      const time = platform.elapsed();
      for (const [id, stream] of streams) {
        if (time - stream.started > STREAM_MS) abort(id, stream, 'too_long');
        else if (time - stream.last > IDLE_MS) abort(id, stream, 'idle');
      }
    },
    forget: () => audiences.clear(),
    stop: () => {
      for (const [id, stream] of streams) abort(id, stream, 'disconnected');
    },
  };
}

function senderOf({ kind, id, deviceId }: Consumer): Sender {
  return deviceId === undefined ? { kind, id } : { kind, id, device_id: deviceId };
}
