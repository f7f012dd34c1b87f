import { fromBase64Url, toBase64Url } from '@parley/e2ee';
import type { Payload, SystemPayload } from '@parley/protocol';

// `stream.start` carries the key of the stream in an envelope of its own, which is never stored.

const CODE = 'parley.stream_key';

export const streamMessageId = (streamId: string) => `stream-${streamId}`;

export function toStreamKey(streamId: string, key: Uint8Array): SystemPayload {
  return { type: 'system', code: CODE, params: { stream_id: streamId, key: toBase64Url(key) } };
}

export function isStreamKey(payload: Payload): payload is SystemPayload {
  return payload.type === 'system' && payload.code === CODE;
}

/** Returns undefined if it is not a stream key, or one of another stream. */
export function readStreamKey(payload: Payload | undefined, streamId: string): Uint8Array | undefined {
  if (payload === undefined || !isStreamKey(payload) || payload.params?.stream_id !== streamId) return undefined;
  const { key } = payload.params;
  const bytes = typeof key === 'string' ? fromBase64Url(key) : undefined;
  return bytes?.length === 32 ? bytes : undefined;
}
