import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { BUDGET_NAMES, BUDGETS, type BudgetName } from '@parley/protocol';

/** The value that was read, or an example of a valid one. */
export type Reading<T> = { readonly value: T } | { readonly expected: string };

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|::1)$/;

export const isLoopback = (host: string) => LOOPBACK.test(host);

export function readInteger(text: string, min: number, max: number): Reading<number> {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? { value } : { expected: `${min}…${max}` };
}

export function readBoolean(text: string): Reading<boolean> {
  if (/^(true|1|yes|on)$/i.test(text)) return { value: true };
  return /^(false|0|no|off)$/i.test(text) ? { value: false } : { expected: 'true, false' };
}

export function readChoice<T extends string>(text: string, choices: readonly T[]): Reading<T> {
  const value = choices.find((choice) => choice === text);
  return value === undefined ? { expected: choices.join(', ') } : { value };
}

export function readHost(text: string): Reading<string> {
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text);
  return isName || isIP(text) > 0 ? { value: text } : { expected: '127.0.0.1, 0.0.0.0, ::1, localhost' };
}

export function readUrl(text: string, protocols: readonly string[], example: string): Reading<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fits = url !== undefined && protocols.includes(url.protocol) && url.hostname !== '';
  return fits ? { value: text } : { expected: example };
}

/** Accepts only an origin: a path would be lost in cookies and passkeys. */
export function readOrigin(text: string): Reading<string> {
  const example = 'https://parley.example.com';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return { expected: example };
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return isBare ? { value: url.origin } : { expected: example };
}

export function readProxies(text: string): Reading<readonly string[]> {
  const entries = text.split(',').map((entry) => entry.trim());
  const isNetwork = (entry: string) => {
    const [address = '', prefix, ...rest] = entry.split('/');
    const version = isIP(address);
    if (version === 0 || rest.length > 0) return false;
    return prefix === undefined || 'value' in readInteger(prefix, 0, version === 4 ? 32 : 128);
  };
  return entries.every(isNetwork) ? { value: entries } : { expected: '10.0.0.2, 172.16.0.0/12' };
}

export function readAddress(text: string): Reading<string> {
  return /^[^\s<>]+@[^\s<>]+$|^[^<>\r\n]+<[^\s<>]+@[^\s<>]+>$/.test(text)
    ? { value: text }
    : { expected: 'parley@example.com, Parley <parley@example.com>' };
}

/** In the spelling under which accounts are found. */
export function readEmail(text: string): Reading<string> {
  const value = text.toLowerCase();
  return /^[^\s@<>"(),:;[\]\\]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value)
    ? { value }
    : { expected: 'ada@example.com' };
}

const KIB = 1_024;
const BYTE_UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** Reads budgets with what every account may use (OP-1), such as `agents=50, bytes_stored=10GiB`. */
export function readBudgets(text: string): Reading<Readonly<Partial<Record<BudgetName, number>>>> {
  const entries = text.split(',').map((entry) => /^\s*(\w+)\s*=\s*(\d{1,13})([KMGT]iB)?\s*$/.exec(entry));
  const read = entries.flatMap((entry) => {
    const name = BUDGET_NAMES.find((known) => known === entry?.[1]);
    const value = Number(entry?.[2]) * KIB ** (BYTE_UNITS.indexOf(entry?.[3] ?? '') + 1);
    // None of it a second would shut everyone out; but a server may well be one for people without agents.
    const fits = name !== undefined && Number.isSafeInteger(value) && (value > 0 || BUDGETS[name].kind === 'stored');
    return fits ? [[name, value] as const] : [];
  });
  const isWhole = read.length === entries.length && new Set(read.map(([name]) => name)).size === read.length;
  return isWhole
    ? { value: Object.fromEntries(read) }
    : { expected: `agents=50, bytes_stored=10GiB (${BUDGET_NAMES.join(', ')})` };
}

/** Reads names and absolute folders; bundles are activated in no other folder (BA-2). */
export function readWorkspaces(text: string): Reading<Readonly<Record<string, string>>> {
  const entries = text.split(';').map((entry) => /^\s*([a-z0-9]+(?:-[a-z0-9]+)*)=(.+?)\s*$/.exec(entry));
  const read = entries.flatMap((entry) => (entry && isAbsolute(entry[2]!) ? [[entry[1]!, entry[2]!] as const] : []));
  const isWhole = read.length === entries.length && new Set(read.map(([name]) => name)).size === read.length;
  return isWhole ? { value: Object.fromEntries(read) } : { expected: 'main=/srv/workspace;other=/srv/other' };
}
