import { argon2idAsync } from '@noble/hashes/argon2.js';
import { canonicalise } from '@parley/documents';
import { fromBase64Url, toBase64Url, wipe } from '@parley/e2ee';
import { messengerError } from '../errors.ts';
import type { Store } from './store.ts';

const VERSION = 1;
/** A file with any other parameters is refused (EE-10): its author could demand all the memory there is. */
const KDF = { name: 'argon2id', m: 65_536, t: 3, p: 4 } as const;
const MIN_PASSPHRASE = 12;

/** Ratchets, and what is under way. */
export const SESSIONS = ['peer/', 'group/', 'outbox/', 'inbox/', 'sent/'];

/**
 * These keys are left out, because a ratchet that is set back would use keys a second time, and its messages would be
 * dropped as replays. Whoever restores a backup begins new sessions.
 */
const NOT_BACKED_UP = [...SESSIONS, 'own/once/'];

export interface RestoreOptions {
  /** Called with a number from 0 to 1. Deriving the key takes seconds, on purpose. */
  readonly onProgress?: ((part: number) => void) | undefined;
}

export interface BackupOptions extends RestoreOptions {
  /** Prefixes of further keys that must not be restored, such as tokens and temporary permissions. */
  readonly omit?: readonly string[];
}

interface Header {
  readonly format: 'parley-backup';
  readonly version: number;
  readonly kdf: typeof KDF & { readonly salt: string };
  readonly cipher: 'aes-256-gcm';
  readonly nonce: string;
}

/** Encrypts the keys of a store with a passphrase, as text (EE-10). */
export async function exportBackup(store: Store, passphrase: string, options: BackupOptions = {}): Promise<string> {
  if ([...passphrase].length < MIN_PASSPHRASE)
    throw messengerError('BACKUP_WEAK', { params: { length: MIN_PASSPHRASE } });
  const [salt, nonce] = [random(16), random(12)];
  const header = createHeader(toBase64Url(salt), toBase64Url(nonce));
  const omitted = [...NOT_BACKED_UP, ...(options.omit ?? [])];
  const entries = (await store.list('')).filter(([key]) => !omitted.some((prefix) => key.startsWith(prefix)));
  const plaintext = new TextEncoder().encode(JSON.stringify(entries));
  const key = await deriveKey(passphrase, salt, options);
  const ciphertext = await crypto.subtle.encrypt(parametersOf(header, nonce), key, plaintext);
  wipe([plaintext]);
  return JSON.stringify({ ...header, ciphertext: toBase64Url(new Uint8Array(ciphertext)) });
}

/**
 * Restores into an empty store, all of it or nothing. Throws `BACKUP_…` errors: BACKUP_REFUSED for a wrong passphrase.
 */
export async function importBackup(
  text: string,
  passphrase: string,
  store: Store,
  options: RestoreOptions = {},
): Promise<void> {
  const { header, salt, nonce, ciphertext } = readBackup(text);
  if ((await store.list('')).length > 0) throw messengerError('BACKUP_TARGET');
  const key = await deriveKey(passphrase, salt, options);
  const plaintext = await crypto.subtle.decrypt(parametersOf(header, nonce), key, ciphertext).catch(() => {
    throw messengerError('BACKUP_REFUSED');
  });
  await store.write(new Map<string, string>(JSON.parse(new TextDecoder().decode(plaintext))));
  wipe([new Uint8Array(plaintext)]);
}

function createHeader(salt: string, nonce: string): Header {
  return { format: 'parley-backup', version: VERSION, kdf: { ...KDF, salt }, cipher: 'aes-256-gcm', nonce };
}

function readBackup(text: string) {
  const backup = parse(text);
  if (backup?.format !== 'parley-backup') throw messengerError('BACKUP_FORMAT');
  if (backup.version !== VERSION) {
    const version = Number.isSafeInteger(backup.version) ? backup.version : '?';
    throw messengerError('BACKUP_VERSION', { params: { version, known: VERSION } });
  }
  const [salt, nonce, ciphertext] = [backup.kdf?.salt, backup.nonce, backup.ciphertext].map(readBytes);
  if (salt?.length !== 16 || nonce?.length !== 12 || ciphertext === undefined) throw messengerError('BACKUP_FORMAT');
  const header = createHeader(backup.kdf.salt, backup.nonce);
  const { ciphertext: _, ...claimed } = backup;
  if (canonicalise(claimed) !== canonicalise({ ...header })) throw messengerError('BACKUP_FORMAT');
  return { header, salt, nonce, ciphertext };
}

// biome-ignore lint/suspicious/noExplicitAny: every part that is used is compared or checked
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    throw messengerError('BACKUP_FORMAT');
  }
}

const readBytes = (text: unknown) =>
  typeof text === 'string' ? (fromBase64Url(text) as Uint8Array<ArrayBuffer> | undefined) : undefined;

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** Normalises the passphrase, so that another keyboard gives the same bytes. */
async function deriveKey(passphrase: string, salt: Uint8Array, { onProgress }: RestoreOptions): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize('NFKC'));
  const { m, t, p } = KDF;
  const secret = await argon2idAsync(bytes, salt, { m, t, p, dkLen: 32, ...(onProgress && { onProgress }) });
  const key = await crypto.subtle.importKey('raw', secret as Uint8Array<ArrayBuffer>, 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
  wipe([bytes, secret]);
  return key;
}

/** The header is authenticated, too. */
function parametersOf(header: Header, iv: Uint8Array<ArrayBuffer>) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(canonicalise({ ...header })) };
}
