import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createWhole, writeWhole } from '@parley/base/node';
import type { ServerConfig } from '@parley/server';
import { startError } from './errors.ts';

/** As a server uses them: one of each kind signs and seals, the others still count (OP-16). */
export type Secrets = Required<
  Pick<ServerConfig, 'tokenSecret' | 'storageSecret' | 'acceptedTokenSecrets' | 'acceptedStorageSecrets'>
>;

interface Pair {
  readonly token_secret: string;
  readonly storage_secret: string;
}

/** The file. `next` is accepted but not used yet, `previous` is accepted until it is retired. */
interface SecretsFile extends Pair {
  readonly next?: Pair;
  readonly previous?: Pair;
  readonly rotated_at?: string;
  /** Counts the changes of the file: a clock may be set back, and then says nothing about what a server has loaded. */
  readonly generation?: number;
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
  // Half a file would be refused for ever.
  if (mode === undefined) createWhole(file, `${JSON.stringify(makePair(), null, 2)}\n`);
  else if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw startError('SECRETS_READABLE', { params: { file, mode: (mode & 0o777).toString(8) } });
  }
  const { next, previous, ...current } = parseSecrets(readFileSync(file, 'utf8'), file);
  const others = [next, previous].filter((pair) => pair !== undefined);
  return {
    tokenSecret: decode(current.token_secret),
    storageSecret: decode(current.storage_secret),
    acceptedTokenSecrets: others.map((pair) => decode(pair.token_secret)),
    acceptedStorageSecrets: others.map((pair) => decode(pair.storage_secret)),
  };
}

const decode = (text: string) => Buffer.from(text, 'base64url');

function parseSecrets(text: string, file: string): SecretsFile {
  try {
    const secrets: SecretsFile = JSON.parse(text);
    const pairs = [secrets, secrets.next, secrets.previous].filter((pair) => pair !== undefined);
    if (pairs.every(isPair)) return secrets;
  } catch {
    // The error below does not quote the text, as the parser's message would.
  }
  throw startError('SECRETS_INVALID', { params: { file } });
}

function isPair({ token_secret: token, storage_secret: storage }: Pair): boolean {
  return decode(token).length >= BYTES && decode(storage).length === BYTES;
}

/** What there is, never what it says. */
export interface SecretsState {
  readonly prepared: boolean;
  readonly rotating: boolean;
  readonly rotatedAt: Date | undefined;
  readonly generation: number;
}

export function describeSecrets(dataDir: string): SecretsState {
  loadSecrets(dataDir);
  const { next, previous, rotated_at, generation = 0 } = readSecrets(dataDir);
  return {
    prepared: next !== undefined,
    rotating: previous !== undefined,
    rotatedAt: rotated_at === undefined ? undefined : new Date(rotated_at),
    generation,
  };
}

/** Makes secrets that are accepted from the next start on, and used after `rotateSecrets`: for several nodes. */
export function prepareSecrets(dataDir: string): void {
  const secrets = readSecrets(dataDir);
  if (secrets.next === undefined) changeSecrets(dataDir, { ...secrets, next: makePair() });
}

/** Uses those that were prepared, or new ones. The ones before count until they are retired. */
export function rotateSecrets(dataDir: string, now: Date): void {
  const { token_secret, storage_secret, next = makePair(), previous, generation = 0 } = readSecrets(dataDir);
  if (previous !== undefined) throw startError('SECRETS_ROTATING');
  const rotated_at = now.toISOString();
  changeSecrets(dataDir, { ...next, previous: { token_secret, storage_secret }, rotated_at, generation });
}

/** Returns false if there were none. */
export function retireSecrets(dataDir: string): boolean {
  const { previous, ...secrets } = readSecrets(dataDir);
  if (previous !== undefined) changeSecrets(dataDir, secrets);
  return previous !== undefined;
}

function readSecrets(dataDir: string): SecretsFile {
  const file = secretsFile(dataDir);
  return parseSecrets(readFileSync(file, 'utf8'), file);
}

const changeSecrets = (dataDir: string, { generation = 0, ...secrets }: SecretsFile) =>
  replaceSecrets(dataDir, `${JSON.stringify({ ...secrets, generation: generation + 1 }, null, 2)}\n`);

function makePair(): Pair {
  const make = () => randomBytes(BYTES).toString('base64url');
  return { token_secret: make(), storage_secret: make() };
}

/** Replaces the secrets; only for a database that the new ones belong to. Returns what puts those of before back. */
export function replaceSecrets(dataDir: string, text: string): () => void {
  const file = secretsFile(dataDir);
  parseSecrets(text, file);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeWhole(file, text);
  return () => (before === undefined ? rmSync(file, { force: true }) : writeWhole(file, before));
}
