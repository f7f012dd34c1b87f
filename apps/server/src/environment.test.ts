import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readEnvironment, VARIABLES } from './environment.ts';
import { START_ERRORS } from './errors.ts';
import { StartErrors } from './start-errors.ts';
import { TEXTS } from './texts.ts';

function errorsOf(env: Record<string, string>): StartErrors['errors'] {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof StartErrors) return error.errors;
    throw error;
  }
  throw new Error('it was accepted');
}

const WRONG: Readonly<Record<string, readonly string[]>> = {
  PARLEY_PORT: ['x', '-1', '65536', '80.5', '1e3', '0x50', ' 8 0'],
  PARLEY_HOST: ['local host', 'http://127.0.0.1', '-', '[::1]'],
  DATABASE_URL: ['mysql://u:hunter2@h/d', 'hunter2', 'postgres://'],
  PARLEY_PUBLIC_URL: ['parley.example.com', 'ftp://x', 'https://x/path', 'https://x?q', 'https://u:hunter2@x'],
  PARLEY_TRUSTED_PROXIES: ['proxy.local', '10.0.0.0/33', '10.0.0.1,', '::1/129', '*'],
  PARLEY_SMTP_URL: ['mail.example.com', 'http://u:hunter2@mail'],
  PARLEY_MAIL_FROM: ['parley', 'a b@c', 'x\r\nBcc: y@z'],
  PARLEY_REGISTRATION: ['Open', 'invite', 'yes'],
  PARLEY_OPERATOR_EMAIL: ['ada', 'Ada <ada@example.com>', 'ada@localhost', 'a b@example.com'],
  PARLEY_LOG_LEVEL: ['verbose', 'INFO'],
  PARLEY_ALLOW_PRIVATE_ADDRESSES: ['maybe', '2'],
  PARLEY_RETENTION_ENVELOPE_DAYS: ['0', 'forever'],
  PARLEY_RETENTION_EVENT_DAYS: ['-3'],
  PARLEY_RETENTION_DELIVERY_DAYS: ['99999'],
  PARLEY_TOOL_CALLS_PER_MINUTE: ['0', '60/min', '1000001'],
  PARLEY_DEMO_BOT: ['maybe'],
  PARLEY_SYSTEM_AGENT: ['hashee'],
  PARLEY_WORKSPACES: ['main', 'main=relative', 'Main=/srv/x', 'a=/x;a=/y'],
  PARLEY_DRAIN_SECONDS: ['-1', '41', '5s'],
  PARLEY_DATABASE_TIMEOUT_SECONDS: ['0', '601', 'never'],
  PARLEY_BUDGETS: ['agents', 'agents=-1', 'agent=5', 'agents=5,agents=6', 'frames_per_second=0', 'bytes_stored=5GB'],
  PARLEY_POOL_SIZE: ['1', 'many'],
  PARLEY_MAX_CONNECTIONS: ['99', 'all'],
};

