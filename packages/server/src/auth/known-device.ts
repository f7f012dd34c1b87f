import { createHmac, randomBytes } from 'node:crypto';
import { sameHash } from './secret.ts';
import { listTokenSecrets, type TokenSecrets } from './token-secrets.ts';

/** Cookies live 400 days at most in browsers of today. */
export const KNOWN_DEVICE_SECONDS = 400 * 24 * 60 * 60;

/**
 * That someone has signed in to this account on this device before. It opens nothing: it only has a counter of its own for
 * wrong guesses (the device cookie of OWASP), and tells one device from another when a refresh is repeated.
 */
export interface KnownDevice {
  readonly accountId: string;
  readonly nonce: string;
  /** Raised by the account when no older proof shall count. */
  readonly epoch: number;
}

const FORMAT = /^([0-9a-f-]{36})\.([\w-]{22})\.(\d{1,9})\.(\d{1,12})\.([\w-]{43})$/;

export function signKnownDevice(
  secret: Uint8Array,
  { accountId, epoch, nonce }: Omit<KnownDevice, 'nonce'> & { readonly nonce: string | undefined },
  now: Date,
): string {
  const expires = Math.floor(now.getTime() / 1_000) + KNOWN_DEVICE_SECONDS;
  const claims = [accountId, nonce ?? randomBytes(16).toString('base64url'), epoch, expires].join('.');
  return `${claims}.${macOf(secret, claims)}`;
}

/** Returns undefined for what this server did not sign, or what has expired. The epoch is for the caller to compare. */
export function readKnownDevice(config: TokenSecrets, text: string | undefined, now: Date): KnownDevice | undefined {
  const [, accountId, nonce, epoch, expires, mac] = FORMAT.exec(text ?? '') ?? [];
  if (accountId === undefined || nonce === undefined || mac === undefined) return undefined;
  const claims = `${accountId}.${nonce}.${epoch}.${expires}`;
  if (!listTokenSecrets(config).some((secret) => sameHash(mac, macOf(secret, claims)))) return undefined;
  return Number(expires) * 1_000 > now.getTime() ? { accountId, nonce, epoch: Number(epoch) } : undefined;
}

/** The label keeps these signatures apart from those of access tokens, which use the same secret. */
function macOf(secret: Uint8Array, claims: string): string {
  return createHmac('sha256', secret).update(`parley-known-device-v1\n${claims}`).digest('base64url');
}
