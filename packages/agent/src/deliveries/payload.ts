import { parseJson } from '@parley/documents';
import { EVENTS, type EventPayload, WebhookEnvelope, type WebhookEventType } from '@parley/protocol';
import { Compile } from 'typebox/compile';
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

const compileEnvelope = () => Compile(WebhookEnvelope);
let envelope: ReturnType<typeof compileEnvelope> | undefined;
const checks = new Map<string, { Check(value: unknown): boolean }>();

/** Parses a body whose signature was verified. Throws WEBHOOK_PAYLOAD_INVALID. */
export function parseWebhookPayload(rawBody: string | Uint8Array): WebhookPayload {
  const parsed = parseJson(rawBody);
  envelope ??= compileEnvelope();
  if (!parsed.ok || !envelope.Check(parsed.value)) throw agentError('WEBHOOK_PAYLOAD_INVALID');
  const { type, data } = parsed.value;
  if (type !== 'ping' && !checkFor(type).Check(data)) throw agentError('WEBHOOK_PAYLOAD_INVALID');
  return parsed.value as WebhookPayload;
}

function checkFor(type: Exclude<WebhookEventType, 'ping'>): { Check(value: unknown): boolean } {
  let check = checks.get(type);
  if (check === undefined) {
    check = Compile(EVENTS[type]);
    checks.set(type, check);
  }
  return check;
}
