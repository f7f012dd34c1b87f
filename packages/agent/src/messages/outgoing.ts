import { toBase64Url } from '@parley/e2ee';
import type { ArtifactPayload, AttachmentPayload, Payload } from '@parley/protocol';

/** `data` is bytes, or their base64. */
export type Attachment = Omit<AttachmentPayload, 'data'> & { readonly data: string | Uint8Array };
export type OutgoingPayload = Exclude<Payload, ArtifactPayload<unknown> | AttachmentPayload> | Attachment;

export function toPayload(payload: OutgoingPayload): Payload {
  if (!('data' in payload) || typeof payload.data === 'string') return payload as Payload;
  return { ...payload, data: toBase64(payload.data) };
}

function toBase64(bytes: Uint8Array): string {
  const text = toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}
