import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { parleyHome } from './home.ts';

/** Who is signed in at one server. Only `api.ts` and `device/logout.ts` use the tokens. */
export interface Account {
  readonly userId: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** The proof that this machine was signed in (AC-1): the one by which the server tells it from others. */
  readonly knownDevice?: string;
}

interface Stored {
  readonly version: 1;
  /** The server of the last sign-in. */
  readonly current: string | null;
  readonly servers: Readonly<Record<string, Account>>;
  /** By server and e-mail address. They stay after signing out: wrong guesses of others do not hold this machine up (AC-1). */
  readonly known_devices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const EMPTY: Stored = { version: 1, current: null, servers: {} };

const fileOf = (): string => join(parleyHome(), 'credentials.json');

export function readAccount(baseUrl: string): Account | undefined {
  const { servers } = read();
  return Object.hasOwn(servers, baseUrl) ? servers[baseUrl] : undefined;
}

/** For whoever asks for the password again: a thief who guesses in other sessions does not hold this machine up. */
export function showProof(baseUrl: string): { readonly known_device?: string } {
  const proof = readAccount(baseUrl)?.knownDevice;
  return proof === undefined ? {} : { known_device: proof };
}

export function readCurrentServer(): string | undefined {
  return read().current ?? undefined;
}

export function saveAccount(baseUrl: string, account: Account): void {
  const stored = read();
  write({ ...stored, current: baseUrl, servers: { ...stored.servers, [baseUrl]: account } });
}

export function forgetAccount(baseUrl: string): void {
  const stored = read();
  const others = Object.fromEntries(Object.entries(stored.servers).filter(([url]) => url !== baseUrl));
  write({ ...stored, current: stored.current === baseUrl ? null : stored.current, servers: others });
}

const normalise = (email: string) => email.trim().toLowerCase();

export function readKnownDevice(baseUrl: string, email: string): string | undefined {
  const proofs = read().known_devices?.[baseUrl] ?? {};
  const address = normalise(email);
  return Object.hasOwn(proofs, address) ? proofs[address] : undefined;
}

export function saveKnownDevice(baseUrl: string, email: string, proof: string): void {
  const stored = read();
  const proofs = { ...stored.known_devices?.[baseUrl], [normalise(email)]: proof };
  write({ ...stored, known_devices: { ...stored.known_devices, [baseUrl]: proofs } });
}

function read(): Stored {
  const file = fileOf();
  let text: string;
  try {
    // Checked on every read, because a copy or a backup may have made it readable to everyone.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new CommandError('CREDENTIALS_EXPOSED', { params: { file } });
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY;
    throw error instanceof CommandError ? error : unusable(error, file);
  }
  const value = parse(text);
  if (value === undefined) {
    throw new CommandError('CREDENTIALS_DAMAGED', { params: { file } });
  }
  return value;
}

function parse(text: string): Stored | undefined {
  try {
    const value = JSON.parse(text) as Partial<Stored> | null;
    if (value?.version !== 1 || typeof value.servers !== 'object' || value.servers === null) return undefined;
    const current = typeof value.current === 'string' ? value.current : null;
    const { servers, known_devices } = value;
    const isTable = typeof known_devices === 'object' && known_devices !== null;
    return { version: 1, current, servers, ...(isTable ? { known_devices } : {}) };
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically; others can never read it, not even for a moment. */
function write(stored: Stored): void {
  const file = fileOf();
  const draft = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    throw unusable(error, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function unusable(error: unknown, file: string): CommandError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
  return new CommandError('FILE_UNUSABLE', { params: { file, reason } });
}
