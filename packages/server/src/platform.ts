import type pg from 'pg';
import type { Logger } from 'pino';
import type { AgentEvents } from './agent-events/recorder.ts';
import type { Budgets } from './budgets/index.ts';
import type { ServerConfig } from './config.ts';
import type { Bus } from './events/bus.ts';
import type { Events } from './events/events.ts';
import type { Jobs } from './jobs.ts';
import type { RefusalLog } from './log/refusal-log.ts';
import type { Manifests } from './manifests/index.ts';
import type { Metrics } from './metrics.ts';
import type { Db, Storage } from './storage/database.ts';

/**
 * The services of the lowest layers, one of each per server. What a subject creates for itself (passwords, the relay,
 * presence) is not in here; those who need it get it by name.
 */
export interface Platform {
  readonly config: ServerConfig;
  readonly storage: Storage;
  readonly db: Db;
  /** For statements that may take minutes: others are ended after seconds (OP-9). */
  readonly patientDb: Db;
  /** Connections that store messages and do nothing else: whatever is read, nothing queues in front of them (OP-3). */
  readonly relayPool: pg.Pool;
  /** The same for jobs: while they take minutes, an account can be deleted. */
  readonly jobsDb: Db;
  readonly bus: Bus;
  readonly events: Events;
  readonly agentEvents: AgentEvents;
  readonly budgets: Budgets;
  readonly jobs: Jobs;
  readonly manifests: Manifests;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly logRefusal: RefusalLog;
  /** The time of day, for what is stored and shown. */
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock, for rates, limits and time-outs (OP-13). */
  readonly elapsed: () => number;
}
