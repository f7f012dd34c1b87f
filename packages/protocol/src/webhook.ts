import type { Static } from 'typebox';
import { Id } from './formats.ts';
import * as Type from './schema/type.ts';

/** The events that an agent's webhook gets (TR-6), and `ping`, which its owner sends as a test. */
export const WEBHOOK_EVENTS = [
  'message.new',
  'artifact_response',
  'relation.established',
  'relation.revoked',
  'relation.suspended',
  'relation.restored',
  'h2a.reauth_required',
  'agent.capability_changed',
  'account.devices_changed',
  'ping',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** A date and a time of RFC 3339. Which month has how many days, and when there is a leap second, is not checked. */
const DATE_TIME =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])' +
  'T([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$';

/** The body of a delivery, the same for every attempt, byte for byte. */
export const WebhookEnvelope = Type.Object({
  type: Type.Enum(WEBHOOK_EVENTS),
  delivery_id: Id,
  agent_id: Id,
  created_at: Type.String({ pattern: DATE_TIME }),
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type WebhookEnvelope = Static<typeof WebhookEnvelope>;

export const WEBHOOK_HEADERS = {
  signature: 'x-hashee-signature',
  timestamp: 'x-hashee-timestamp',
  deliveryId: 'x-hashee-delivery-id',
  agentId: 'x-hashee-agent-id',
  /** The headers of the Standard Webhooks specification. */
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const;

/**
 * The rest of a secret with this prefix is base64, and Standard Webhooks signs with the decoded bytes. For any other
 * secret, and for X-Hashee-Signature in every case, the key is the secret's text as UTF-8.
 */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
export const MIN_WEBHOOK_SECRET_BYTES = 32;

interface SignedParts {
  readonly deliveryId: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** The body as sent: JSON that was parsed and written again may differ. */
  readonly body: string;
}

/** Returns the input of X-Hashee-Signature (TR-5), which is its HMAC-SHA256 in hexadecimal. */
export function hasheeSigningInput({ timestamp, deliveryId, body }: SignedParts): string {
  return `${timestamp}.${deliveryId}.${body}`;
}

/**
 * Returns the input of webhook-signature, which is `v1,` and the base64 of its HMAC-SHA256, several separated by
 * spaces.
 */
export function standardSigningInput({ timestamp, deliveryId, body }: SignedParts): string {
  return `${deliveryId}.${timestamp}.${body}`;
}
