import { createKeyedQueue } from '@parley/base';
import { type Crypto, endStream, fromBase64Url, openDelta, type StreamState, startStream } from '@parley/e2ee';
import { Envelope, isValid, type Sender, type ServerFrame } from '@parley/protocol';
import { type Opener, parsePayload } from '../encryption/opener.ts';
import { readStreamKey, streamMessageId } from '../encryption/stream-key.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { TransientEvent } from '../types.ts';

type StreamFrame = Extract<ServerFrame, { type: `stream.${string}` }>;
export function isStreamFrame(frame: ServerFrame): frame is StreamFrame {
  return frame.type.startsWith('stream.');
}
type StreamEvent = Extract<TransientEvent, { type: 'stream' }>;

interface Stream {
  readonly conversationId: string;
  readonly sender: Sender;
  /** Of the sender: every delta is signed by it. */
  readonly identityKey: Uint8Array;
  state: StreamState;
  text: string;
}

interface Deps {
  readonly crypto: Crypto;
  readonly opener: Opener;
  readonly writeBuffer: WriteBuffer;
  readonly onTransient: (event: TransientEvent) => void;
}

/** The most characters of a streamed text (TC-9). */
const MAX_TEXT = 100_000;
/** The most streams at a time; beyond this the oldest ends as an error. */
const MAX_STREAMS = 64;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Receives streamed text of others. A stream that does not open, or has a gap, ends as an error: its message will
 * follow.
 */
export function createIncomingStreams({ crypto, opener, writeBuffer, onTransient }: Deps): {
  receive(frame: StreamFrame): void;
} {
  const streams = new Map<string, Stream>();
  const queue = createKeyedQueue();

  const tell = (id: string, stream: Stream, state: StreamEvent['state'], clientMessageId?: string): void => {
    const { conversationId, sender, text } = stream;
    const about = { type: 'stream', conversationId, streamId: id, sender, state, text } as const;
    onTransient(clientMessageId === undefined ? about : { ...about, clientMessageId });
  };
  const end = (id: string, state: StreamEvent['state'], clientMessageId?: string): void => {
    const stream = streams.get(id);
    if (stream === undefined) return;
    streams.delete(id);
    endStream(stream.state);
    tell(id, stream, state, clientMessageId);
  };
  const start = async (frame: Extract<StreamFrame, { type: 'stream.start' }>): Promise<void> => {
    const { conversation_id: conversationId, stream_id: id, sender } = frame;
    const envelope = parseEnvelope(frame.sealed ?? '');
    // A message that is handed in as the key of a stream is not opened here: it would be a repetition where it belongs.
    if (envelope?.header.client_message_id !== streamMessageId(id) || streams.has(id)) return;
    const content = await opener.openEnvelope(conversationId, envelope);
    if (content.state !== 'content') return;
    writeBuffer.savedLater().catch(() => {});
    const key = readStreamKey(parsePayload(content.header, content.plaintext)?.payload, id);
    if (key === undefined || !isSame(content.header.sender, sender)) return;
    const state = startStream(crypto, key, { conversationId, streamId: id, sender });
    key.fill(0);
    const stream: Stream = { conversationId, sender, identityKey: content.identityKey, state, text: '' };
    streams.set(id, stream);
    tell(id, stream, 'start');
    if (streams.size > MAX_STREAMS) end(streams.keys().next().value!, 'error');
  };
  const add = (id: string, stream: Stream, delta: { index: number; sealed: string }): void => {
    const { state, identityKey } = stream;
    const sealed = fromBase64Url(delta.sealed);
    const opened = sealed && openDelta(crypto, state, { index: delta.index, sealed, identityKey });
    const part = opened?.ok && opened.missed === 0 ? decode(opened.plaintext) : undefined;
    if (!opened?.ok || part === undefined || stream.text.length + part.length > MAX_TEXT) {
      end(id, 'error');
      return;
    }
    stream.state = opened.state;
    if (part === '') return;
    stream.text += part;
    tell(id, stream, 'delta');
  };
  const follow = (frame: Exclude<StreamFrame, { type: 'stream.start' }>): void => {
    const { stream_id: id, conversation_id: conversationId } = frame;
    const stream = streams.get(id);
    if (stream === undefined || stream.conversationId !== conversationId || !isSame(stream.sender, frame.sender))
      return;
    if (frame.type === 'stream.delta') add(id, stream, { index: frame.index, sealed: frame.sealed ?? '' });
    else if (frame.type === 'stream.done') end(id, 'done', frame.client_message_id);
    else end(id, frame.type === 'stream.abort' ? 'abort' : 'error');
  };

  return {
    // If the keys of the sender cannot be looked up, the stream is not shown; its message follows anyway.
    receive: (frame) =>
      void queue
        .run(frame.stream_id, async () => (frame.type === 'stream.start' ? start(frame) : follow(frame)))
        .catch(() => {}),
  };
}

function parseEnvelope(sealed: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(fromBase64Url(sealed)));
    return isValid(Envelope, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const isSame = (a: Sender, b: Sender) => a.kind === b.kind && a.id === b.id && a.device_id === b.device_id;
