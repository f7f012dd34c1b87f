import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, type ServerConfig, startEmbeddedPostgres } from '@parley/server';

/** Starts a server with its own Postgres, which writes every commit to disk. Closing it removes both. */
export async function startServer(overrides: Partial<ServerConfig> = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  let server: Server | undefined;
  const close = async () => {
    try {
      await server?.close();
    } finally {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  };
  try {
    server = await createServer({
      databaseUrl: postgres.url,
      host: '127.0.0.1',
      port: 0,
      publicUrl: 'http://localhost:8484',
      development: true,
      tokenSecret: randomBytes(32),
      storageSecret: randomBytes(32),
      trustedProxies: [],
      mailFrom: 'parley@localhost',
      allowPrivateAddresses: false,
      retention: { envelopeDays: 30, eventDays: 30, deliveryDays: 30 },
      poolSize: 10,
      // What is measured is the server, not what one account may have of it.
      budgets: {
        frames_per_second: 1e6,
        bytes_per_second: 1e9,
        bytes_passed_on_per_second: 1e9,
        bytes_stored: 1e12,
        agents: 1e6,
        sockets: 1e5,
        connections: 1e3,
      },
      logLevel: 'silent',
      ...overrides,
    });
    await requireDurability(server);
    return { ...server, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireDurability({ platform }: Server): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const { rows } = await platform.storage.pool.query(`show ${setting}`);
    if (rows[0][setting] !== 'on') throw new Error(`bench: Postgres runs with ${setting} = ${rows[0][setting]}`);
  }
}

interface Call {
  readonly token?: string;
  readonly body?: unknown;
}

/** Returns the body of the reply; anything but success ends the bench. */
// biome-ignore lint/suspicious/noExplicitAny: a bench reads one field or two
export async function call(server: Server, route: string, { token, body }: Call = {}): Promise<any> {
  const [method, path] = route.split(' ') as [string, string];
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const reply = await response.json();
  if (!response.ok) throw new Error(`bench: ${route} answered ${response.status} ${JSON.stringify(reply)}`);
  return reply;
}

/** Registers a new account and returns its access token. */
export async function signUp(server: Server): Promise<string> {
  const account_password = randomBytes(16).toString('hex');
  const body = { email: `${account_password}@example.test`, account_password, display_name: 'Bench' };
  return (await call(server, 'POST /auth/register', { body })).access_token;
}
