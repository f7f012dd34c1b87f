import { browserCrypto } from '@parley/e2ee/browser';
import {
  hasheeSigningInput,
  MIN_WEBHOOK_SECRET_BYTES,
  standardSigningInput,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
} from '@parley/protocol';
import { ReplayMemory } from './replay-memory.ts';

// Verification is synchronous on purpose (TR-5, SK-5): a promise that someone forgets to await would count as a yes.

/** Headers as Node and Fetch have them; their names may be in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  readonly now?: Date | undefined;
  /** The memory in which the same signed request counts once; by default it is shared by this process. */
  readonly replays?: ReplayMemory | undefined;
}

const WINDOW_SECONDS = 300;
const shared = new ReplayMemory(WINDOW_SECONDS);
const encoder = new TextEncoder();

/**
 * Did the server sign exactly these bytes, within five minutes of now, and are they new? During a rotation, give both
 * secrets. A retry has a new timestamp, so it counts as genuine too: the caller checks whether its `delivery_id` was
 * handled.
 */
export function verifyWebhookSignature(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  options: VerifyOptions = {},
): boolean {
  const { now = new Date(), replays = shared } = options;
  const signed = findSigned(typeof secret === 'string' ? [secret] : secret, { headers, rawBody, now });
  // The key is what was signed: other headers can be changed by anyone on the way.
  return signed !== undefined && replays.isNew(`${signed.timestamp}.${signed.deliveryId}`, now.getTime() / 1_000);
}

interface Received {
  readonly headers: WebhookHeaders;
  readonly rawBody: string | Uint8Array;
  readonly now: Date;
}

/** Returns what one of the secrets signed within the window, new or not. */
export function findSigned(secrets: readonly string[], { headers, rawBody, now }: Received): Signed | undefined {
  for (const secret of secrets) checkSecret(secret);
  if (secrets.length === 0) throw new TypeError('secret: at least one is needed');
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody;
  const request = { body, seconds: now.getTime() / 1_000, read: (name: string) => readHeader(headers, name) };
  for (const secret of secrets) {
    const signed = ourWay(secret, request) ?? asStandard(secret, request);
    if (signed !== undefined) return signed;
  }
  return undefined;
}

interface Request {
  readonly read: (name: string) => string | undefined;
  readonly body: Uint8Array;
  readonly seconds: number;
}
interface Signed {
  readonly deliveryId: string;
  readonly timestamp: number;
}

function ourWay(secret: string, { read, body, seconds }: Request): Signed | undefined {
  const parts = readParts(read(WEBHOOK_HEADERS.deliveryId), read(WEBHOOK_HEADERS.timestamp), seconds);
  const signature = fromHex(read(WEBHOOK_HEADERS.signature) ?? '');
  if (parts === undefined || signature === undefined) return undefined;
  const input = join(hasheeSigningInput({ ...parts, body: '' }), body);
  return isMac(signature, encoder.encode(secret), input) ? parts : undefined;
}

function asStandard(secret: string, { read, body, seconds }: Request): Signed | undefined {
  const parts = readParts(read(WEBHOOK_HEADERS.standardId), read(WEBHOOK_HEADERS.standardTimestamp), seconds);
  if (parts === undefined) return undefined;
  const input = join(standardSigningInput({ ...parts, body: '' }), body);
  const signatures = (read(WEBHOOK_HEADERS.standardSignature) ?? '').split(' ').slice(0, 8);
  const isSigned = signatures.some((signature) => {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
    return bytes !== undefined && isMac(bytes, standardKey(secret), input);
  });
  return isSigned ? parts : undefined;
}

/** Returns undefined outside the window. */
function readParts(deliveryId: string | undefined, timestamp: string | undefined, seconds: number): Signed | undefined {
  // Dots separate the signed parts: an id that contains one could hold the beginning of another body.
  if (!deliveryId || deliveryId.includes('.')) return undefined;
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return undefined;
  const isNear = Math.abs(seconds - Number(timestamp)) <= WINDOW_SECONDS;
  return isNear ? { deliveryId, timestamp: Number(timestamp) } : undefined;
}

function isMac(given: Uint8Array, key: Uint8Array, input: Uint8Array): boolean {
  const expected = browserCrypto.hmacSha256(key, input);
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index++) difference |= expected[index]! ^ given[index]!;
  return difference === 0;
}

function checkSecret(secret: string): void {
  if (typeof secret !== 'string' || standardKey(secret).length < MIN_WEBHOOK_SECRET_BYTES) {
    throw new TypeError(`secret: must have at least ${MIN_WEBHOOK_SECRET_BYTES} bytes`);
  }
}

/** Returns the key that Standard Webhooks signs with. */
function standardKey(secret: string): Uint8Array {
  if (!secret.startsWith(WEBHOOK_SECRET_PREFIX)) return encoder.encode(secret);
  return fromBase64(secret.slice(WEBHOOK_SECRET_PREFIX.length)) ?? new Uint8Array();
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === 'string' ? value : value?.[0];
}

function join(prefix: string, body: Uint8Array): Uint8Array {
  const head = encoder.encode(prefix);
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}

function fromHex(text: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
