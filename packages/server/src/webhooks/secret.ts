import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { MIN_WEBHOOK_SECRET_BYTES, WEBHOOK_SECRET_PREFIX } from '@parley/protocol';
import type { ServerConfig } from '../config.ts';
import { RequestError } from '../http/request-error.ts';

export function makeSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(MIN_WEBHOOK_SECRET_BYTES).toString('base64');
}

/** Refuses a weak secret: whoever guesses it can forge deliveries (TR-5). */
export function checkSecret(secret: string): void {
  if (standardKey(secret).length < MIN_WEBHOOK_SECRET_BYTES) {
    throw new RequestError('WEBHOOK_SECRET_TOO_SHORT', { minimum: MIN_WEBHOOK_SECRET_BYTES });
  }
}

/** Derives the key as a Standard Webhooks library does; empty where that would fail. */
export function standardKey(secret: string): Buffer {
  if (!secret.startsWith(WEBHOOK_SECRET_PREFIX)) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(WEBHOOK_SECRET_PREFIX.length);
  const decoded = Buffer.from(encoded, 'base64');
  return decoded.toString('base64') === encoded ? decoded : Buffer.alloc(0);
}

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** Encrypts the secret for the database. It is bound to the agent, so a row copied to another agent opens nothing. */
export function sealSecret(storageSecret: Uint8Array, agentId: string, secret: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, keyFrom(storageSecret), nonce);
  cipher.setAAD(Buffer.from(agentId));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

export function openSecret(storageSecret: Uint8Array, agentId: string, text: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv(CIPHER, keyFrom(storageSecret), bytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(agentId));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
}

/** Opens it with whichever of the server's secrets it was sealed under (OP-16); undefined if it was none of them. */
export function openWithAny(
  { storageSecret, acceptedStorageSecrets = [] }: Pick<ServerConfig, 'storageSecret' | 'acceptedStorageSecrets'>,
  agentId: string,
  text: string,
): string | undefined {
  for (const secret of [storageSecret, ...acceptedStorageSecrets]) {
    try {
      return openSecret(secret, agentId, text);
    } catch {
      // It was sealed under another one.
    }
  }
  return undefined;
}

function keyFrom(storageSecret: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', storageSecret, new Uint8Array(), 'parley webhook secret', 32));
}
