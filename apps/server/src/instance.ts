import { existsSync, mkdirSync } from 'node:fs';
import { createServer as createProbe } from 'node:net';
import { join } from 'node:path';
import { createServer, type StartOptions } from '@parley/server';
import { describeOutage, type EmbeddedPostgres, lockFolder, startEmbeddedPostgres } from '@parley/server/storage';
import type { ChildAgent } from './child-agent.ts';
import type { Settings } from './environment.ts';
import { startError } from './errors.ts';
import { LAYOUT } from './layout.ts';
import { startLocalAgents } from './local-agents.ts';
import { type OperatorLink, operatorLinkIn } from './operator-link.ts';
import { describeSecrets, loadSecrets, secretsFile } from './secrets.ts';
import { removeState, SERVER_LOCK, writeState } from './state.ts';

export interface Instance {
  readonly url: string;
  /** The address that people open. */
  readonly page: string;
  readonly log: string | undefined;
  /** With which the first operator registers; undefined if there is one (AC-8). */
  readonly operator: OperatorLink | undefined;
  /** True if the data folder was empty before. */
  readonly isFirstStart: boolean;
  /** Resolves with the data folder when someone has removed it, and the database with it. */
  readonly lost: Promise<string>;
  /** How long it goes on after it has said that it is not ready. */
  readonly drainDelayMs: number;
  /** Finishes the requests that have begun, and takes no new ones. */
  drain(): Promise<void>;
  /** Stops the database and releases the folder. Call it after `drain`. */
  stop(): Promise<void>;
}

/**
 * Starts everything in order: folder, secrets, database, server. What was started is stopped again if a later step fails,
 * or when the signal comes, with its reason.
 */
export async function startInstance(settings: Settings, options: StartOptions = {}): Promise<Instance> {
  return start(settings, options).catch((error: NodeJS.ErrnoException) => {
    const { code = '' } = error;
    throw DISK.test(code) ? startError('DISK_FULL', { params: { folder: settings.dataDir, reason: code } }) : error;
  });
}

const DISK = /^(ENOSPC|EDQUOT|EIO|EROFS)$/;

/** What a database does not answer to is not waited for. */
const ABORT_MS = 3_000;

async function start(settings: Settings, options: StartOptions): Promise<Instance> {
  const { signal } = options;
  const { dataDir } = settings;
  makeFolder(dataDir);
  const lock = await lockFolder(dataDir, SERVER_LOCK);
  let postgres: EmbeddedPostgres | undefined;
  let agents: readonly ChildAgent[] = [];
  const stop = async () => {
    await postgres?.stop();
    removeState(dataDir);
    await lock.release();
  };
  try {
    const isFirstStart = !existsSync(secretsFile(dataDir));
    // First, so that it is never that of secrets which were not loaded.
    const { generation: secretsGeneration } = describeSecrets(dataDir);
    const secrets = loadSecrets(dataDir);
    await checkPort(settings);
    const logFile = settings.logFile ?? (settings.development ? join(dataDir, 'server.log') : undefined);
    if (settings.databaseUrl === undefined) postgres = await startEmbeddedPostgres(dataDir, options);
    const databaseUrl = postgres?.url ?? settings.databaseUrl!;
    const log = logFile === undefined ? {} : { logFile };
    const web = existsSync(LAYOUT.site) ? { webRoot: LAYOUT.site } : {};
    const operatorLinkFile = operatorLinkIn(dataDir);
    const config = { ...settings, ...secrets, ...log, ...web, databaseUrl, operatorLinkFile };
    signal?.throwIfAborted();
    const server = await within(createServer(config, undefined, options), signal).catch(explain);
    writeState(dataDir, {
      pid: process.pid,
      url: server.url,
      version: LAYOUT.version,
      startedAt: new Date().toISOString(),
      secretsGeneration,
      database: postgres === undefined ? 'external' : 'embedded',
      ...(logFile === undefined ? {} : { log: logFile }),
    });
    agents = await startLocalAgents(server, settings).catch(afterClosing(server));
    const drain = async () => {
      // The agents are in service until then, and one that hangs does not keep the load balancer from being told.
      await server.announceStop();
      await Promise.all(agents.map((agent) => agent.stop()));
      await server.close();
    };
    const lost = postgres?.lost.then(() => dataDir) ?? new Promise<string>(() => {});
    const { operatorLink } = server;
    const operator = operatorLink === undefined ? undefined : { link: operatorLink, file: operatorLinkFile };
    return {
      url: server.url,
      page: server.platform.config.publicUrl,
      log: logFile,
      operator,
      isFirstStart,
      lost,
      drainDelayMs: settings.drain?.delayMs ?? 0,
      drain,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The server runs already, and would go on without the agents that belong to it. */
function afterClosing(server: { close(): Promise<void> }) {
  return async (error: unknown): Promise<never> => {
    await server.close();
    throw error;
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    throw startError('DATA_DIR_UNUSABLE', { params: { folder, reason: code } });
  }
}

/** Checks the port first, so that no database is started in vain. */
function checkPort({ host, port }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createProbe();
    probe.on('error', (error: NodeJS.ErrnoException) => reject(explainListening(error, host, port)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function explainListening({ code }: NodeJS.ErrnoException, host: string, port: number): Error {
  if (code === 'EADDRINUSE') return startError('PORT_IN_USE', { params: { host, port } });
  if (code === 'EACCES') return startError('PORT_FORBIDDEN', { params: { port } });
  return startError('HOST_UNAVAILABLE', { params: { host, reason: code ?? 'UNKNOWN' } });
}

/** Rejects when the signal comes, after a moment in which the work may end by itself. */
async function within<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), ABORT_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

const REFUSED = /^(ENOTFOUND|EAI_AGAIN|28P01|28000|3D000|42501)$/;

/** Shows only the code of a database error: its message may repeat the address, which holds the password. */
function explain(error: unknown): never {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  const reason = code ?? errors?.[0]?.code ?? '';
  const outage = REFUSED.test(reason) ? reason : describeOutage(code === undefined && errors ? errors[0] : error);
  if (outage !== undefined) throw startError('DATABASE_UNREACHABLE', { params: { reason: outage } });
  throw error;
}
