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
  PARLEY_LOG_LEVEL: ['verbose', 'INFO'],
  PARLEY_ALLOW_PRIVATE_ADDRESSES: ['maybe', '2'],
  PARLEY_RETENTION_ENVELOPE_DAYS: ['0', 'forever'],
  PARLEY_RETENTION_EVENT_DAYS: ['-3'],
  PARLEY_RETENTION_DELIVERY_DAYS: ['99999'],
  PARLEY_TOOL_CALLS_PER_MINUTE: ['0', '60/min', '1000001'],
  PARLEY_DEMO_BOT: ['maybe'],
  PARLEY_SYSTEM_AGENT: ['hashee'],
  PARLEY_WORKSPACES: ['main', 'main=relative', 'Main=/srv/x', 'a=/x;a=/y'],
  PARLEY_POOL_SIZE: ['1', 'many'],
};

describe('HS-8 configuration from the environment', () => {
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
      PARLEY_POOL_SIZE: '20',
    });
    expect(settings).toEqual({
      development: false,
      port: 9000,
      host: '0.0.0.0',
      dataDir: join(process.cwd(), 'data'),
      databaseUrl: 'postgres://u:p@db/parley',
      publicUrl: 'https://parley.example.com',
      trustedProxies: ['10.0.0.2', 'fd00::/8'],
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

  test('HS-8 every variable but the folder can be malformed, and is tested so', () => {
    expect([...Object.keys(WRONG), 'PARLEY_DATA_DIR'].sort()).toEqual([...VARIABLES].sort());
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
  expect(mentioned.filter((variable) => !VARIABLES.some((known) => known === variable))).toEqual([]);
});

test('HS-6 each text of the server has the same parameters in both languages', () => {
  const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
  const errors = Object.entries(START_ERRORS).map(([code, { text }]) => [code, text] as const);
  for (const [code, texts] of [...Object.entries(TEXTS), ...errors]) {
    expect([code, [...new Set(holes(texts['zh-CN']))]]).toEqual([code, [...new Set(holes(texts.en))]]);
    expect(texts['zh-CN']).toMatch(/\p{Script=Han}/u);
  }
});
