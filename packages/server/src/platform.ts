import type { Logger } from 'pino';
import type { AgentEvents } from './agent-events/recorder.ts';
import type { ServerConfig } from './config.ts';
import type { Bus } from './events/bus.ts';
import type { Events } from './events/events.ts';
import type { Jobs } from './jobs.ts';
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
  readonly bus: Bus;
  readonly events: Events;
  readonly agentEvents: AgentEvents;
  readonly jobs: Jobs;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly now: () => Date;
}
