import { openSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { registerAccounts } from './accounts/index.ts';
import { registerAdmin } from './admin/index.ts';
import { createAgentEvents } from './agent-events/recorder.ts';
import { registerAgents } from './agents/index.ts';
import { registerAgentWatch } from './agents/watch/index.ts';
import { createAuth } from './auth/index.ts';
import { registerBundles } from './bundles/index.ts';
import type { ServerConfig } from './config.ts';
import { createConversations, registerConversations } from './conversations/index.ts';
import { createBus } from './events/bus.ts';
import { createEvents } from './events/events.ts';
import { createApp } from './http/app.ts';
import { registerDocumentation } from './http/documentation.ts';
import { registerOperations } from './http/operations.ts';
import { createRouter } from './http/router.ts';
import { registerWeb } from './http/web.ts';
import { jobs, startJobs } from './jobs.ts';
import { registerKeys } from './keys/index.ts';
import { createMetrics, measureRequests } from './metrics.ts';
import type { Platform } from './platform.ts';
import { createPresence } from './presence/index.ts';
import { registerProxy } from './proxy/index.ts';
import { registerRelations } from './relations/index.ts';
import { registerSkills } from './skills/index.ts';
import { attachSockets } from './sockets/index.ts';
import { migrate, openStorage } from './storage/database.ts';
import { migrateJobs } from './storage/migrate-jobs.ts';
import { createTasks, SCHEDULE } from './tasks.ts';
import { registerWebhooks } from './webhooks/index.ts';

export interface Server {
  /** The address that it listens on. */
  readonly url: string;
  readonly platform: Platform;
  /** Finishes running requests, and takes no new ones. */
  close(): Promise<void>;
}

/** Migrates the database, starts the jobs and listens. */
export async function createServer(settings: ServerConfig, now: () => Date = () => new Date()): Promise<Server> {
  const config = { ...settings };
  const log = pino({ level: config.logLevel, redact: REDACTED }, pino.destination(openLog(config.logFile)));
  const storage = openStorage(config.databaseUrl, config.poolSize);
  await migrate(storage);
  await migrateJobs(storage.pool);
  const bus = await createBus(config.databaseUrl, storage.pool, log);
  const events = createEvents(storage.db, bus, { jobs, now });
  const agentEvents = createAgentEvents({ db: storage.db, bus, log, now });
  const metrics = createMetrics(storage.pool);
  const { db } = storage;
  const platform: Platform = { config, storage, db, bus, events, agentEvents, jobs, metrics, log, now };

  const app = createApp({ log, trustedProxies: config.trustedProxies, now });
  measureRequests(app, metrics);
  const auth = createAuth(platform);
  const router = createRouter(app, auth.authenticateRequest, now);
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
  ]) {
    register(router, platform);
  }
  const presence = await createPresence(platform);
  const conversations = createConversations(platform, presence.node);
  registerConversations(router, platform, conversations);
  registerProxy(router, platform);
  let draining = false;
  registerOperations(router, { db, log, metrics, isDraining: () => draining });
  registerDocumentation(router);
  if (config.webRoot !== undefined) registerWeb(app, config.webRoot);
  const sockets = attachSockets(app, platform, { auth, conversations, presence });
  const runner = await startJobs(storage.pool, { tasks: createTasks(platform), schedule: SCHEDULE, log });
  runner.events.on('job:failed', ({ job }) => metrics.jobFailures.inc({ task: job.task_identifier }));
  await app.listen({ host: config.host, port: config.port });
  const { port } = app.server.address() as AddressInfo;
  // This comes after listening, so that nobody can take the port in between.
  config.publicUrl = config.publicUrl.replace(/:0(?=\/?$)/, `:${port}`);

  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    platform,
    close: async () => {
      draining = true;
      await sockets.close();
      await presence.close();
      await app.close();
      await conversations.relay.close();
      await runner.stop();
      await agentEvents.flush();
      await bus.close();
      await storage.close();
    },
  };
}

const STDERR = 2;
const REDACTED = ['req.headers.authorization', 'req.headers.cookie', '*.token', '*.password', '*.secret'];

/** Opened synchronously: pino would open it a moment later, and a process that ends before that prints a stack trace. */
function openLog(file: string | undefined): number {
  return file === undefined ? STDERR : openSync(file, 'a', 0o600);
}
