import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUDGETS } from '@parley/protocol';
import { registerAccounts } from './accounts/index.ts';
import { findOperatorLink } from './accounts/operator-link.ts';
import { registerAdmin } from './admin/index.ts';
import { createAgentEvents } from './agent-events/recorder.ts';
import { registerAgents } from './agents/index.ts';
import { SYSTEM_ACCOUNT } from './agents/system-account.ts';
import { registerAgentWatch } from './agents/watch/index.ts';
import { createAuth } from './auth/index.ts';
import { isOperator } from './auth/is-operator.ts';
import { startBackfills } from './backfills.ts';
import { createBudgets } from './budgets/index.ts';
import { registerBundles } from './bundles/index.ts';
import { type Clock, systemClock } from './clock.ts';
import { noteClockGap } from './clock-gaps.ts';
import type { ServerConfig } from './config.ts';
import { registerContacts } from './contacts/index.ts';
import { createConversations, registerConversations } from './conversations/index.ts';
import { SHARDS } from './conversations/relay.ts';
import { createBus } from './events/bus.ts';
import { createEvents } from './events/events.ts';
import { watchForUnheard } from './events/unheard.ts';
import { createApp } from './http/app.ts';
import { registerDocumentation } from './http/documentation.ts';
import { createGracefulStop } from './http/graceful-stop.ts';
import { createIntake } from './http/intake.ts';
import { networkOf } from './http/network-of.ts';
import { registerOperations } from './http/operations.ts';
import { ANSWER_MS, createReadiness } from './http/readiness.ts';
import { createRouter } from './http/router.ts';
import { registerWeb } from './http/web.ts';
import { jobs, startJobs } from './jobs.ts';
import { registerKeys } from './keys/index.ts';
import { createLog } from './log/create-log.ts';
import { openLogFile } from './log/log-file.ts';
import { createRefusalLog } from './log/refusal-log.ts';
import { createManifests } from './manifests/index.ts';
import { createMetrics, measureRequests } from './metrics.ts';
import type { Platform } from './platform.ts';
import { createPresence } from './presence/index.ts';
import { registerProxy } from './proxy/index.ts';
import { registerRelations } from './relations/index.ts';
import { registerSkills } from './skills/index.ts';
import { attachSockets } from './sockets/index.ts';
import { DATABASE_LIMITS, openStorage } from './storage/database.ts';
import type { StartStep } from './storage/migrate.ts';
import { migrateDatabase } from './storage/migrate-database.ts';
import { createTasks, SCHEDULE } from './tasks.ts';
import { createJumpWatch, createTrustedClock } from './trusted-clock.ts';
import { startDispatcher } from './webhooks/dispatcher.ts';
import { registerWebhooks } from './webhooks/index.ts';
import { resealWebhookSecrets } from './webhooks/reseal.ts';

export interface Server {
  /** The address that it listens on. */
  readonly url: string;
  readonly platform: Platform;
  /** With which the first operator registers; undefined if there is one (AC-8). */
  readonly operatorLink: string | undefined;
  /** Says that it is not ready, and goes on for as long as a load balancer needs to notice (OP-10). */
  announceStop(): Promise<void>;
  /** Finishes running requests, and takes no new ones; announces it first if nobody has. */
  close(): Promise<void>;
}

/** For work that may take minutes: so many for what people wait for, deleting an account, and as many for jobs. */
const PATIENT_CONNECTIONS = 2;
const PATIENT_MS = 10 * 60_000;
/** For readiness, and apart from it for figures: that these are slow does not make a node unready. */
/** How often a jump of the clock is looked for. */
const JUMP_LOOK_MS = 1_000;
const READINESS_CONNECTIONS = 1;
const FIGURES_CONNECTIONS = 2;
/** Neither has any use for an answer that comes later. */
const ASIDE_LIMITS = { connectMs: 1_000, statementMs: 1_000, idleTransactionMs: 5_000 };

export interface StartOptions {
  /** Ends a start that takes long. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each step when it begins. */
  readonly tell?: ((step: StartStep) => void) | undefined;
}

