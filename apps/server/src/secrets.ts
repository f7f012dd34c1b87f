import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startError } from './errors.ts';

export interface Secrets {
  readonly tokenSecret: Uint8Array;
  readonly storageSecret: Uint8Array;
}

const BYTES = 32;

export const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json');

/**
 * Creates the secrets at the first start. A file that others can read is refused, because they may know the secrets
 * already.
 */
export function loadSecrets(dataDir: string): Secrets {
  const file = secretsFile(dataDir);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) create(file);
  else if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw startError('SECRETS_READABLE', { params: { file, mode: (mode & 0o777).toString(8) } });
  }
  return parseSecrets(readFileSync(file, 'utf8'), file);
}

function parseSecrets(text: string, file: string): Secrets {
  try {
    const { token_secret: token, storage_secret: storage } = JSON.parse(text);
    const secrets = { tokenSecret: Buffer.from(token, 'base64url'), storageSecret: Buffer.from(storage, 'base64url') };
    if (secrets.tokenSecret.length >= BYTES && secrets.storageSecret.length === BYTES) return secrets;
  } catch {
    // The error below does not quote the text, as the parser's message would.
  }
  throw startError('SECRETS_INVALID', { params: { file } });
}

/** Replaces the secrets; only for a database that the new ones belong to. */
export function replaceSecrets(dataDir: string, text: string): void {
  const file = secretsFile(dataDir);
  parseSecrets(text, file);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Written atomically: half a file would be refused for ever. */
function create(file: string): void {
  const make = () => randomBytes(BYTES).toString('base64url');
  const draft = `${file}.${process.pid}`;
  const text = JSON.stringify({ token_secret: make(), storage_secret: make() }, null, 2);
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
