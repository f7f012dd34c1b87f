import { createHmac } from 'node:crypto';
import { hasheeSigningInput, standardSigningInput, WEBHOOK_HEADERS } from '@parley/protocol';
import { standardKey } from './secret.ts';

export interface Signable {
  readonly agentId: string;
  readonly deliveryId: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
  /** The current secret first; during a rotation also the previous one. */
  readonly secrets: readonly [string, ...string[]];
}

/** Returns the headers of one attempt (TR-5). */
export function signDelivery(delivery: Signable): Record<string, string> {
  const { agentId, deliveryId, timestamp, secrets } = delivery;
  const standard = secrets.map(
    (secret) => `v1,${hmac(standardKey(secret), standardSigningInput(delivery)).toString('base64')}`,
  );
  return {
    [WEBHOOK_HEADERS.signature]: hmac(secrets[0], hasheeSigningInput(delivery)).toString('hex'),
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
    [WEBHOOK_HEADERS.deliveryId]: deliveryId,
    [WEBHOOK_HEADERS.agentId]: agentId,
    [WEBHOOK_HEADERS.standardId]: deliveryId,
    [WEBHOOK_HEADERS.standardTimestamp]: String(timestamp),
    [WEBHOOK_HEADERS.standardSignature]: standard.join(' '),
  };
}

function hmac(key: string | Uint8Array, input: string): Buffer {
  return createHmac('sha256', key).update(input, 'utf8').digest();
}
