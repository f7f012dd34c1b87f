import { join, resolve } from 'node:path';
import type { ParleyError } from '@parley/base';
import { findParleyHome } from '@parley/base/node';
import type { ServerConfig } from '@parley/server';
import { startError } from './errors.ts';
import { LAYOUT } from './layout.ts';
import type { Secrets } from './secrets.ts';
import { StartErrors } from './start-errors.ts';
import {
  isLoopback,
  type Reading,
  readAddress,
  readBoolean,
  readBudgets,
  readChoice,
  readEmail,
  readHost,
  readInteger,
  readOrigin,
  readProxies,
  readUrl,
  readWorkspaces,
} from './variables.ts';

/** The settings that the environment gives, complete and checked; secrets and the embedded database are added later. */
export interface Settings extends Omit<ServerConfig, 'databaseUrl' | keyof Secrets> {
  readonly dataDir: string;
  /** If undefined, the embedded Postgres is used. */
  readonly databaseUrl: string | undefined;
  /** Starts the DemoBot with the server. */
  readonly demoBot: boolean;
  /** Starts Hashee with the server (SA-1). */
  readonly systemAgent: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that other programs of ours read. */
const OTHERS = [
  'PARLEY_AGENT_ID',
  'PARLEY_AGENT_TOKEN',
  'PARLEY_DEBUG',
  'PARLEY_HOME',
  'PARLEY_KEYSTORE',
  'PARLEY_TEST_DATABASE_URL',
  'PARLEY_URL',
];
/** For a request that is on its way on a connection that nothing else is under way on. */
const IDLE_GRACE_MS = 300;
const REGISTRATIONS = ['open', 'invitation', 'closed'] as const;
const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

const READERS = {
  PARLEY_PORT: (text: string) => readInteger(text, 0, 65_535),
  PARLEY_HOST: readHost,
  PARLEY_DATA_DIR: (text: string): Reading<string> => ({ value: resolve(text) }),
  DATABASE_URL: (text: string) => readUrl(text, ['postgres:', 'postgresql:'], 'postgres://user:password@host/database'),
  PARLEY_PUBLIC_URL: readOrigin,
  PARLEY_TRUSTED_PROXIES: readProxies,
  PARLEY_REGISTRATION: (text: string) => readChoice(text, REGISTRATIONS),
  PARLEY_OPERATOR_EMAIL: readEmail,
  PARLEY_SMTP_URL: (text: string) => readUrl(text, ['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com'),
  PARLEY_MAIL_FROM: readAddress,
  PARLEY_LOG_LEVEL: (text: string) => readChoice(text, LEVELS),
  PARLEY_ALLOW_PRIVATE_ADDRESSES: readBoolean,
  PARLEY_RETENTION_ENVELOPE_DAYS: (text: string) => readInteger(text, 1, 3_650),
  PARLEY_RETENTION_EVENT_DAYS: (text: string) => readInteger(text, 1, 3_650),
  PARLEY_RETENTION_DELIVERY_DAYS: (text: string) => readInteger(text, 1, 3_650),
  PARLEY_TOOL_CALLS_PER_MINUTE: (text: string) => readInteger(text, 1, 1_000_000),
  PARLEY_DEMO_BOT: readBoolean,
  PARLEY_SYSTEM_AGENT: readBoolean,
  PARLEY_WORKSPACES: readWorkspaces,
  PARLEY_LOG_FILE: (text: string): Reading<string> => ({ value: resolve(text) }),
  PARLEY_DRAIN_SECONDS: (text: string) => readInteger(text, 0, 40),
  PARLEY_DATABASE_TIMEOUT_SECONDS: (text: string) => readInteger(text, 1, 600),
  PARLEY_BUDGETS: readBudgets,
  PARLEY_POOL_SIZE: (text: string) => readInteger(text, 4, 500),
  PARLEY_MAX_CONNECTIONS: (text: string) => readInteger(text, 100, 1_000_000),
} as const;

type Name = keyof typeof READERS;
type Value<N extends Name> = Extract<ReturnType<(typeof READERS)[N]>, { value: unknown }>['value'];
type Flat = { [N in Name]?: Value<N> };

export const VARIABLES = Object.keys(READERS) as readonly Name[];

/** Throws StartErrors that name every variable that is wrong. An empty one counts as not set. */
export function readEnvironment(env: Environment): Settings {
  const errors: ParleyError[] = [];
  for (const name of Object.keys(env).filter((name) => name.startsWith('PARLEY_'))) {
    if (!Object.hasOwn(READERS, name) && !OTHERS.includes(name)) errors.push(describeUnknown(name));
  }
  const flat: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(READERS)) {
    const text = env[name]?.trim() ?? '';
    if (text === '') continue;
    const reading = read(text);
    if ('value' in reading) flat[name] = reading.value;
    // The value is not repeated, because it may hold a password.
    else errors.push(startError('VARIABLE_INVALID', { params: { name, expected: reading.expected } }));
  }
  const development = env.NODE_ENV !== 'production';
  if (!development && !env.PARLEY_PUBLIC_URL) {
    errors.push(startError('VARIABLE_MISSING', { params: { name: 'PARLEY_PUBLIC_URL' } }));
  }
  if (errors.length > 0) throw new StartErrors(errors);
  return settle(flat as Flat, development, env);
}

function settle(flat: Flat, development: boolean, env: Environment): Settings {
  const host = flat.PARLEY_HOST ?? '127.0.0.1';
  const port = flat.PARLEY_PORT ?? 8484;
  // Passkeys are bound to a host name, so it is localhost and not an address.
  const reachedAt = isLoopback(host) || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const publicUrl = flat.PARLEY_PUBLIC_URL ?? `http://${reachedAt}:${port}`;
  return {
    dataDir: flat.PARLEY_DATA_DIR ?? chooseDataDir(env),
    databaseUrl: flat.DATABASE_URL,
    demoBot: flat.PARLEY_DEMO_BOT ?? development,
    // A server with a database of its own may be one of several nodes, and only one of them may start it.
    systemAgent: flat.PARLEY_SYSTEM_AGENT ?? (development || flat.DATABASE_URL === undefined),
    host,
    port,
    publicUrl,
    development,
    trustedProxies: flat.PARLEY_TRUSTED_PROXIES ?? [],
    // In production a server is on the network, where strangers are.
    registration: flat.PARLEY_REGISTRATION ?? (development ? 'open' : 'invitation'),
    ...(flat.PARLEY_OPERATOR_EMAIL === undefined ? {} : { operatorEmail: flat.PARLEY_OPERATOR_EMAIL }),
    ...(flat.PARLEY_SMTP_URL === undefined ? {} : { smtpUrl: flat.PARLEY_SMTP_URL }),
    mailFrom: flat.PARLEY_MAIL_FROM ?? `parley@${new URL(publicUrl).hostname}`,
    allowPrivateAddresses: flat.PARLEY_ALLOW_PRIVATE_ADDRESSES ?? false,
    retention: {
      envelopeDays: flat.PARLEY_RETENTION_ENVELOPE_DAYS ?? 30,
      eventDays: flat.PARLEY_RETENTION_EVENT_DAYS ?? 30,
      deliveryDays: flat.PARLEY_RETENTION_DELIVERY_DAYS ?? 30,
    },
    toolCallsPerMinute: flat.PARLEY_TOOL_CALLS_PER_MINUTE ?? 60,
    ...(flat.PARLEY_WORKSPACES === undefined ? {} : { workspaces: flat.PARLEY_WORKSPACES }),
    poolSize: flat.PARLEY_POOL_SIZE ?? 10,
    ...(flat.PARLEY_LOG_FILE === undefined ? {} : { logFile: flat.PARLEY_LOG_FILE }),
    drain: { delayMs: (flat.PARLEY_DRAIN_SECONDS ?? 0) * 1_000, graceMs: IDLE_GRACE_MS },
    databaseLimits: { statementMs: (flat.PARLEY_DATABASE_TIMEOUT_SECONDS ?? 15) * 1_000 },
    ...(flat.PARLEY_BUDGETS === undefined ? {} : { budgets: flat.PARLEY_BUDGETS }),
    maxConnections: flat.PARLEY_MAX_CONNECTIONS ?? 20_000,
    logLevel: flat.PARLEY_LOG_LEVEL ?? 'info',
  };
}

/** In a clone it is ignored by git. Of an installed package nothing is left after an update, so the data is not in it. */
function chooseDataDir(env: Environment): string {
  return LAYOUT.clone === undefined ? join(findParleyHome(env), 'server') : join(LAYOUT.clone, '.parley');
}

function describeUnknown(name: string): ParleyError {
  const similar = VARIABLES.map((known) => ({ known, distance: distanceOf(name, known) })).sort(
    (a, b) => a.distance - b.distance,
  )[0]!;
  if (similar.distance > 4) return startError('VARIABLE_UNKNOWN', { params: { name } });
  return startError('VARIABLE_UNKNOWN_SIMILAR', { params: { name, similar: similar.known } });
}

/** Counts the letters to add, remove or replace (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
