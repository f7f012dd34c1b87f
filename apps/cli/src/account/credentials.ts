import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { parleyHome } from './home.ts';

/** Who is signed in at one server. Only `api.ts` and `device/logout.ts` use the tokens. */
export interface Account {
  readonly userId: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

interface Stored {
  readonly version: 1;
  /** The server of the last sign-in. */
  readonly current: string | null;
  readonly servers: Readonly<Record<string, Account>>;
}

const EMPTY: Stored = { version: 1, current: null, servers: {} };

const fileOf = (): string => join(parleyHome(), 'credentials.json');

export function readAccount(baseUrl: string): Account | undefined {
  const { servers } = read();
  return Object.hasOwn(servers, baseUrl) ? servers[baseUrl] : undefined;
}

export function readCurrentServer(): string | undefined {
  return read().current ?? undefined;
}

export function saveAccount(baseUrl: string, account: Account): void {
  const { servers } = read();
  write({ version: 1, current: baseUrl, servers: { ...servers, [baseUrl]: account } });
}

export function forgetAccount(baseUrl: string): void {
  const { current, servers } = read();
  const others = Object.fromEntries(Object.entries(servers).filter(([url]) => url !== baseUrl));
  write({ version: 1, current: current === baseUrl ? null : current, servers: others });
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
    return value?.version === 1 && typeof value.servers === 'object' && value.servers !== null
      ? { version: 1, current: typeof value.current === 'string' ? value.current : null, servers: value.servers }
      : undefined;
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