describe('HS-8 configuration from the environment', () => {
  test('OP-1 what every account may use is a list of budgets', () => {
    const { budgets } = readEnvironment({ PARLEY_BUDGETS: 'agents=0, bytes_stored=10GiB,frames_per_second=50' });
    expect(budgets).toEqual({ agents: 0, bytes_stored: 10 * 1024 ** 3, frames_per_second: 50 });
    expect(readEnvironment({}).budgets).toBeUndefined();
  });

  test('HS-8 without any variable there is a server for one machine', () => {
    const settings = readEnvironment({});
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 8484,
      publicUrl: 'http://localhost:8484',
      databaseUrl: undefined,
      development: true,
      trustedProxies: [],
      allowPrivateAddresses: false,
      logLevel: 'info',
      retention: { envelopeDays: 30, eventDays: 30, deliveryDays: 30 },
      toolCallsPerMinute: 60,
    });
  });

  test('AC-8 anyone registers on one’s own machine; in production it takes an invitation unless the operator says so', () => {
    expect(readEnvironment({}).registration).toBe('open');
    const production = { NODE_ENV: 'production', PARLEY_PUBLIC_URL: 'https://parley.example.com' };
    expect(readEnvironment(production).registration).toBe('invitation');
    expect(readEnvironment({ ...production, PARLEY_REGISTRATION: 'open' }).registration).toBe('open');
    expect(readEnvironment({ PARLEY_OPERATOR_EMAIL: 'Ada@Example.com' }).operatorEmail).toBe('ada@example.com');
  });

  test('PK-4 in a clone, the data is in the clone', () => {
    const clone = fileURLToPath(new URL('../../..', import.meta.url));
    expect(readEnvironment({ PARLEY_HOME: '/elsewhere' }).dataDir).toBe(join(clone, '.parley'));
  });

  test('HS-8 every variable is read', () => {
    const settings = readEnvironment({
      NODE_ENV: 'production',
      PARLEY_PORT: '9000',
      PARLEY_HOST: '0.0.0.0',
      PARLEY_DATA_DIR: 'data',
      DATABASE_URL: 'postgres://u:p@db/parley',
      PARLEY_PUBLIC_URL: 'https://parley.example.com/',
      PARLEY_TRUSTED_PROXIES: '10.0.0.2, fd00::/8',
      PARLEY_REGISTRATION: 'closed',
      PARLEY_OPERATOR_EMAIL: 'ada@example.com',
      PARLEY_SMTP_URL: 'smtps://u:p@mail',
      PARLEY_MAIL_FROM: 'Parley <parley@example.com>',
      PARLEY_LOG_LEVEL: 'warn',
      PARLEY_ALLOW_PRIVATE_ADDRESSES: 'true',
      PARLEY_RETENTION_ENVELOPE_DAYS: '7',
      PARLEY_RETENTION_EVENT_DAYS: '8',
      PARLEY_RETENTION_DELIVERY_DAYS: '9',
      PARLEY_TOOL_CALLS_PER_MINUTE: '600',
      PARLEY_DEMO_BOT: 'true',
      PARLEY_SYSTEM_AGENT: 'true',
      PARLEY_WORKSPACES: 'main=/srv/workspace',
      PARLEY_LOG_FILE: '/var/log/parley.log',
      PARLEY_DRAIN_SECONDS: '5',
      PARLEY_DATABASE_TIMEOUT_SECONDS: '30',
      PARLEY_POOL_SIZE: '20',
      PARLEY_MAX_CONNECTIONS: '5000',
    });
    expect(settings).toEqual({
      development: false,
      port: 9000,
      host: '0.0.0.0',
      dataDir: join(process.cwd(), 'data'),
      databaseUrl: 'postgres://u:p@db/parley',
      publicUrl: 'https://parley.example.com',
      trustedProxies: ['10.0.0.2', 'fd00::/8'],
      registration: 'closed',
      operatorEmail: 'ada@example.com',
      smtpUrl: 'smtps://u:p@mail',
      mailFrom: 'Parley <parley@example.com>',
      logLevel: 'warn',
      allowPrivateAddresses: true,
      retention: { envelopeDays: 7, eventDays: 8, deliveryDays: 9 },
      toolCallsPerMinute: 600,
      demoBot: true,
      systemAgent: true,
      workspaces: { main: '/srv/workspace' },
      poolSize: 20,
      logFile: '/var/log/parley.log',
      drain: { delayMs: 5_000, graceMs: 300 },
      databaseLimits: { statementMs: 30_000 },
      maxConnections: 5_000,
    });
  });

  test('SA-1 Hashee runs by default, but not beside every one of several nodes', () => {
    const production = { NODE_ENV: 'production', PARLEY_PUBLIC_URL: 'https://parley.example.com' };
    const shared = { ...production, DATABASE_URL: 'postgres://u:p@db/parley' };
    expect(readEnvironment({}).systemAgent).toBe(true);
    expect(readEnvironment(production).systemAgent).toBe(true);
    expect(readEnvironment(shared).systemAgent).toBe(false);
    expect(readEnvironment({ ...shared, PARLEY_SYSTEM_AGENT: 'true' }).systemAgent).toBe(true);
    expect(readEnvironment({ PARLEY_SYSTEM_AGENT: 'false' }).systemAgent).toBe(false);
  });

  test.each(Object.entries(WRONG))('HS-8 a malformed %s is refused by name, and never repeated', (name, values) => {
    for (const value of values) {
      const errors = errorsOf({ [name]: value });
      expect(errors).toMatchObject([{ code: 'VARIABLE_INVALID', params: { name, expected: expect.any(String) } }]);
      for (const locale of ['en', 'zh-CN'] as const) {
        expect(errors[0]!.explain(locale)).toContain(name);
        expect(errors[0]!.explain(locale)).not.toContain('hunter2');
      }
    }
  });

  test('HS-8 every variable but those of files can be malformed, and is tested so', () => {
    expect([...Object.keys(WRONG), 'PARLEY_DATA_DIR', 'PARLEY_LOG_FILE'].sort()).toEqual([...VARIABLES].sort());
  });

  test('HS-8 an unknown variable is refused, with the one that was meant; everything wrong is told at once', () => {
    const errors = errorsOf({ PARLEY_PROT: '1', PARLEY_WHATEVER_ELSE: '1', PARLEY_POOL_SIZE: 'x' });
    expect(errors.map(({ code, params }) => [code, params.name, params.similar])).toEqual([
      ['VARIABLE_UNKNOWN_SIMILAR', 'PARLEY_PROT', 'PARLEY_PORT'],
      ['VARIABLE_UNKNOWN', 'PARLEY_WHATEVER_ELSE', undefined],
      ['VARIABLE_INVALID', 'PARLEY_POOL_SIZE', undefined],
    ]);
  });

  test('HS-8 an empty variable is one that is not set', () => {
    expect(readEnvironment({ PARLEY_PORT: '', DATABASE_URL: ' ' })).toMatchObject({
      port: 8484,
      databaseUrl: undefined,
    });
  });

  test('HS-8 production wants to know where people find it', () => {
    expect(errorsOf({ NODE_ENV: 'production' })).toMatchObject([
      { code: 'VARIABLE_MISSING', params: { name: 'PARLEY_PUBLIC_URL' } },
    ]);
  });
});

test.each(['operators.md', 'operators.zh-CN.md'])('HS-8 the guide %s has every variable', (name) => {
  const guide = readFileSync(new URL(`../../../docs/guides/${name}`, import.meta.url), 'utf8');
  for (const variable of [...VARIABLES, 'NODE_ENV']) expect(guide).toContain(`| \`${variable}\` |`);
  const mentioned = [...guide.matchAll(/PARLEY_[A-Z_]+/g)].map((match) => match[0]);
  // Commands of an operator read it; the server does not.
  const known: readonly string[] = [...VARIABLES, 'PARLEY_HOME'];
  expect(mentioned.filter((variable) => !known.includes(variable))).toEqual([]);
});

test('HS-6 each text of the server has the same parameters in both languages', () => {
  const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
  const errors = Object.entries(START_ERRORS).map(([code, { text }]) => [code, text] as const);
  for (const [code, texts] of [...Object.entries(TEXTS), ...errors]) {
    expect([code, [...new Set(holes(texts['zh-CN']))]]).toEqual([code, [...new Set(holes(texts.en))]]);
    expect(texts['zh-CN']).toMatch(/\p{Script=Han}/u);
  }
});
