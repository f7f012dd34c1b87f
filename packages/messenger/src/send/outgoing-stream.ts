import { toRandomId } from '@parley/base';
import { type Crypto, endStream, type OwnKeys, sealDelta, startStream, toBase64Url } from '@parley/e2ee';
import type { ClientFrame } from '@parley/protocol';
import type { Sealer } from '../encryption/sealer.ts';
import { streamMessageId, toStreamKey } from '../encryption/stream-key.ts';
import type { Platform } from '../platform.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { OutgoingStream } from '../types.ts';
import type { Outbox } from './outbox.ts';

/** The most characters of a streamed text (TC-9). */
const MAX_TEXT = 100_000;
const MAX_LIFE_MS = 5 * 60_000 - 5_000;
/** The server drops a stream after 30 s of silence, and accepts 200 frames a second per socket. */
const KEEP_ALIVE_MS = 15_000;
const DELTA_INTERVAL_MS = 40;
/** Counted in UTF-16 units; sealed and in base64url they stay below 16 KB. */
const MAX_DELTA = 3_000;
const MAX_SEALED = 16 * 1024;
const encoder = new TextEncoder();

export interface OutgoingStreamDeps {
  readonly platform: Platform;
  readonly crypto: Crypto;
  readonly own: OwnKeys;
  readonly writeBuffer: WriteBuffer;
  readonly sealer: Sealer;
  readonly outbox: Outbox;
  readonly send: (frame: ClientFrame) => boolean;
  /** Counts lost connections: a stream belongs to the socket that it began on. */
  readonly connection: () => number;
}

/** Streams text as long as the connection lasts. In the end the whole text is always sent as a message. */
export async function openStream(deps: OutgoingStreamDeps, conversationId: string): Promise<OutgoingStream> {
  const { platform, crypto, own, outbox, send, connection } = deps;
  const streamId = toRandomId(crypto.randomBytes(16));
  const about = { conversation_id: conversationId, stream_id: streamId };
  const key = crypto.randomBytes(32);
  const begun = connection();
  const sealed = await sealKey(deps, { conversationId, streamId, key });
  let state = startStream(crypto, key, { conversationId, streamId, sender: own.sender });
  let isLive =
    sealed.length <= MAX_SEALED && begun === connection() && send({ type: 'stream.start', ...about, sealed });
  let text = '';
  let sent = 0;
  let isOver = false;
  let stopTimer = () => {};
  const until = platform.now().getTime() + MAX_LIFE_MS;

  const sendDelta = (part: string): void => {
    if (!isLive || begun !== connection() || platform.now().getTime() > until) {
      isLive = false;
      return;
    }
    const delta = sealDelta(crypto, state, { plaintext: encoder.encode(part), identity: own.identity });
    state = delta.state;
    isLive = send({ type: 'stream.delta', ...about, index: delta.index, sealed: toBase64Url(delta.sealed) });
  };
  /** Sends what was written since the last flush, in pieces that do not split a surrogate pair. */
  const flush = (): void => {
    while (sent < text.length) {
      let end = Math.min(text.length, sent + MAX_DELTA);
      if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
      if (end <= sent) break;
      sendDelta(text.slice(sent, end));
      sent = end;
    }
    keepAlive();
  };
  const keepAlive = (): void => {
    stopTimer();
    stopTimer = isLive
      ? platform.setTimer(() => {
          sendDelta('');
          keepAlive();
        }, KEEP_ALIVE_MS)
      : () => {};
    isScheduled = false;
  };
  let isScheduled = false;
  const scheduleFlush = (): void => {
    if (isScheduled || !isLive) return;
    stopTimer();
    stopTimer = platform.setTimer(flush, DELTA_INTERVAL_MS);
    isScheduled = true;
  };
  const end = (): void => {
    if (isOver) throw new TypeError('the stream is over');
    isOver = true;
    if (isLive) flush();
    stopTimer();
    endStream(state);
  };
  keepAlive();

  return {
    streamId,
    write: async (part) => {
      if (isOver) throw new TypeError('the stream is over');
      if (text.length + part.length > MAX_TEXT) throw new TypeError(`a text has at most ${MAX_TEXT} characters`);
      text += part;
      scheduleFlush();
    },
    done: async () => {
      end();
      const clientMessageId = toRandomId(crypto.randomBytes(16));
      if (isLive && begun === connection()) send({ type: 'stream.done', ...about, client_message_id: clientMessageId });
      return outbox.send({ conversationId, payload: { type: 'text', text }, clientMessageId });
    },
    abort: () => {
      if (isOver) return;
      end();
      if (isLive && begun === connection()) send({ type: 'stream.abort', ...about });
    },
  };
}

async function sealKey(
  { platform, own, writeBuffer, sealer }: OutgoingStreamDeps,
  { conversationId, streamId, key }: { conversationId: string; streamId: string; key: Uint8Array },
): Promise<string> {
  const header = {
    version: 1 as const,
    conversation_id: conversationId,
    sender: own.sender,
    client_message_id: streamMessageId(streamId),
    content_type: 'system' as const,
    msg_subtype: 'system' as const,
    created_at: platform.now().toISOString(),
  };
  const envelope = await sealer.seal(header, encoder.encode(JSON.stringify(toStreamKey(streamId, key))));
  await writeBuffer.saved();
  return toBase64Url(encoder.encode(JSON.stringify(envelope)));
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
