import { parseJson } from '@parley/documents';
import { EVENTS, type EventPayload, isValid, WebhookEnvelope, type WebhookEventType } from '@parley/protocol';
import { agentError } from '../errors.ts';

type Data<Type extends WebhookEventType> = Type extends 'ping'
  ? Readonly<Record<string, unknown>>
  : Type extends keyof typeof EVENTS
    ? EventPayload<Type>
    : never;

/** The payload of a delivery; `type` says what is in `data`. */
export type WebhookPayload = {
  [Type in WebhookEventType]: Omit<WebhookEnvelope, 'type' | 'data'> & {
    readonly type: Type;
    readonly data: Data<Type>;
  };
}[WebhookEventType];

/** Parses a body whose signature was verified. Throws WEBHOOK_PAYLOAD_INVALID. */
export function parseWebhookPayload(rawBody: string | Uint8Array): WebhookPayload {
  const parsed = parseJson(rawBody);
  if (!parsed.ok || !isValid(WebhookEnvelope, parsed.value)) throw agentError('WEBHOOK_PAYLOAD_INVALID');
  const { type, data } = parsed.value;
  if (type !== 'ping' && !isValid(EVENTS[type], data)) throw agentError('WEBHOOK_PAYLOAD_INVALID');
  return parsed.value as WebhookPayload;
}
