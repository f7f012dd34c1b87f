import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDeferred } from '@parley/base';
import { findLockHolder, writeWhole } from '@parley/base/node';
import pg from 'pg';
import { prepareBinaries } from './embedded/binaries.ts';
import { type Cluster, clearLeftovers, hasData, initialise, type Running, start } from './embedded/cluster.ts';
import { chooseDataFolder, findRunAs } from './embedded/data-folder.ts';
import { lockFolder, POSTGRES_LOCK } from './embedded/lock-folder.ts';
import { startOnPort } from './embedded/port.ts';
import type { MigrateOptions } from './migrate.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  /** Resolves when its data was removed, which ends it. */
  readonly lost: Promise<void>;
  stop(): Promise<void>;
}

const PORT = 'postgres-port';
const PASSWORD = 'postgres-password';
/** The delays before it is started again; the last is repeated. One that runs into a full disk again and again waits. */
const RESTART_MS = [0, 1_000, 2_000, 5_000];
/** After this long it has started well, so the next delay is the first one. */
const STEADY_MS = 30_000;
const CONNECT_MS = 30_000;
/** It starts, stops or recovers (`cannot_connect_now`), or is not there at this moment. */
const NOT_YET = new Set(['57P03', 'ECONNREFUSED', 'ECONNRESET']);

/** Starts the real Postgres server from npm, with its data below `dataDir`, on a port of loopback that stays the same if it can (HS-14). */
export async function startEmbeddedPostgres(
  dataDir: string,
  { signal, tell = () => {} }: Pick<MigrateOptions, 'signal' | 'tell'> = {},
): Promise<EmbeddedPostgres> {
  // After a crash, as long as it takes to read the write-ahead log.
  tell({ kind: 'recover' });
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder, POSTGRES_LOCK);
  try {
    const runAs = findRunAs();
    const dataFolder = chooseDataFolder(folder, runAs);
    const cluster: Cluster = { folder, dataFolder, runAs, binaries: prepareBinaries(dataFolder, runAs) };
    const password = readOrMake(join(folder, PASSWORD), () => randomBytes(24).toString('hex'));
    await initialise(cluster, password, signal);
    // This comes before the port is chosen: a Postgres that a killed server left running still has it.
    await clearLeftovers(cluster);
    signal?.throwIfAborted();
    const { port, running } = await startOnPort(readPort(folder), async (port) => {
      writeFileSync(join(folder, PORT), `${port}\n`);
      return { port, running: await start(cluster, port, signal) };
    });
    const guarded = keepRunning(cluster, running, async (stopping) => {
      await clearLeftovers(cluster);
      return start(cluster, port, stopping);
    });
    const stop = async () => {
      try {
        await guarded.stop();
      } finally {
        await lock.release();
      }
    };
    const url = addressOf(port, password);
    try {
      await ensureDatabase(url, signal);
    } catch (error) {
      await stop();
      throw error;
    }
    return { url, lost: guarded.lost, stop };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Finds the address of the Postgres that a living process started in `dataDir`, for commands that run next to the
 * server.
 */
export function findEmbeddedPostgres(dataDir: string): string | undefined {
  const folder = resolve(dataDir);
  if (findLockHolder(folder, POSTGRES_LOCK) === undefined) return undefined;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
  return addressOf(Number(read(PORT)), read(PASSWORD));
}

function addressOf(port: number, password: string): string {
  return `postgres://parley:${password}@127.0.0.1:${port}/parley`;
}

/** Restarts a Postgres that dies (killed, out of memory, out of disk), unless its data is gone. */
function keepRunning(
  cluster: Cluster,
  first: Running,
  restart: (signal: AbortSignal) => Promise<Running>,
): Pick<EmbeddedPostgres, 'lost' | 'stop'> {
  let running = first;
  let began = performance.now();
  let attempts = 0;
  let stopped: Promise<void> | undefined;
  const stopping = new AbortController();
  const lost = createDeferred();
  const watch = async (): Promise<void> => {
    while (stopped === undefined) {
      await running.ended;
      if (performance.now() - began > STEADY_MS) attempts = 0;
      // Without a database the server is of no use, so it never gives up.
      while (stopped === undefined) {
        if (!hasData(cluster)) return lost.resolve();
        const delay = RESTART_MS[Math.min(attempts++, RESTART_MS.length - 1)];
        await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {});
        if (stopped !== undefined) break;
        try {
          running = await restart(stopping.signal);
          began = performance.now();
          break;
        } catch {
          // Its log says why; the next attempt is later.
        }
      }
    }
    // It was stopped during the restart.
    await running.stop();
  };
  const watching = watch().catch(() => {});
  return {
    lost: lost.promise,
    stop: () => {
      stopped ??= running.stop();
      stopping.abort();
      return stopped.then(() => watching);
    },
  };
}

async function ensureDatabase(url: string, signal: AbortSignal | undefined): Promise<void> {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const client = await connect(admin.href, signal);
  const { rowCount } = await client.query(`select 1 from pg_database where datname = 'parley'`);
  if (rowCount === 0) await client.query('create database parley');
  await client.end();
}

/** It may still recover, or be started again because it was killed at this moment. */
async function connect(url: string, signal: AbortSignal | undefined): Promise<pg.Client> {
  for (const deadline = performance.now() + CONNECT_MS; ; await sleep(100)) {
    signal?.throwIfAborted();
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    // Lost between two statements, it fails the next one.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!NOT_YET.has(code) || performance.now() > deadline) throw error;
    }
  }
}

/** Returns the port of the last start; 0 before the first. */
function readPort(folder: string): number {
  const file = join(folder, PORT);
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}

/** An empty file is what a crash can leave of one. */
function readOrMake(file: string, make: () => string): string {
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (found !== '') return found;
  const made = make();
  writeWhole(file, made);
  return made;
}
