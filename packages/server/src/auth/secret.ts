import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes 256 random bits, as letters that need no escaping anywhere. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns what is stored of a token or code. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares two hashes without telling where they differ. */
export function sameHash(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