/** Migrates the database, starts the jobs and listens. */
export async function createServer(
  settings: ServerConfig,
  clock: Clock = systemClock,
  { signal, tell = () => {} }: StartOptions = {},
): Promise<Server> {
  const { now, elapsed } = clock;
  const config = { ...settings };
  const logFile = openLogFile({ file: config.logFile });
  const log = createLog(config, logFile);
  const migrations = await migrateDatabase(config.databaseUrl, { signal, tell });
  if (migrations.length > 0) log.info({ migrations }, 'storage: the database is up to date');
  tell({ kind: 'secrets' });
  if (config.acceptedStorageSecrets?.length) await resealWebhookSecrets(config.databaseUrl, config, signal);
  tell({ kind: 'services' });
  const limits = { ...DATABASE_LIMITS, ...config.databaseLimits };
  const storage = openStorage(config.databaseUrl, config.poolSize, limits);
  const openPatient = () =>
    openStorage(config.databaseUrl, PATIENT_CONNECTIONS, { ...limits, statementMs: PATIENT_MS });
  const patient = openPatient();
  const forJobs = openPatient();
  const relaying = openStorage(config.databaseUrl, SHARDS, limits);
  const probe = openStorage(config.databaseUrl, READINESS_CONNECTIONS, ASIDE_LIMITS);
  const figures = openStorage(config.databaseUrl, FIGURES_CONNECTIONS, ASIDE_LIMITS);
  const bus = await createBus(storage, log, { limitMs: limits.connectMs });
  const events = createEvents(storage.db, bus, { now });
  const agentEvents = createAgentEvents({ db: storage.db, bus, log, now });
  const { dataDir } = config;
  const metrics = createMetrics({ pool: storage.pool, aside: figures.pool, logFile, dataDir });
  const { db } = storage;
  // However small the pool is, one account does not hold it all.
  const connections = Math.max(1, Math.min(BUDGETS.connections.default, Math.floor(config.poolSize / 2)));
  const defaults = { connections, ...config.budgets };
  const budgets = await createBudgets({ db, bus, log, elapsed, defaults, unlimited: SYSTEM_ACCOUNT });
  const manifests = createManifests({ budgets });
  const lower = {
    config,
    storage,
    db,
    patientDb: patient.db,
    jobsDb: forJobs.db,
    relayPool: relaying.pool,
    bus,
    events,
    agentEvents,
    budgets,
    manifests,
  };
  const logRefusal = createRefusalLog(log, { elapsed, networkOf });
  const platform: Platform = { ...lower, jobs, metrics, log, logRefusal, now, elapsed };

  const { trustedProxies, maxConnections, headersTimeoutMs } = config;
  const intake = createIntake();
  const app = createApp({
    log,
    intake,
    trustedProxies,
    maxConnections,
    headersTimeoutMs,
    now,
    publicUrl: config.publicUrl,
    onRefused: (refused, details) => {
      metrics.refusals.inc({ limit: refused.limit });
      logRefusal(refused, details);
    },
  });
  measureRequests(app, metrics);
  const http = createGracefulStop(app, config.drain?.graceMs ?? 0);
  const auth = createAuth(platform);
  const router = createRouter(app, { authenticate: auth.authenticateRequest, elapsed, budgets });
  for (const register of [
    registerAccounts,
    registerKeys,
    registerAgents,
    registerAgentWatch,
    registerRelations,
    registerWebhooks,
    registerSkills,
    registerBundles,
    registerAdmin,
    registerContacts,
  ]) {
    register(router, platform);
  }
  const unheard = watchForUnheard(platform);
  const presence = await createPresence(platform);
  const conversations = createConversations(platform, presence.node);
  registerConversations(router, platform, conversations);
  registerProxy(router, platform);
  let announced: Promise<void> | undefined;
  let dispatched: Promise<void> | undefined;
  // Before all else, so that endpoints which take long and everything else are waited for at the same time.
  const stopDispatching = () => (dispatched ??= dispatcher.close());
  const announceStop = () => {
    http.discourage();
    announced ??= sleep(config.drain?.delayMs ?? 0).then(() => void stopDispatching());
    return announced;
  };
  const readiness = createReadiness({ db: probe.db, logFile, dataDir, elapsed });
  const aside = { config, db: figures.db, now };
  registerOperations(router, {
    readiness,
    log,
    metrics,
    isOperator: (request) => isOperator(aside, request, ANSWER_MS),
    isDraining: () => announced !== undefined,
  });
  registerDocumentation(router);
  if (config.webRoot !== undefined) registerWeb(app, config.webRoot);
  const sockets = attachSockets(app, platform, { auth, conversations, presence, intake });
  const trustedClock = createTrustedClock(platform);
  // Before anything is stored by a clock that may be set right a moment later.
  await trustedClock.look();
  const jumps = createJumpWatch(clock, (gap) => {
    log.warn({ forward_ms: gap.endedAt - gap.beganAt }, 'the clock was set forward');
    noteClockGap(db, gap).catch((error: unknown) => log.warn({ err: error }, 'a jump of the clock was not noted'));
  });
  const jumpTimer = setInterval(jumps.look, JUMP_LOOK_MS).unref();
  const runner = await startJobs(storage.pool, {
    tasks: createTasks(platform, trustedClock),
    schedule: SCHEDULE,
    log,
    now,
  });
  runner.events.on('job:failed', ({ job }) => metrics.jobFailures.inc({ task: job.task_identifier }));
  await startBackfills(platform);
  const dispatcher = startDispatcher(platform);
  await app.listen({ host: config.host, port: config.port });
  const { port } = app.server.address() as AddressInfo;
  // This comes after listening, so that nobody can take the port in between.
  config.publicUrl = config.publicUrl.replace(/:0(?=\/?$)/, `:${port}`);

  const operatorLink = await findOperatorLink(platform);

  return {
    operatorLink,
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    platform,
    announceStop,
    close: async () => {
      await announceStop();
      clearInterval(jumpTimer);
      await http.stop();
      await sockets.close();
      await unheard.close();
      await presence.close();
      await app.close();
      await conversations.relay.close();
      await stopDispatching();
      await runner.stop();
      await agentEvents.flush();
      await budgets.close();
      await bus.close();
      await Promise.all([patient, forJobs, relaying, probe, figures, storage].map((one) => one.close()));
    },
  };
}
