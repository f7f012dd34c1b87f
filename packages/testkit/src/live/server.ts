import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerConfig } from '@parley/server';
import { inject } from 'vitest';
import { addDatabase, runStatement, type TestDatabase } from './database.ts';

export interface TestServer extends Server {
  readonly config: ServerConfig;
  /** Moves the server's clock, and can stop it. */
  readonly clock: TestClock;
  /** Sends and receives JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** What someone with the database in their hands does: past every check of the server. */
  editDatabase(statement: string): Promise<void>;
  makeOperator(accountId: string): Promise<void>;
  drop(): Promise<void>;
}

interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes back
  readonly body: any;
  readonly headers: Headers;
}

class TestClock {
  private passed = 0;
  private jumped = 0;
  private stoppedAt: { readonly now: number; readonly elapsed: number } | undefined;
  now = (): Date => new Date((this.stoppedAt?.now ?? Date.now()) + this.passed + this.jumped);
  elapsed = (): number => (this.stoppedAt?.elapsed ?? performance.now()) + this.passed;
  /** Lets time pass: both clocks move. */
  advance(ms: number): void {
    this.passed += ms;
  }
  /** Sets the time of day forward or back, as someone does by hand: no time passes. */
  jump(ms: number): void {
    this.jumped += ms;
  }
  /** From now on only `advance` moves the clock: a test happens at one moment, however long it takes. */
  stop(): void {
    // In whole milliseconds, so that a minute that is added is a whole minute.
    this.stoppedAt ??= { now: Date.now(), elapsed: Math.floor(performance.now()) };
  }
}

const makeName = () => `test_${randomBytes(6).toString('hex')}`;

/** Creates an empty database on the Postgres of this run. */
export function createDatabase(): Promise<TestDatabase> {
  return addDatabase(inject('databaseUrl'), makeName());
}

/** Starts a server on a database of its own; several can share one with `databaseUrl`. */
export async function startTestServer(overrides: Partial<ServerConfig> = {}): Promise<TestServer> {
  const database = overrides.databaseUrl
    ? { url: overrides.databaseUrl, drop: async () => {} }
    : await addDatabase(inject('databaseUrl'), makeName(), inject('templateDatabase'));
  const clock = new TestClock();
  const config: ServerConfig = {
    databaseUrl: database.url,
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:8484',
    development: true,
    tokenSecret: randomBytes(32),
    storageSecret: randomBytes(32),
    passwordCost: { memoryCost: 8, timeCost: 1 },
    trustedProxies: [],
    mailFrom: 'parley@localhost',
    allowPrivateAddresses: true,
    retention: { envelopeDays: 30, eventDays: 30, deliveryDays: 30 },
    poolSize: 8,
    logLevel: 'silent',
    ...overrides,
  };
  const server = await createServer(config, clock);
  const call: TestServer['call'] = async (method, path, { token, body, headers } = {}) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text, headers: response.headers };
  };
  return {
    ...server,
    config,
    clock,
    call,
    editDatabase: (statement) => runStatement(database.url, statement),
    makeOperator: async (accountId) => {
      await server.platform.db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', accountId).execute();
    },
    drop: async () => {
      await server.close();
      await database.drop();
    },
  };
}
